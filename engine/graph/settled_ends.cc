// SPDX-License-Identifier: MIT
#include "engine/graph/settled_ends.h"

#include <limits>

#include "engine/graph/node_order.h"

namespace rpl {
namespace {
/// Far enough behind each other that the threads do not fight for cache lines, near enough that the reader finds them cached.
constexpr std::size_t kOperationsAtOnce = 8192;
}  // namespace

Status SettledEnds::run() {
  Status status = NodeOrder::forwards(graph_, [this](NodeId v) { add(v); }, [](std::uint32_t) {});
  publish(std::numeric_limits<std::size_t>::max());
  return status;
}

void SettledEnds::add(NodeId v) {
  if (visited_ % kOperationsAtOnce == 0) publish(visited_);
  ++visited_;
  const std::uint32_t scope = graph_.key(v).scope;
  if (!mine_[scope]) return;
  graph_.inferred_pred[v] = pending_[scope].settle(graph_.start(v)).node;
  pending_[scope].add({graph_.end(v), v});
}

void SettledEnds::publish(std::size_t operations) {
  done_.store(operations, std::memory_order_release);
  done_.notify_one();
}

}  // namespace rpl
