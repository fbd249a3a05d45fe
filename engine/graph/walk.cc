// SPDX-License-Identifier: MIT
#include "engine/graph/critical_path.h"

#include <limits>

#include "engine/graph/graph_arrays.h"

namespace rpl {
namespace {

struct Arrival {
  NodeId node = kNoNode;
  EdgeClass via = EdgeClass::inferred;
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
};

Arrival last_arrival(const GraphArrays& graph, NodeId v) {
  Arrival best;
  graph.each_pred(v, [&](NodeId p, EdgeClass edge_class) {
    const std::int64_t end_ns = graph.end(p);
    if (end_ns > best.end_ns) best = {p, edge_class, end_ns};
  });
  return best;
}

/// Of the operations a wait waited for, the one that ended last.
Arrival last_waited(const GraphArrays& graph, const HostWait& wait) {
  Arrival best;
  for (const NodeId p : graph.waited_by(wait)) {
    const std::int64_t end_ns = graph.end(p);
    if (end_ns > best.end_ns) best = {p, EdgeClass::launch, end_ns};
  }
  return best;
}

}  // namespace

Walk::Walk(const Graph& graph, NodeId from, std::int64_t until_ns)
    : graph_(graph),
      node_(from),
      cursor_ns_(from == kNoNode ? until_ns : std::max(until_ns, graph.end_ns(from))),
      until_ns_(until_ns) {}

Walk::Walk(const Graph& graph, NodeId from) : Walk(graph, from, graph.span_ns().first) {}

bool Walk::next(WalkStep& step) {
  if (node_ == kNoNode) return false;
  const GraphArrays& graph = graph_.arrays();
  step = {};
  step.node = node_;
  step.end_ns = cursor_ns_;
  step.begin_ns = std::clamp(graph.start(node_), until_ns_, cursor_ns_);
  const Arrival device = last_arrival(graph, node_);
  const bool launched = graph.launched(node_);
  const std::int64_t launch_ns = launched ? graph.launch_ns(node_) : 0;
  if (launched && (device.node == kNoNode || launch_ns > device.end_ns)) {
    through_host(step, std::clamp(launch_ns, until_ns_, step.begin_ns));
  } else {
    const std::int64_t reached =
        device.node == kNoNode ? until_ns_ : std::clamp(device.end_ns, until_ns_, step.begin_ns);
    const bool dispatching = launched && device.via != EdgeClass::inferred;
    (dispatching ? step.launch_ns : step.idle_ns) = step.begin_ns - reached;
    arrive(step, device.node, device.via, reached);
  }
  return true;
}

void Walk::through_host(WalkStep& step, std::int64_t launch_ns) {
  const GraphArrays& graph = graph_.arrays();
  step.launch_ns = step.begin_ns - launch_ns;
  step.launch_call = graph.call_node(graph.launch_call[node_]);
  const std::uint32_t wait = graph.launch_wait[node_];
  const std::uint32_t binding = wait == kNone ? kNone : graph.waits[wait].binding;
  if (binding == kNone) {
    step.host_ns = launch_ns - until_ns_;
    arrive(step, kNoNode, EdgeClass::launch, until_ns_);
    return;
  }
  const Arrival waited = last_waited(graph, graph.waits[binding]);
  const std::int64_t reached = std::clamp(waited.end_ns, until_ns_, launch_ns);
  step.host_sync = graph.wait_node(binding);
  step.host_ns = launch_ns - reached;
  arrive(step, waited.node, EdgeClass::launch, reached);
}

void Walk::arrive(WalkStep& step, NodeId node, EdgeClass via, std::int64_t reached_ns) {
  cursor_ns_ = reached_ns;
  node_ = kNoNode;
  if (node == kNoNode || graph_.end_ns(node) < until_ns_) return;
  if (reached_ns == until_ns_ && graph_.start_ns(node) < until_ns_) return;
  step.via = via;
  node_ = node;
}

}  // namespace rpl
