// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "engine/base/monitor.h"
#include "engine/document/number_table.h"
#include "engine/graph/critical_path.h"
#include "engine/graph/gaps.h"
#include "engine/graph/overlap.h"
#include "engine/graph/what_if.h"
#include "engine/trace/core/stats.h"

/// Where the numbers of a trace come from: every number of summary, info trace, critpath, gaps, overlap, whatif, slack, info kernel and
/// info dispatch, as rows of one table.
namespace rpl {

/// What these numbers are computed from. Results are computed when a number asks for them, and may be kept by who implements this; pointers
/// live as long as it does.
class TraceResults {
 public:
  virtual ~TraceResults() = default;
  virtual const Trace& trace() = 0;
  virtual Result<const TraceStats*> stats() = 0;
  virtual Result<const Graph*> graph() = 0;
  virtual Result<const Slack*> slack() = 0;
  virtual Result<const CriticalPath*> path() = 0;
  /// All gaps; the longest is the first row.
  virtual Result<const Gaps*> gaps() = 0;
  virtual Result<const OverlapReport*> overlap() = 0;
  /// Of `kernel` and `speedup`.
  virtual Result<const WhatIf*> what_if() = 0;
  /// How people call an operation: "d12", "copy3".
  virtual std::string operation(NodeId id) = 0;
  /// What shows a number: the column of a command's result. nullptr for none.
  [[nodiscard]] virtual const Column* column(std::string_view name) const = 0;

  std::string source;  ///< "dispatches of t1"
  Provenance provenance = Provenance::recorded;
  std::uint32_t kernel = kNone;  ///< for rows of `kernel` and `whatif`
  std::uint32_t row = 0;         ///< for rows of `dispatch`
  double speedup = 2;            ///< for rows of `whatif`; infinity: removed
};

using TraceNumber = NumberRow<TraceResults>;

/// All rows. Names are "GROUP.FIELD"; rows of the groups `kernel`, `whatif` and `dispatch` need what TraceResults says.
std::span<const TraceNumber> trace_numbers();

namespace detail {

/// A member of one of the results.
template <auto Result, auto Member>
rpl::Result<FoundNumber> number_of(TraceResults& from) {
  return FoundNumber(TRY((from.*Result)())->*Member);
}

std::span<const TraceNumber> span_numbers();
std::span<const TraceNumber> path_numbers();
std::span<const TraceNumber> kernel_numbers();
std::span<const TraceNumber> what_if_numbers();
}  // namespace detail

}  // namespace rpl
