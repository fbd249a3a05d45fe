// SPDX-License-Identifier: MIT
#include "engine/graph/slack.h"

#include <limits>

#include "engine/graph/node_order.h"

namespace rpl {
namespace {

/// Of a wait that nothing recorded depends on.
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

class SlackPass {
 public:
  explicit SlackPass(const GraphArrays& graph) : graph_(graph) {
    slack_.assign(graph.operations(), kUnbounded);
    wait_slack_.assign(graph.waits.size(), kUnbounded);
  }

  Status run() {
    return NodeOrder::backwards(
        graph_, [this](NodeId v) { operation(v); }, [this](std::uint32_t w) { wait(w); });
  }
  ColumnVector<std::int64_t> take() { return std::move(slack_); }
  [[nodiscard]] std::int64_t largest() const { return largest_; }

 private:
  void operation(NodeId v) {
    const std::int64_t own = std::min(slack_[v], graph_.end_ns - graph_.end(v));
    slack_[v] = own;
    largest_ = std::max(largest_, own);
    std::int64_t arrival_ns = std::numeric_limits<std::int64_t>::min();
    graph_.each_pred(
        v, [&](NodeId p, EdgeClass) { arrival_ns = std::max(arrival_ns, graph_.end(p)); });
    if (graph_.launched(v)) {
      const std::int64_t launch_ns = graph_.launch_ns(v);
      arrival_ns = std::max(arrival_ns, launch_ns);
      if (const std::uint32_t w = graph_.launch_wait[v]; w != kNone) {
        lower(wait_slack_[w], arrival_ns - launch_ns + own);
      }
    }
    graph_.each_pred(
        v, [&](NodeId p, EdgeClass) { lower(slack_[p], arrival_ns - graph_.end(p) + own); });
  }

  void wait(std::uint32_t w) {
    const std::int64_t own = wait_slack_[w];
    if (own == kUnbounded) return;
    const HostWait& wait = graph_.waits[w];
    std::int64_t arrival_ns = wait.start_ns;
    for (const NodeId p : graph_.waited_by(wait)) {
      arrival_ns = std::max(arrival_ns, graph_.end(p));
    }
    for (const NodeId p : graph_.waited_by(wait)) {
      lower(slack_[p], arrival_ns - graph_.end(p) + own);
    }
    if (wait.previous != kNone) {
      lower(wait_slack_[wait.previous], arrival_ns - wait.start_ns + own);
    }
  }

  static void lower(std::int64_t& value, std::int64_t to) { value = std::min(value, to); }

  const GraphArrays& graph_;
  ColumnVector<std::int64_t> slack_;
  std::vector<std::int64_t> wait_slack_;
  std::int64_t largest_ = 0;
};

}  // namespace

Result<Slack> Slack::compute(const Graph& graph, const Monitor& monitor) {
  monitor.report("computing slack", 0, graph.operations());
  SlackPass pass(graph.arrays());
  TRY(pass.run());
  Slack slack;
  slack.wide_ = pass.take();
  if (pass.largest() > std::int64_t{std::numeric_limits<std::uint32_t>::max()}) return slack;
  slack.narrow_.resize(slack.wide_.size());
  std::ranges::transform(slack.wide_, slack.narrow_.begin(),
                         [](std::int64_t value) { return static_cast<std::uint32_t>(value); });
  slack.wide_ = {};
  return slack;
}

}  // namespace rpl
