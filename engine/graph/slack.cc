// SPDX-License-Identifier: MIT
#include "engine/graph/slack.h"

#include <array>
#include <limits>

#include "engine/graph/node_order.h"

namespace rpl {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
/// Of what nothing recorded depends on.
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

/// Goes backwards over the graph. Values that `Word` cannot hold stay at its maximum, which the final slack of an operation may
/// not be: exceeds() then.
template <class Word>
class SlackPass {
 public:
  explicit SlackPass(const GraphArrays& graph)
      : graph_(graph),
        launches_(!graph.launch_call.empty()),
        slack_(graph.operations(), static_cast<Word>(kMost)),
        wait_slack_(graph.waits.size(), kUnbounded) {
    for (const auto* column : {&graph.stream_pred, &graph.queue_pred, &graph.inferred_pred}) {
      if (!column->empty()) order_preds_[columns_++] = column->data();
    }
  }

  Status run() {
    return NodeOrder::backwards(
        graph_, [this](NodeId v) { operation(v); }, [this](std::uint32_t w) { wait(w); });
  }
  ColumnVector<Word> take() { return std::move(slack_); }
  [[nodiscard]] bool exceeds() const { return largest_ >= kMost; }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<Word>::max();

  [[gnu::always_inline]] void operation(NodeId v) {
    if (exceeds()) return;
    const std::int64_t left_ns = graph_.end_ns - graph_.end(v);
    const std::int64_t own =
        slack_[v] == kMost ? left_ns : std::min<std::int64_t>(slack_[v], left_ns);
    slack_[v] = static_cast<Word>(own);
    largest_ = std::max(largest_, own);
    // Which predecessors there are is as good as random, so nothing branches on it: v stands for one that is not there, and
    // lowering v to its own slack changes nothing.
    std::array<NodeId, 3> preds;
    std::array<std::int64_t, 3> ends;
    std::int64_t arrival_ns = kNever;
    for (std::size_t i = 0; i < columns_; ++i) {
      const NodeId p = order_preds_[i][v];
      preds[i] = p == kNoNode ? v : p;
      ends[i] = graph_.end(preds[i]);
      arrival_ns = std::max(arrival_ns, p == kNoNode ? kNever : ends[i]);
    }
    const auto events = graph_.events_into(v);
    for (const EventEdge& edge : events) arrival_ns = std::max(arrival_ns, graph_.end(edge.from));
    if (launches_ && graph_.launched(v))
      arrival_ns = std::max(arrival_ns, launch(v, arrival_ns, own));
    for (std::size_t i = 0; i < columns_; ++i) {
      lower(preds[i], preds[i] == v ? own : arrival_ns - ends[i] + own);
    }
    for (const EventEdge& edge : events) {
      lower(edge.from, arrival_ns - graph_.end(edge.from) + own);
    }
  }

  /// When the launch of v arrived; what it leaves goes to the wait before it.
  std::int64_t launch(NodeId v, std::int64_t arrival_ns, std::int64_t own) {
    const std::int64_t launch_ns = graph_.launch_ns(v);
    const std::uint32_t w = graph_.launch_wait.empty() ? kNone : graph_.launch_wait[v];
    if (w != kNone) lower_wait(w, std::max(arrival_ns, launch_ns) - launch_ns + own);
    return launch_ns;
  }

  void wait(std::uint32_t w) {
    const std::int64_t own = wait_slack_[w];
    if (own == kUnbounded) return;
    const HostWait& wait = graph_.waits[w];
    std::int64_t arrival_ns = wait.start_ns;
    for (const NodeId p : graph_.waited_by(wait)) {
      arrival_ns = std::max(arrival_ns, graph_.end(p));
    }
    for (const NodeId p : graph_.waited_by(wait)) lower(p, arrival_ns - graph_.end(p) + own);
    if (wait.previous != kNone) lower_wait(wait.previous, arrival_ns - wait.start_ns + own);
  }

  void lower(NodeId v, std::int64_t to) {
    slack_[v] = static_cast<Word>(std::min<std::int64_t>(slack_[v], to));
  }
  void lower_wait(std::uint32_t w, std::int64_t to) {
    wait_slack_[w] = std::min(wait_slack_[w], to);
  }

  const GraphArrays& graph_;
  std::array<const NodeId*, 3> order_preds_{};
  std::size_t columns_ = 0;
  bool launches_;
  ColumnVector<Word> slack_;
  std::vector<std::int64_t> wait_slack_;
  std::int64_t largest_ = 0;
};

}  // namespace

Result<Slack> Slack::compute(const Graph& graph, const Monitor& monitor) {
  monitor.report("computing slack", 0, graph.operations());
  Slack slack;
  SlackPass<std::uint32_t> narrow(graph.arrays());
  TRY(narrow.run());
  if (!narrow.exceeds()) {
    slack.narrow_ = narrow.take();
    return slack;
  }
  SlackPass<std::int64_t> wide(graph.arrays());
  TRY(wide.run());
  slack.wide_ = wide.take();
  return slack;
}

}  // namespace rpl
