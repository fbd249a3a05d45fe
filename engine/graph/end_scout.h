// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "engine/graph/graph_arrays.h"

namespace rpl {

/// Runs ahead of the ordering pass on a thread of its own and finds, for each operation, the one of its scope that had ended last when it
/// started. Keeps what it finds in GraphArrays::inferred_pred, which must have room.
class EndScout {
 public:
  explicit EndScout(GraphArrays& graph);

  /// kNoNode when none had ended, or when interrupted. To be asked once for every operation, in node order; waits when the scout has not come so far.
  NodeId ended_before(NodeId v) {
    if (asked_++ >= available_) wait();
    return graph_.inferred_pred[v];
  }

 private:
  void run();
  void wait();

  GraphArrays& graph_;
  std::uint64_t asked_ = 0, available_ = 0;
  std::atomic<std::uint64_t> done_ = 0;  ///< operations
  std::jthread thread_;                  // last, so that it ends before what it uses
};

}  // namespace rpl
