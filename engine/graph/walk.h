// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "engine/graph/graph.h"

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

}  // namespace rpl
