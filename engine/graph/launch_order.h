// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/graph/graph_arrays.h"

namespace rpl {

/// Fills GraphArrays::launch_call from the correlation ids of dispatches and copies. Fails with `interrupted` only.
Status find_launch_calls(GraphArrays& graph);

/// Correlation (stack) id of an operation; 0 = unknown.
std::uint64_t correlation_of(const GraphArrays& graph, NodeId v);

/// Index into TraceEntities::streams as recorded; kNone = unknown.
std::uint32_t stream_of(const GraphArrays& graph, NodeId v);
std::uint32_t process_of(const GraphArrays& graph, NodeId v);

/// Operations in the order in which the host enqueued them: by correlation id where all of them have one (the recorder counts calls up as
/// they begin), else by time of the launch call, else by their own start.
class LaunchOrder {
 public:
  LaunchOrder() = default;
  LaunchOrder(const GraphArrays& graph, std::vector<NodeId> operations);

  [[nodiscard]] const std::vector<NodeId>& operations() const { return operations_; }
  /// How many of the operations were enqueued before the call.
  [[nodiscard]] std::size_t before(const SyncOp& call) const;

 private:
  std::vector<NodeId> operations_;
  std::vector<std::int64_t> time_ns_;       ///< rising
  std::vector<std::uint64_t> correlation_;  ///< empty when some have none
};

/// The operations of every recorded stream, and of every process, in launch order. Made when first asked for.
class LaunchOrders {
 public:
  explicit LaunchOrders(const GraphArrays& graph) : graph_(graph) {}
  const LaunchOrder& of_stream(std::uint32_t stream);
  const LaunchOrder& of_process(std::uint32_t process);

 private:
  const GraphArrays& graph_;
  std::vector<LaunchOrder> streams_, processes_;
};

}  // namespace rpl
