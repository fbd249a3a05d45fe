// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>
#include "engine/graph/graph.h"
#include "engine/graph/slack.h"

namespace rpl {

/// One operation of a dependency chain, and what came between it and the operation before it.
struct WalkStep {
  NodeId node = kNoNode;
  std::int64_t
      begin_ns = 0,
      end_ns = 0;  ///< its own part of the chain; overlap with the step after it is cut off its end
  /// How it hangs on the next step of the walk (its predecessor); nullopt where the chain begins. `launch` means: through its launch
  /// call and the host thread.
  std::optional<EdgeClass> via;
  /// The gap before begin_ns, in order of time: host, idle, launch. They sum to begin_ns minus the next step's end_ns (or the
  /// walk's limit).
  std::int64_t host_ns = 0, idle_ns = 0, launch_ns = 0;
  NodeId launch_call = kNoNode;  ///< the call that the chain goes through, when via the host
  NodeId host_sync = kNoNode;    ///< the wait that the chain goes through
};

/// Walks backwards from an operation, each time to the predecessor that arrived last. Ties: stream, queue, event, host, inferred. Serves the
/// critical path and `backtrace`. The graph must outlive it.
class Walk {
 public:
  /// From `from` down to `until_ns`; the parts of all steps partition [until_ns, end of `from`].
  Walk(const Graph& graph, NodeId from, std::int64_t until_ns);
  /// Down to the beginning of the graph's span.
  Walk(const Graph& graph, NodeId from);
  /// False after the chain's first operation.
  bool next(WalkStep& step);

 private:
  void through_host(WalkStep& step, std::int64_t launch_ns);
  void arrive(WalkStep& step, NodeId node, EdgeClass via, std::int64_t reached_ns);

  const Graph& graph_;
  NodeId node_;
  std::int64_t cursor_ns_;  ///< everything at and after it is already given
  std::int64_t until_ns_;
};

enum class SegmentKind : std::uint8_t { kernel, copy, launch, host, idle };
inline constexpr std::size_t kSegmentKinds = 5;
/// "kernel" …
std::string_view to_string(SegmentKind kind);

/// One piece of the critical path. Pieces of length 0 are not given.
struct PathSegment {
  SegmentKind kind = SegmentKind::kernel;
  std::int64_t start_ns = 0, end_ns = 0;
  NodeId node = kNoNode;  ///< the operation itself, or the one that a gap precedes
};

struct KernelOnPath {
  std::uint32_t kernel = kNone;  ///< index into Trace::kernels()
  std::uint64_t calls = 0;       ///< in the whole trace
  std::int64_t total_ns = 0;     ///< in the whole trace, negative durations as 0
  std::uint64_t path_calls = 0;
  std::int64_t path_ns = 0;
  double share = 0;  ///< path_ns / critical_path_ns
  std::int64_t min_slack_ns = 0;
  /// Share of the span that a twice as fast kernel would save (what_if with speedup 2). Exact when present; nullopt where the budget of
  /// CriticalPathOptions did not reach: it then lies between 0 and path_ns / 2 / span.
  std::optional<double> gain_if_2x;
};

struct CriticalPathOptions {
  /// For gain_if_2x: each kernel takes one re-simulation, by falling path_ns, while all of them together visit no more
  /// operations than this. Kernels off the path need none.
  std::uint64_t simulated_operations = 40'000'000;
};

/// The chain of operations and gaps that ends with the trace's last operation.
struct CriticalPath {
  std::int64_t span_begin_ns = 0, span_ns = 0;
  std::int64_t critical_path_ns = 0;  ///< kernels and copies on the path
  std::array<std::int64_t, kSegmentKinds>
      segments_ns{};                                ///< by SegmentKind; they sum to span_ns exactly
  std::array<std::uint64_t, kEdgeClasses> edges{};  ///< on the path, by EdgeClass
  std::uint64_t operations = 0;                     ///< on the path
  NodeId last = kNoNode;  ///< the operation that ends last; start a Walk here to list the path
  std::optional<std::uint32_t>
      dominant_kernel;            ///< most time on the path, the lowest index on ties
  double dominance_fraction = 0;  ///< its time on the path / critical_path_ns
  std::optional<double>
      ceiling_speedup;  ///< 1 / (1 - dominance_fraction); nullopt when that is infinite
  std::vector<KernelOnPath> kernels;  ///< every kernel with calls, by falling path_ns, then index
  std::vector<bool> on_path;          ///< by operation
};

/// Linear in the operations, times the simulated kernels. Fails with `interrupted` only.
Result<CriticalPath> critical_path(const Graph& graph, const Slack& slack,
                                   const CriticalPathOptions& options = {},
                                   const Monitor& monitor = {});

/// Fills in KernelOnPath::gain_if_2x of a path that was made with no operations to simulate.
Status add_gains(const Graph& graph, const CriticalPathOptions& options, CriticalPath& path);

struct PathAndSlack {
  Slack slack;
  CriticalPath path;
};

/// Both at once: the path is followed on a second thread while the slack is computed.
Result<PathAndSlack> path_and_slack(const Graph& graph, const CriticalPathOptions& options = {},
                                    const Monitor& monitor = {});

/// The path's segments from its end back to its beginning, one at a time. They partition the span exactly.
class SegmentCursor {
 public:
  explicit SegmentCursor(const Graph& graph);
  bool next(PathSegment& segment);

 private:
  void cut(const WalkStep& step);

  const Graph& graph_;
  std::optional<Walk> walk_;
  std::array<PathSegment, 4> held_{};
  std::size_t count_ = 0, given_ = 0;
};

/// The operation that ends last, the later node on ties; kNoNode for an empty graph.
NodeId last_operation(const Graph& graph);

}  // namespace rpl
