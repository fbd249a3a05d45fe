// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace rpl {

/// Random access, filters and aggregates over the table of a result, for scripts. Rows that come from a source are read in one
/// forward pass for as long as they are asked for in order.
class Rows {
 public:
  explicit Rows(std::shared_ptr<const Document> document) : document_(std::move(document)) {}

  [[nodiscard]] const Document& document() const { return *document_; }
  [[nodiscard]] std::span<const Column> columns() const { return document_->columns; }
  /// Index of a column; the error suggests the nearest.
  [[nodiscard]] Result<std::size_t> column(std::string_view name) const;

  /// How many rows there are; a source is read to its end for it.
  Result<std::uint64_t> size();
  /// Row `index` from 0, nullptr behind the end. Valid until the next call.
  Result<const Row*> at(std::uint64_t index);

  /// The numbers of one column, nulls left out; a column of text is an error.
  Result<std::vector<double>> numbers(std::size_t column) const;
  /// Exact when all numbers are integers and the sum fits.
  [[nodiscard]] Result<Value> sum(std::size_t column) const;

  /// The rows that meet every condition: `name = value`, `min_NAME`, `max_NAME`; a part of the name, or /regex/, for kernels.
  Result<std::shared_ptr<Rows>> where(const Record& conditions) const;
  /// The `count` rows with the largest values of `column`, largest first.
  Result<std::shared_ptr<Rows>> top(std::uint64_t count, std::size_t column) const;

 private:
  [[nodiscard]] std::shared_ptr<Rows> with_rows(std::vector<Row> rows) const;

  std::shared_ptr<const Document> document_;
  std::optional<std::uint64_t> size_;
  std::unique_ptr<RowSource> source_;
  std::uint64_t next_ = 0;  ///< of `source_`; `row_` is the one before
  Row row_;
};

/// By nearest rank: the smallest value that at least `p` percent (0 to 100) of the values do not exceed. Not for empty input.
double percentile_of(std::vector<double> values, double p);

/// Mean and sample standard deviation; the latter is none for fewer than two values.
struct Moments {
  double mean = 0;
  std::optional<double> deviation;
};
Moments moments(std::span<const double> values);

}  // namespace rpl
