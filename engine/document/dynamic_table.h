// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/document/document.h"

namespace rpl {

/// A table whose columns exist only when the program runs: results of SQL, commands defined in Lua, chosen counters. Everything else is bound.
class DynamicTable {
 public:
  explicit DynamicTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// A row with one value for each column; another number of them is an error in the program.
  Status add(Row row);
  /// Rows made on demand, instead of those that were added.
  void made_by(std::function<std::unique_ptr<RowSource>()> rows) { rows_from_ = std::move(rows); }
  /// Makes it the document's table.
  void put(Document& out) &&;

 private:
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::function<std::unique_ptr<RowSource>()> rows_from_;
};

}  // namespace rpl
