// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/graph/critical_path.h"
#include "engine/graph/graph.h"

namespace rpl {

/// Two kernels of which dispatches ran one after the other although no evidenced path orders them.
struct OverlapPair {
  std::uint32_t first = kNone, second = kNone;  ///< indices into Trace::kernels(), first <= second
  std::uint64_t pairs = 0;                      ///< of dispatches
  std::int64_t could_save_ns =
      0;  ///< summed over the pairs: by how much the later one could have run beside the earlier
  std::int64_t on_path_ns = 0;  ///< of that, where the later one is on the critical path
};

/// How much one stream of one process ran beside others.
struct StreamOverlap {
  std::uint32_t stream = kNone;  ///< index into TraceEntities::streams; kNone = unknown
  std::uint32_t queue = kNone;   ///< index into TraceEntities::queues, when the stream is unknown
  std::uint32_t agent = kNone;
  std::int64_t busy_ns = 0;        ///< union of its operations
  std::int64_t overlapped_ns = 0;  ///< of that, while another stream of the same agent was busy
};

struct StreamPair {
  std::uint32_t first = 0, second = 0;  ///< indices into OverlapReport::streams
  std::int64_t both_ns = 0;
};

struct OverlapReport {
  std::vector<OverlapPair> potential;  ///< by falling could_save_ns, then kernels
  std::vector<StreamOverlap> streams;  ///< that ran anything, by falling busy_ns
  /// By falling both_ns. Only moments with at most kMaxBusyStreams busy are split up.
  std::vector<StreamPair> pairs;
  std::int64_t unsplit_ns = 0;     ///< time with more streams busy than that
  std::int64_t busy_ns = 0;        ///< union over all, summed over agents
  std::int64_t concurrent_ns = 0;  ///< of that, with at least two streams busy
};
inline constexpr std::size_t kMaxBusyStreams = 16;

/// Bounded: each dispatch is paired with one other only, the one of another stream of its device that had ended last. A pair counts when that one
/// ended later than everything the dispatch is known to have waited for, so no evidenced path can lead from it to the dispatch.
/// Estimated: says nothing about whether both would fit on the device. Fails with `interrupted` only.
Result<OverlapReport> find_overlap(const Graph& graph, const std::vector<bool>& on_path,
                                   const Monitor& monitor = {});

}  // namespace rpl
