// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/document/document.h"
#include "shell/tui/canvas.h"

namespace rpl::tui {

/// The table of a document with one row chosen. Columns that find no room are left out, from the right.
class Table {
 public:
  /// Keeps the row of the same id chosen. At most 2000 rows are taken.
  void set(const Result<Document>& document);
  void draw(ScreenCells& canvas, Area area);
  /// Whether the key moves the choice.
  bool press(const Press& press);
  /// The first column of ids of the chosen row; "" without one.
  [[nodiscard]] std::string chosen() const;

 private:
  struct Column {
    std::string heading;
    bool right = false;
    int width = 0;
  };
  void cut_apart(std::size_t column);

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> ids_;
  std::string said_;  ///< instead of rows
  int at_ = 0, first_ = 0, page_ = 1;
};

}  // namespace rpl::tui
