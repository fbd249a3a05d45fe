// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/pending_ends.h"

namespace rpl {

/// Writes for each operation of some scopes the operation of its scope that had ended last when it started into
/// GraphArrays::inferred_pred, kNoNode for none. Another thread may read behind it, as far as ready() says.
class SettledEnds {
 public:
  /// `scopes` by index, at most one SettledEnds for each.
  SettledEnds(GraphArrays& graph, std::vector<bool> scopes)
      : graph_(graph), mine_(std::move(scopes)), pending_(mine_.size()) {}

  /// Linear but for nested records. Fails with `interrupted`; then ready() claims everything, so that nobody waits for ever.
  Status run();

  /// Waits until the first `operations` in the order of NodeOrder are written; how many are.
  [[nodiscard]] std::size_t ready(std::size_t operations) const {
    std::size_t done = done_.load(std::memory_order_acquire);
    while (done < operations) {
      done_.wait(done, std::memory_order_acquire);
      done = done_.load(std::memory_order_acquire);
    }
    return done;
  }

 private:
  void add(NodeId v);
  void publish(std::size_t operations);

  GraphArrays& graph_;
  std::vector<bool> mine_;            ///< by scope
  std::vector<PendingEnds> pending_;  ///< by scope
  std::size_t visited_ = 0;
  std::atomic<std::size_t> done_ = 0;
};

}  // namespace rpl
