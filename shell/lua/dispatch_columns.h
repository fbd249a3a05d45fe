// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/document.h"
#include "engine/trace/core/trace.h"
#include "shell/core/session/workspace.h"

namespace rpl {

/// One column of the dispatch table as scripts see it.
struct DispatchColumn {
  Column column;
  /// For numbers: the value of a row.
  std::int64_t (*number)(const Trace& trace, std::size_t row) = nullptr;
  /// For the rest. Numbers have it too.
  Value (*value)(const Trace& trace, std::size_t row) = nullptr;
};

/// id, dispatch_id, kernel, kernel_id, agent, queue, stream, start_ns, end_ns, duration_ns, grid, workgroup, lds_bytes, scratch_bytes.
std::span<const DispatchColumn> dispatch_columns();
/// The error suggests the nearest name.
Result<const DispatchColumn*> dispatch_column(std::string_view name);
/// The same, for a column of numbers.
Result<const DispatchColumn*> number_column(std::string_view name);

/// Some dispatches of a trace, in their own order; `rows` nullptr: all, in order of start.
struct DispatchSet {
  const Trace& trace;
  const std::vector<std::uint32_t>* rows = nullptr;

  [[nodiscard]] std::size_t size() const { return rows ? rows->size() : trace.size(); }
  [[nodiscard]] std::size_t row(std::size_t at) const { return rows ? (*rows)[at] : at; }
};

/// The rows that meet all conditions: kernel (any reference; it may name several), agent, queue, stream ("s2" or 2), min_ and max_ of any number
/// column, and as shorthands min_ns and max_ns for the duration.
Result<std::vector<std::uint32_t>> filter_dispatches(const Workspace& workspace,
                                                     const DispatchSet& set,
                                                     const Record& conditions);

/// The values of a number column, for aggregates. Interruptible.
Result<std::vector<double>> numbers_of(const DispatchSet& set, const DispatchColumn& column);
Result<Value> sum_of(const DispatchSet& set, const DispatchColumn& column);
/// The rows with the largest values, largest first, ties in order of start.
Result<std::vector<std::uint32_t>> largest_rows(const DispatchSet& set,
                                                const DispatchColumn& column, std::size_t count);

}  // namespace rpl
