// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>
#include "engine/base/monitor.h"
#include "engine/graph/graph_arrays.h"

namespace rpl {

/// Fills GraphArrays::launch_call from the correlation ids of dispatches and copies. Fails with `interrupted` only.
Status find_launch_calls(GraphArrays& graph);

/// Correlation (stack) id of an operation; 0 = unknown.
inline std::uint64_t correlation_of(const GraphArrays& graph, NodeId v) {
  if (v >= graph.dispatches()) return graph.copies->correlation(v - graph.dispatches());
  if (graph.api == nullptr || v >= graph.api->dispatch_correlation.size()) return 0;
  return graph.api->dispatch_correlation[v];
}

/// Index into TraceEntities::streams as recorded; kNone = unknown.
inline std::uint32_t stream_of(const GraphArrays& graph, NodeId v) {
  return v < graph.dispatches() ? graph.trace->lane(v).stream
                                : graph.copies->shape(v - graph.dispatches()).stream;
}
inline std::uint32_t process_of(const GraphArrays& graph, NodeId v) {
  return v < graph.dispatches() ? graph.trace->lane(v).process
                                : graph.copies->shape(v - graph.dispatches()).process;
}

/// Operations in the order in which the host enqueued them: by correlation id where all of them have one (the recorder counts calls up as
/// they begin), else by time of the launch call, else by their own start.
class LaunchOrder {
 public:
  LaunchOrder() = default;
  LaunchOrder(const GraphArrays& graph, ColumnVector<NodeId> operations);
  /// Without a look at launch calls; nullopt where some operations have no correlation id.
  static std::optional<LaunchOrder> by_ids(const GraphArrays& graph,
                                           ColumnVector<NodeId> operations);
  /// Of operations that have correlation ids and are in their order.
  static LaunchOrder in_order(const GraphArrays& graph, ColumnVector<NodeId> operations);

  [[nodiscard]] const ColumnVector<NodeId>& operations() const { return operations_; }
  [[nodiscard]] bool by_correlation() const { return by_correlation_; }
  /// How many of the operations were enqueued before the call; soonest where calls come in their order.
  [[nodiscard]] std::size_t before(const SyncOp& call) const;

 private:
  /// False where some operations have no id.
  bool order_by_correlation();
  void order_by_time();
  [[nodiscard]] std::int64_t enqueued_ns(NodeId v) const;
  [[nodiscard]] std::size_t before_id(std::uint64_t correlation) const;

  const GraphArrays* graph_ = nullptr;
  ColumnVector<NodeId> operations_;
  bool by_correlation_ = false;                ///< else some have none
  mutable std::size_t last_ = 0;               ///< what before_id() said last
  mutable std::vector<std::int64_t> time_ns_;  ///< rising; made when first asked for
};

/// The operations of every recorded stream, and of every process, in launch order. Made when first asked for.
class LaunchOrders {
 public:
  explicit LaunchOrders(const GraphArrays& graph) : graph_(graph) {}
  /// Makes all that correlation ids alone tell; launch calls need not be there.
  void prepare();
  const LaunchOrder& of_stream(std::uint32_t stream);
  const LaunchOrder& of_process(std::uint32_t process);

 private:
  [[nodiscard]] std::vector<ColumnVector<NodeId>> lists_of_processes() const;
  void order_processes();
  void order_streams();

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

/// Fills what the host's part of the recording tells: launch calls, edges of events, waits, what they waited for, and which wait each launch came
/// after. On at most two threads. Fails with `interrupted` only.
Status add_host_edges(GraphArrays& graph, unsigned threads);

/// Starting a thread costs as much as ordering a few thousand operations.
inline constexpr NodeId kWorthAThread = 50'000;

struct OrderOptions {
  bool infer = true;  ///< draw inferred edges
  unsigned threads = 2;
};

/// What ordering finds beside the predecessors; whoever calls it puts it into the graph.
struct OrderFound {
  EdgeCounts counts;  ///< edges of these classes, and operations beside others
  NodeId last = kNoNode;
  std::int64_t end_ns = 0;
  std::vector<std::string> notes;
};

/// Fills stream, queue and inferred predecessors, and takes streams that cannot be real out of GraphArrays::keys. With inferred edges
/// launch calls and event edges must be there; without them it neither reads nor writes what the functions above fill.
/// One pass over the operations; scopes run on several threads when there are several.
Result<OrderFound> add_order_edges(GraphArrays& graph, const OrderOptions& options);

/// Counts launches and operations with evidence; after all edges were added.
void count_evidence(GraphArrays& graph);

}  // namespace rpl
