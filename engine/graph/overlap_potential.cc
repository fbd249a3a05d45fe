// SPDX-License-Identifier: MIT
#include <unordered_map>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/node_order.h"
#include "engine/graph/overlap_passes.h"
#include "engine/graph/pending_ends.h"

namespace rpl {
namespace {

class PotentialPass {
 public:
  PotentialPass(const GraphArrays& graph, const std::vector<bool>& on_path)
      : graph_(graph), on_path_(on_path), scopes_(graph.keys.scopes().size()) {}

  Status run() {
    return NodeOrder::forwards(graph_, [this](NodeId v) { add(v); }, [](std::uint32_t) {});
  }

  std::vector<OverlapPair> take() {
    std::vector<OverlapPair> rows;
    rows.reserve(pairs_.size());
    for (const auto& [key, pair] : pairs_) rows.push_back(pair);
    std::ranges::sort(rows, {}, [](const OverlapPair& pair) {
      return std::tuple(-pair.could_save_ns, pair.first, pair.second);
    });
    return rows;
  }

 private:
  void add(NodeId v) {
    PendingEnds& scope = scopes_[graph_.key(v).scope];
    const EndedAt earlier = scope.settle(graph_.start(v));
    scope.add({graph_.end(v), v});
    if (earlier.node >= graph_.dispatches() || v >= graph_.dispatches()) return;
    // An evidenced path to v would end in a predecessor that ended no earlier than `earlier`.
    const std::int64_t ready_ns = ready(v);
    if (earlier.end_ns <= ready_ns) return;
    const std::int64_t beside_ns = earlier.end_ns - std::max(graph_.start(earlier.node), ready_ns);
    count(earlier.node, v, std::min(beside_ns, graph_.duration(v)));
  }

  /// When everything that v is known to have waited for had come.
  std::int64_t ready(NodeId v) const {
    std::int64_t ready_ns = graph_.begin_ns;
    graph_.each_pred(v, [&](NodeId p, EdgeClass edge_class) {
      if (edge_class != EdgeClass::inferred) ready_ns = std::max(ready_ns, graph_.end(p));
    });
    if (graph_.launched(v)) ready_ns = std::max(ready_ns, graph_.launch_ns(v));
    return ready_ns;
  }

  void count(NodeId a, NodeId b, std::int64_t save_ns) {
    if (save_ns <= 0) return;
    const std::uint32_t ka = graph_.trace->kernel_of(a);
    const std::uint32_t kb = graph_.trace->kernel_of(b);
    const std::uint32_t first = std::min(ka, kb);
    const std::uint32_t second = std::max(ka, kb);
    OverlapPair& pair = pairs_[std::uint64_t{first} << 32 | second];
    pair.first = first;
    pair.second = second;
    ++pair.pairs;
    pair.could_save_ns += save_ns;
    if (b < on_path_.size() && on_path_[b]) pair.on_path_ns += save_ns;
  }

  const GraphArrays& graph_;
  const std::vector<bool>& on_path_;
  std::vector<PendingEnds> scopes_;
  std::unordered_map<std::uint64_t, OverlapPair> pairs_;
};

}  // namespace

Result<std::vector<OverlapPair>> overlap_potential(const GraphArrays& graph,
                                                   const std::vector<bool>& on_path) {
  PotentialPass pass(graph, on_path);
  TRY(pass.run());
  return pass.take();
}

}  // namespace rpl
