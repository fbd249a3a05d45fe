// SPDX-License-Identifier: MIT
#include "engine/graph/gaps.h"

#include <tuple>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/node_order.h"

namespace rpl {
namespace {

bool before_in_list(const Gap& a, const Gap& b) {
  const auto key = [](const Gap& gap) {
    return std::tuple(gap.start_ns - gap.end_ns, gap.start_ns, gap.agent, gap.after);
  };
  return key(a) < key(b);
}

class GapPass {
 public:
  GapPass(const GraphArrays& graph, const GapOptions& options)
      : graph_(graph), options_(options), scopes_(graph.keys.scopes().size()) {}

  Status run() {
    return NodeOrder::forwards(graph_, [this](NodeId v) { add(v); }, [](std::uint32_t) {});
  }
  Gaps take() {
    std::ranges::sort(gaps_.rows, before_in_list);
    return std::move(gaps_);
  }

 private:
  struct Busy {
    NodeId last = kNoNode;
    std::int64_t until_ns = 0;
  };

  void add(NodeId v) {
    const std::uint32_t scope = graph_.key(v).scope;
    const std::uint32_t agent = graph_.keys.scopes()[scope].agent;
    if (options_.agent != kNone && agent != options_.agent) return;
    Busy& busy = scopes_[scope];
    const std::int64_t start_ns = graph_.start(v);
    const std::int64_t end_ns = graph_.end(v);
    if (busy.last == kNoNode) busy = {v, start_ns};
    if (start_ns - busy.until_ns >= std::max<std::int64_t>(1, options_.min_ns)) {
      Gap gap{busy.until_ns, start_ns, agent, busy.last, v};
      explain(gap);
      keep(gap);
    }
    if (end_ns < busy.until_ns) return;
    gaps_.busy_ns += end_ns - std::max(start_ns, busy.until_ns);
    busy = {v, end_ns};
  }

  void explain(Gap& gap) {
    const std::int64_t length_ns = gap.end_ns - gap.start_ns;
    if (graph_.launched(gap.after)) {
      const std::int64_t called_ns = std::max(graph_.launch_ns(gap.after), gap.start_ns);
      gap.host_ns = called_ns - gap.start_ns;
      gap.launch_ns = length_ns - gap.host_ns;
      gap.cause = gap.host_ns > gap.launch_ns ? GapCause::host : GapCause::launch;
    }
    part(GapCause::host) += gap.host_ns;
    part(GapCause::launch) += gap.launch_ns;
    part(GapCause::idle) += length_ns - gap.host_ns - gap.launch_ns;
    gaps_.total_ns += length_ns;
    ++gaps_.count;
  }
  std::int64_t& part(GapCause cause) { return gaps_.by_cause_ns[static_cast<std::size_t>(cause)]; }

  /// With a limit the rows are a heap with the one to give up first on top.
  void keep(const Gap& gap) {
    auto& rows = gaps_.rows;
    rows.push_back(gap);
    if (options_.limit == 0) return;
    std::ranges::push_heap(rows, before_in_list);
    if (rows.size() <= options_.limit) return;
    std::ranges::pop_heap(rows, before_in_list);
    rows.pop_back();
  }

  const GraphArrays& graph_;
  const GapOptions& options_;
  std::vector<Busy> scopes_;
  Gaps gaps_;
};

}  // namespace

Result<Gaps> find_gaps(const Graph& graph, const GapOptions& options, const Monitor& monitor) {
  monitor.report("looking for gaps", 0, graph.operations());
  GapPass pass(graph.arrays(), options);
  TRY(pass.run());
  return pass.take();
}

}  // namespace rpl
