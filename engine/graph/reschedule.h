// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

/// What is otherwise when a graph is scheduled again. Nothing changed gives the recorded span to the nanosecond.
struct Otherwise {
  /// Of what launching kernels costs: the host's calls that launch them, and the time from there, or from the end of what it waited for, to the start; what takes more than four times what launches cost at the least does
  /// something else first, and counts as the least.
  double launch = 1;
  std::vector<bool> launches = {};  ///< by dispatch: whose launch costs otherwise. Empty: all.
  std::vector<std::int64_t> durations = {};  ///< by operation, not negative; empty: as recorded
  std::vector<bool> absent = {};             ///< by operation: is not there; empty: all are
  std::vector<bool> free_calls = {};  ///< by row of the API table: take no time on their thread
  bool host_between = true;           ///< the host takes time between its calls
  /// By row of the table of waits (SyncTable): the thread goes on at once. Empty: all wait.
  std::vector<bool> no_wait = {};
  /// What a launch that found its stream empty waits behind an operation that it now finds there. Unknown: as long as it waited then.
  std::optional<std::int64_t> gap_ns = {};
  /// Operations of a device that ran one after the other do so still, whatever let them start.
  bool serial_device = false;
  /// Copies from the host wait for nothing but their launch and the copies before them in their direction; a kernel waits for the copies to the device before it
  /// in its stream, and a copy to the host for the kernels before it. As with any number of buffers for each array.
  bool overlapped_copies = false;
  /// Of overlapped copies: each array has two buffers and no more, so that a copy to the device waits for what the copy before it to the same place had waited for.
  bool two_buffers = false;
  /// Streams wait for each other through recorded events alone, what was asked of the null stream follows in the stream of the operation that was asked for before it, and a device takes as much side by side as it has room for. Empty: not
  /// so. By launch configuration (TraceEntities::launches): what part of its device a dispatch fills, above 0 to 1.
  std::vector<double> free_streams = {};
  bool free_events = false;  ///< of free streams: recorded events order nothing either
};

/// The span of the graph if things were otherwise: every operation starts when the last of what it waits for has ended, plus the wait that was recorded. Where nothing
/// but time says why an operation started then (inferred edges, gaps without a launch call), `moves` says whether it would start earlier. Host time is saved from
/// the first launch on. Where launching costs something else the span begins with the first operation, else where it was recorded to begin. Linear but for `free_streams`. Fails with `interrupted` only.
Result<std::int64_t> rescheduled_span_ns(const Graph& graph, const Otherwise& otherwise,
                                         bool moves = true);

/// How soon operations start.
struct LaunchTimes {
  /// The least wait of launches that found their stream empty: the tenth part of them started sooner. 0 where no launch call is known.
  std::int64_t latency_ns = 0;
  /// The same between neighbours of a stream, where the later one was launched in time. Unknown where none was.
  std::optional<std::int64_t> neighbour_gap_ns;
};
/// Found out once for each graph. Fails with `interrupted` only.
Result<LaunchTimes> launch_times(const Graph& graph);

enum class CopyWay : std::uint8_t { to_device, to_host, other };
/// By the name that the recorder gave it (MEMORY_COPY_HOST_TO_DEVICE, CopyHostToDevice, Memcpy HtoD, …).
CopyWay way_of(const CopyTable& table, const Copy& copy);

}  // namespace rpl
