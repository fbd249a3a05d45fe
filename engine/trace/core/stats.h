// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Count, sum and spread of durations. Exact but for mean and standard deviation, which are rounded once at the end.
struct DurationSummary {
  std::uint64_t calls = 0;
  std::int64_t total_ns = 0;
  std::int64_t min_ns = 0, max_ns = 0;  ///< 0 without calls
  double mean_ns = 0;
  std::optional<double> stddev_ns;  ///< of the sample (n - 1); none below two calls

  /// How unsteady the durations are, whatever their length: stddev_ns / mean_ns; none below two calls.
  [[nodiscard]] std::optional<double> variation() const {
    if (!stddev_ns || mean_ns == 0) return std::nullopt;
    return *stddev_ns / mean_ns;
  }
};

struct KernelStats {
  std::uint32_t kernel = 0;  ///< index into Trace::kernels()
  DurationSummary duration;
  double share = 0;  ///< of the durations of all kernels, 0 … 1
};

struct TraceTotals {
  std::uint64_t dispatches = 0;
  /// Used by at least one dispatch; the recording may list more.
  std::uint32_t kernels = 0, agents = 0, queues = 0, streams = 0, threads = 0, processes = 0;
  std::int64_t span_ns = 0;      ///< first start to last end
  std::int64_t gpu_time_ns = 0;  ///< sum of durations
  std::int64_t busy_ns = 0;      ///< union of the intervals, over all agents
};

struct TraceStats {
  TraceTotals totals;
  std::vector<KernelStats> kernels;  ///< by total time, longest first; equal ones by name
};

/// One pass over the dispatches. Fails only with interrupted.
Result<TraceStats> trace_stats(const Trace& trace);

}  // namespace rpl
