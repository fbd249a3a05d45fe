// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>
#include "engine/base/monitor.h"
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
  [[nodiscard]] std::int64_t enqueued_ns(NodeId v) const;

  const GraphArrays* graph_ = nullptr;
  std::vector<NodeId> operations_;
  mutable std::vector<std::int64_t> time_ns_;  ///< rising; made when first asked for
  std::vector<std::uint64_t> correlation_;     ///< empty when some have none
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

/// What a host thread that synchronised with an event waited for.
struct EventWait {
  std::uint32_t sync_row = 0;
  std::vector<NodeId> sources;
};

/// Fills GraphArrays::events and has_event from the recording's event records and waits; gives back what each
/// event_synchronize waited for. Fails with `interrupted` only.
Result<std::vector<EventWait>> add_event_edges(GraphArrays& graph, LaunchOrders& orders);

/// Whether the recording could show events at all, so that their absence means something.
bool records_events(const GraphArrays& graph);

/// Fills the host's part of the graph: waits, what they waited for, and which wait each launch came after. `synchronised` is what
/// add_event_edges gave back. Launch calls must be there. Fails with `interrupted` only.
Status add_host_waits(GraphArrays& graph, LaunchOrders& orders,
                      std::span<const EventWait> synchronised);

struct OrderOptions {
  bool infer = true;  ///< draw inferred edges
  unsigned threads = 2;
};

/// Fills stream, queue and inferred predecessors, the counts of these classes, the last end. Launch calls and event edges must be there.
/// One pass over the operations; scopes run on several threads when there are several.
Status add_order_edges(GraphArrays& graph, const OrderOptions& options, const Monitor& monitor);

}  // namespace rpl
