// SPDX-License-Identifier: MIT
#include "engine/plot/dot.h"

#include <fmt/format.h>

#include <unordered_set>

#include "engine/base/encode.h"
#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/plot/timeline.h"

namespace rpl {
namespace {

std::string node_name(const Graph& graph, NodeId id) {
  const GraphNode node = graph.node(id);
  switch (node.kind) {
    case NodeKind::dispatch:
      return fmt::format("d{}", node.row + 1);
    case NodeKind::copy:
      return fmt::format("copy{}", node.row + 1);
    case NodeKind::host_sync:
      return fmt::format("wait{}", node.row + 1);
    case NodeKind::launch_call:
      return fmt::format("call{}", node.row + 1);
  }
  return fmt::format("n{}", id);
}

DotText node_id(const Graph& graph, NodeId id) { return dot_name(node_name(graph, id)); }

class Drawing {
 public:
  Drawing(const Graph& graph, const DotOptions& options, const SinkOf<DotText>& write)
      : graph_(graph), options_(options), write_(write) {}

  Result<DotSummary> run() {
    TRY(write_(
        OwnText("digraph rpl {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", "
                "fontsize=10, style=filled, fillcolor=white];\n  edge [fontname=\"sans-serif\", "
                "fontsize=8];\n")));
    TRY(choose());
    TRY(each_drawn([this](NodeId node) { return operation(node); }));
    TRY(each_drawn([this](NodeId node) { return edges_into(node); }));
    TRY(legend());
    TRY(write_(OwnText("}\n")));
    return summary_;
  }

 private:
  Status choose() {
    const auto [first, last] = graph_.span_ns();
    OperationsInWindow operations(graph_, options_.from_ns.value_or(first),
                                  options_.to_ns.value_or(last == INT64_MAX ? last : last + 1));
    std::uint64_t count = 0;
    for (NodeId node = operations.next(); node != kNoNode; node = operations.next()) {
      if (++count % 65536 == 0) TRY(interrupt::check());
      if (drawn_.size() < options_.limit) {
        drawn_.push_back(node);
        known_.insert(node);
      } else {
        ++summary_.left_out;
      }
    }
    summary_.operations = drawn_.size();
    return {};
  }

  template <class Draw>
  Status each_drawn(Draw draw) const {
    constexpr std::size_t kBetweenChecks = 1024;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      if (i % kBetweenChecks == 0) TRY(interrupt::check());
      TRY(draw(drawn_[i]));
    }
    return {};
  }

  [[nodiscard]] bool on_path(NodeId node) const {
    return options_.path && node < graph_.operations() && options_.path->on_path[node];
  }

  Status operation(NodeId node) {
    std::string name(operation_name(graph_, node));
    if (options_.shorten) name = options_.shorten(name);
    const std::uint32_t kernel = graph_.kernel_of(node);
    const std::string label = fmt::format("{} {}", node_name(graph_, node), name);
    const std::string_view color =
        kernel == kNone ? kCopyColor : kernel_color(graph_.trace().kernels()[kernel].mangled);
    return write_(
        encoded<DotText>("  {} [label={}, color={}{}];\n", node_id(graph_, node),
                         dot_string(label, format_ns(graph_.end_ns(node) - graph_.start_ns(node))),
                         color, when(on_path(node), ", penwidth=3")));
  }

  Status edges_into(NodeId node) {
    for (const GraphEdge& edge : graph_.edges_into(node)) {
      if (!known_.contains(edge.from)) {
        const bool host_node = edge.from >= graph_.operations();
        if (!host_node || !options_.host) {
          ++summary_.from_outside;
          continue;
        }
        TRY(host_node_text(edge.from));
      }
      ++summary_.edges;
      const bool bold = on_path(edge.from) && on_path(edge.to);
      TRY(write_(encoded<DotText>(
          "  {} -> {} [color={}, label={}{}{}];\n", node_id(graph_, edge.from),
          node_id(graph_, edge.to), edge_color(edge.edge_class),
          fmt::format("{} {}", to_string(edge.edge_class), format_ns(edge.wait_ns)),
          when(edge.edge_class == EdgeClass::inferred, ", style=dashed"),
          when(bold, ", penwidth=2"))));
    }
    return {};
  }

  Status host_node_text(NodeId id) {
    known_.insert(id);
    const GraphNode node = graph_.node(id);
    std::string name(to_string(node.kind));
    if (node.kind == NodeKind::launch_call && graph_.api()) {
      name = graph_.api()->names[graph_.api()->rows[node.row].name];
    }
    return write_(encoded<DotText>("  {} [shape=ellipse, label={}];\n", node_id(graph_, id), name));
  }

  Status legend() {
    TRY(write_(
        OwnText("  subgraph cluster_legend {\n    label=\"evidence\"; fontname=\"sans-serif\"; "
                "fontsize=9;\n")));
    for (std::size_t i = 0; i < kEdgeClasses; ++i) {
      const auto edge_class = static_cast<EdgeClass>(i);
      TRY(write_(encoded<DotText>("    evidence_{} [label={}, shape=plaintext, fontcolor={}];\n",
                                  dot_name(to_string(edge_class)), to_string(edge_class),
                                  edge_color(edge_class))));
    }
    return write_(OwnText("  }\n"));
  }

  const Graph& graph_;
  const DotOptions& options_;
  const SinkOf<DotText>& write_;
  DotSummary summary_;
  std::vector<NodeId> drawn_;
  std::unordered_set<NodeId> known_;
};

}  // namespace

Result<DotSummary> write_dot(const Graph& graph, const DotOptions& options,
                             const SinkOf<DotText>& write) {
  return Drawing(graph, options, write).run();
}

}  // namespace rpl
