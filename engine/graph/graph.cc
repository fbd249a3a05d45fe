// SPDX-License-Identifier: MIT
#include "engine/graph/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <thread>

#include "engine/graph/build_edges.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/launch_lags.h"

namespace rpl {
namespace {

/// Times within 2^61 ns (73 years) of each other and of 0 leave room for every sum of the passes.
constexpr std::int64_t kFarthest_ns = std::int64_t{1} << 61;

bool within(std::int64_t value) { return value > -kFarthest_ns && value < kFarthest_ns; }

Status check_times(const GraphArrays& graph) {
  bool fine = true;
  if (!graph.dispatch_start.empty()) {
    fine = within(graph.dispatch_start.front()) && within(graph.dispatch_start.back());
  }
  double sum = 0;
  for (const auto& [row, duration_ns] : graph.trace->columns().duration_ns.escaped()) {
    sum += std::abs(static_cast<double>(duration_ns));
  }
  for (std::size_t i = 0; i < graph.copies->size(); ++i)
    fine = fine && within(graph.copies->start_ns(i)) && within(graph.copies->end_ns(i));
  if (fine && sum < static_cast<double>(kFarthest_ns)) return {};
  return fail(Errc::corrupt, "the recording has times more than 73 years from the rest",
              "look at the first and last rows with 'info dispatches'");
}

Status open_tables(GraphArrays& graph, const GraphOptions& options) {
  const Trace& trace = *graph.trace;
  const Facts facts = TRY(trace.ask(graph_facts(trace.presence(), options)));
  graph.copy_table = facts.copies;
  if (facts.copies != nullptr) graph.copies = &facts.copies->rows;
  graph.api = facts.calls;
  graph.syncs = facts.orders;
  constexpr std::size_t kMost = std::size_t{1} << 31;
  const std::size_t operations = trace.size() + graph.copies->size();
  const std::size_t host = (graph.syncs != nullptr ? graph.syncs->rows.size() : 0) +
                           (graph.api != nullptr ? graph.api->rows.size() : 0);
  if (operations < kMost && host < kMost - 1) return {};
  return fail(
      Errc::limit,
      fmt::format("{} operations and {} host calls are more than a graph holds", operations, host),
      "cut the trace with 'trace window'");
}

std::int64_t first_start(const GraphArrays& graph) {
  if (graph.operations() == 0) return 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  if (!graph.dispatch_start.empty()) first = graph.dispatch_start.front();
  if (!graph.copies->empty()) first = std::min(first, graph.copies->start_ns(0));
  return first;
}

Status add_edges(GraphArrays& graph, const GraphOptions& options, const Monitor& monitor) {
  OrderOptions order;
  // Where the recording would show the events between streams, what it does not show was no dependency.
  order.infer = !records_events(graph);
  order.threads = options.threads;
  const bool host = graph.api != nullptr || graph.syncs != nullptr;
  const bool beside =
      host && !order.infer && options.threads > 1 && graph.operations() > kWorthAThread;
  if (host) monitor.report("reading launches and waits", 0, graph.operations());
  Status host_added;
  std::jthread other;
  if (beside) {
    other = std::jthread([&] { host_added = add_host_edges(graph, options.threads); });
  } else {
    if (host) TRY(add_host_edges(graph, options.threads));
    monitor.report("ordering operations", 0, graph.operations());
  }
  Result<OrderFound> ordered = add_order_edges(graph, order);
  if (other.joinable()) other.join();
  TRY(std::move(host_added));
  OrderFound found = TRY(std::move(ordered));
  for (std::size_t i = 0; i < kEdgeClasses; ++i)
    graph.counts.by_class[i] += found.counts.by_class[i];
  graph.counts.concurrent = found.counts.concurrent;
  graph.last = found.last;
  graph.end_ns = found.end_ns;
  std::ranges::move(found.notes, std::back_inserter(graph.notes));
  count_evidence(graph);
  return {};
}

}  // namespace

FactSet graph_facts(const Presence& presence, const GraphOptions& options) {
  FactSet wanted;
  const bool calls = options.host && presence.api;
  const bool orders = options.host && (presence.api || presence.events);
  if (calls) wanted.add(Fact::calls);
  if (orders) wanted.add(Fact::orders);
  // Which call issued a copy says something only beside the calls.
  if (options.copies && presence.copies) wanted.add(orders ? Fact::copy_calls : Fact::copy_places);
  return wanted;
}

std::uint64_t EdgeCounts::total() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : by_class) sum += count;
  return sum;
}

Result<std::shared_ptr<const Graph>> Graph::build(std::shared_ptr<const Trace> trace,
                                                  const GraphOptions& options,
                                                  const Monitor& monitor) {
  auto graph = std::make_unique<GraphArrays>();
  graph->trace = std::move(trace);
  graph->dispatch_start = graph->trace->columns().start_ns;
  graph->dispatch_duration = graph->trace->columns().duration_ns.raw();
  TRY(open_tables(*graph, options));
  TRY(check_times(*graph));
  graph->keys = LaneKeys(*graph->trace, *graph->copies);
  graph->counts.operations = graph->operations();
  graph->begin_ns = first_start(*graph);
  TRY(add_edges(*graph, options, monitor));
  return std::make_shared<const Graph>(std::move(graph));
}

Graph::Graph(std::unique_ptr<const GraphArrays> arrays)
    : arrays_(std::move(arrays)), kept_(std::make_unique<Kept>()) {}
Graph::~Graph() = default;

const Trace& Graph::trace() const { return *arrays_->trace; }
const CopyTable* Graph::copies() const { return arrays_->copy_table; }
const ApiTable* Graph::api() const { return arrays_->api; }
std::uint32_t Graph::operations() const { return arrays_->operations(); }
std::uint32_t Graph::dispatches() const { return arrays_->dispatches(); }
std::int64_t Graph::start_ns(NodeId operation) const { return arrays_->start(operation); }
std::int64_t Graph::end_ns(NodeId operation) const { return arrays_->end(operation); }

std::uint32_t Graph::kernel_of(NodeId operation) const {
  return operation < dispatches() ? trace().kernel_of(operation) : kNone;
}

std::pair<std::int64_t, std::int64_t> Graph::span_ns() const {
  return {arrays_->begin_ns, arrays_->end_ns};
}

const EdgeCounts& Graph::edge_counts() const { return arrays_->counts; }
const std::vector<std::string>& Graph::notes() const { return arrays_->notes; }

GraphNode Graph::node(NodeId id) const {
  const GraphArrays& graph = *arrays_;
  if (id < graph.operations()) {
    const bool copy = id >= graph.dispatches();
    return {id, copy ? NodeKind::copy : NodeKind::dispatch, copy ? id - graph.dispatches() : id,
            graph.start(id), graph.end(id)};
  }
  const std::uint32_t host = id - graph.operations();
  if (host < graph.waits.size()) {
    const HostWait& wait = graph.waits[host];
    return {id, NodeKind::host_sync, wait.row, wait.start_ns, wait.end_ns};
  }
  const std::uint32_t row = host - static_cast<std::uint32_t>(graph.waits.size());
  const ApiCall call = graph.api->rows[row];
  return {id, NodeKind::launch_call, row, call.start_ns, std::max(call.start_ns, call.end_ns)};
}

std::vector<GraphEdge> Graph::edges_into(NodeId node) const {
  const GraphArrays& graph = *arrays_;
  std::vector<GraphEdge> edges;
  if (node < graph.operations()) {
    graph.each_pred(node, [&](NodeId p, EdgeClass edge_class) {
      edges.push_back({p, node, edge_class, graph.start(node) - graph.end(p)});
    });
    if (!graph.launched(node)) return edges;
    const std::uint32_t call = graph.launch_call[node];
    edges.push_back({graph.call_node(call), node, EdgeClass::launch,
                     graph.start(node) - graph.api->rows.start_ns(call)});
    if (!graph.launch_wait.empty() && graph.launch_wait[node] != kNone) {
      const std::uint32_t wait = graph.launch_wait[node];
      edges.push_back({graph.wait_node(wait), node, EdgeClass::host_sync,
                       graph.start(node) - graph.waits[wait].end_ns});
    }
    return edges;
  }
  const std::uint32_t host = node - graph.operations();
  if (host >= graph.waits.size()) return edges;
  const HostWait& wait = graph.waits[host];
  for (const NodeId p : graph.waited_by(wait)) {
    edges.push_back({p, node, EdgeClass::host_sync, wait.end_ns - graph.end(p)});
  }
  if (wait.previous != kNone) {
    edges.push_back({graph.wait_node(wait.previous), node, EdgeClass::host_sync,
                     wait.start_ns - graph.waits[wait.previous].end_ns});
  }
  return edges;
}

std::size_t Graph::bytes() const {
  const GraphArrays& graph = *arrays_;
  const std::size_t words = graph.stream_pred.capacity() + graph.queue_pred.capacity() +
                            graph.inferred_pred.capacity() + graph.launch_call.capacity() +
                            graph.launch_wait.capacity() + graph.waited.capacity() +
                            graph.waits_by_end.capacity();
  return words * sizeof(std::uint32_t) + graph.events.capacity() * sizeof(EventEdge) +
         graph.has_event.bytes() + graph.first_event.capacity() * sizeof(std::uint32_t) +
         graph.waits.capacity() * sizeof(HostWait) + graph.keys.bytes();
}

NodeCursor::NodeCursor(const Graph& graph) : graph_(graph) {
  const GraphArrays& arrays = graph.arrays();
  if (arrays.launch_call.empty()) return;
  launching_.assign(arrays.api->rows.size(), false);
  for (const std::uint32_t call : arrays.launch_call) {
    if (call != kNone) launching_[call] = true;
  }
}

bool NodeCursor::next(GraphNode& node) {
  const GraphArrays& arrays = graph_.arrays();
  const NodeId first_call = arrays.call_node(0);
  while (next_ >= first_call && next_ - first_call < launching_.size() &&
         !launching_[next_ - first_call]) {
    ++next_;
  }
  if (next_ >= first_call && next_ - first_call >= launching_.size()) return false;
  node = graph_.node(next_++);
  return true;
}

EdgeCursor::EdgeCursor(const Graph& graph) : graph_(graph) {}

bool EdgeCursor::next(GraphEdge& edge) {
  const GraphArrays& arrays = graph_.arrays();
  while (given_ == held_.size()) {
    if (next_ == arrays.call_node(0)) return false;
    held_ = graph_.edges_into(next_++);
    given_ = 0;
  }
  edge = held_[given_++];
  return true;
}

}  // namespace rpl
