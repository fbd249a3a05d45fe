// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/core/inputs/trace_columns.h"

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
  [[nodiscard]] Result<std::vector<double>> numbers(std::string_view column) const;
  /// Exact when all numbers are integers and the sum fits.
  [[nodiscard]] Result<Value> sum(std::string_view column) const;

  /// The rows that meet every condition: `name = value`, `min_NAME`, `max_NAME`; a part of the name, or /regex/, for kernels.
  Result<std::shared_ptr<Rows>> where(const Record& conditions) const;
  /// The `count` rows with the largest values of `column`, largest first.
  [[nodiscard]] Result<std::shared_ptr<Rows>> top(std::uint64_t count,
                                                  std::string_view column) const;

 private:
  /// Calls `visit` with each number of the column.
  Status each_number(std::string_view column, const std::function<void(const Value&)>& visit) const;
  [[nodiscard]] std::shared_ptr<Rows> with_rows(std::vector<Row> rows) const;

  std::shared_ptr<const Document> document_;
  std::optional<std::uint64_t> size_;
  std::unique_ptr<RowSource> source_;
  std::uint64_t next_ = 0;  ///< of `source_`; `row_` is the one before
  Row row_;
};

/// The columns of a dispatch that scripts read without the dependency graph.
inline constexpr auto kScriptDispatch = bound_to<DispatchRow>(
    dispatch_columns::kId, dispatch_columns::kRecordedId, dispatch_columns::kKernel,
    dispatch_columns::kKernelId, dispatch_columns::kAgent, dispatch_columns::kQueue,
    dispatch_columns::kStream, dispatch_columns::kStart.in(Unit::ns),
    dispatch_columns::kEnd.in(Unit::ns), dispatch_columns::kDuration, dispatch_columns::kGrid,
    dispatch_columns::kWorkgroup, dispatch_columns::kLds, dispatch_columns::kScratch);

/// Some dispatches of a trace, in their own order; `rows` nullptr: all, in order of start. What takes long is interruptible.
struct DispatchSet {
  const Trace& trace;
  const std::vector<std::uint32_t>* rows = nullptr;

  /// The error suggests the nearest name.
  static Result<const BoundColumn*> column(std::string_view name);
  /// The same, for a column of numbers.
  static Result<const BoundColumn*> number_column(std::string_view name);

  [[nodiscard]] std::size_t size() const { return rows ? rows->size() : trace.size(); }
  [[nodiscard]] std::uint32_t row(std::size_t at) const {
    return rows ? (*rows)[at] : static_cast<std::uint32_t>(at);
  }
  [[nodiscard]] DispatchRow operator[](std::size_t at) const {
    return {.trace = &trace, .row = row(at)};
  }
  /// The rows that meet all conditions: kernel (any reference; it may name several), agent, queue, stream ("s2" or 2), min_ and max_ of any number
  /// column, and as shorthands min_ns and max_ns for the duration.
  [[nodiscard]] Result<std::vector<std::uint32_t>> where(const Workspace& workspace,
                                                         const Record& conditions) const;
  [[nodiscard]] Result<std::vector<double>> numbers(std::string_view column) const;
  [[nodiscard]] Result<Value> sum(std::string_view column) const;
  /// The rows with the largest values, largest first, ties in order of start.
  [[nodiscard]] Result<std::vector<std::uint32_t>> top(std::size_t count,
                                                       std::string_view column) const;
};

/// "WHAT 'name'; did you mean …", or which columns there are.
Failure no_such_column(std::string_view what, std::string_view name,
                       std::span<const Column> columns);

/// By nearest rank: the smallest value that at least `p` percent (0 to 100) of the values do not exceed. Not for empty input.
double percentile_of(std::vector<double> values, double p);

/// Mean and sample standard deviation; the latter is none for fewer than two values.
struct Moments {
  double mean = 0;
  std::optional<double> deviation;
};
Moments moments(std::span<const double> values);

}  // namespace rpl
