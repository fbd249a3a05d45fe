// SPDX-License-Identifier: MIT
#include "engine/graph/slack.h"

#include <array>
#include <limits>

#include "engine/graph/node_order.h"

namespace rpl {
namespace {

/// Of what nothing recorded depends on.
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNarrowest = std::numeric_limits<std::uint32_t>::max();

/// Goes backwards over the graph; `Word` holds any value up to the span.
template <class Word>
class SlackPass {
 public:
  explicit SlackPass(const GraphArrays& graph)
      : graph_(graph),
        order_preds_{data(graph.stream_pred), data(graph.queue_pred), data(graph.inferred_pred)},
        launches_(!graph.launch_call.empty()),
        slack_(graph.operations(), std::numeric_limits<Word>::max()),
        wait_slack_(graph.waits.size(), kUnbounded) {}

  Status run() {
    return NodeOrder::backwards(
        graph_, [this](NodeId v) { operation(v); }, [this](std::uint32_t w) { wait(w); });
  }
  ColumnVector<Word> take() { return std::move(slack_); }
  [[nodiscard]] std::int64_t largest() const { return largest_; }

 private:
  static const NodeId* data(const ColumnVector<NodeId>& column) {
    return column.empty() ? nullptr : column.data();
  }

  void operation(NodeId v) {
    const std::int64_t own = std::min<std::int64_t>(slack_[v], graph_.end_ns - graph_.end(v));
    slack_[v] = static_cast<Word>(own);
    largest_ = std::max(largest_, own);
    std::array<NodeId, 3> preds;
    std::array<std::int64_t, 3> ends;
    std::size_t count = 0;
    std::int64_t arrival_ns = std::numeric_limits<std::int64_t>::min();
    for (const NodeId* column : order_preds_) {
      if (column == nullptr || column[v] == kNoNode) continue;
      preds[count] = column[v];
      ends[count] = graph_.end(column[v]);
      arrival_ns = std::max(arrival_ns, ends[count++]);
    }
    const auto events = graph_.events_into(v);
    for (const EventEdge& edge : events) arrival_ns = std::max(arrival_ns, graph_.end(edge.from));
    if (launches_ && graph_.launched(v))
      arrival_ns = std::max(arrival_ns, launch(v, arrival_ns, own));
    for (std::size_t i = 0; i < count; ++i) lower(preds[i], arrival_ns - ends[i] + own);
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
    if (to < static_cast<std::int64_t>(slack_[v])) slack_[v] = static_cast<Word>(to);
  }
  void lower_wait(std::uint32_t w, std::int64_t to) {
    wait_slack_[w] = std::min(wait_slack_[w], to);
  }

  const GraphArrays& graph_;
  std::array<const NodeId*, 3> order_preds_;
  bool launches_;
  ColumnVector<Word> slack_;
  std::vector<std::int64_t> wait_slack_;
  std::int64_t largest_ = 0;
};

}  // namespace

Result<Slack> Slack::compute(const Graph& graph, const Monitor& monitor) {
  monitor.report("computing slack", 0, graph.operations());
  const GraphArrays& arrays = graph.arrays();
  Slack slack;
  if (arrays.end_ns - arrays.begin_ns < kNarrowest) {
    SlackPass<std::uint32_t> pass(arrays);
    TRY(pass.run());
    slack.narrow_ = pass.take();
    return slack;
  }
  SlackPass<std::int64_t> pass(arrays);
  TRY(pass.run());
  slack.wide_ = pass.take();
  if (pass.largest() > kNarrowest) return slack;
  slack.narrow_.resize(slack.wide_.size());
  std::ranges::transform(slack.wide_, slack.narrow_.begin(),
                         [](std::int64_t value) { return static_cast<std::uint32_t>(value); });
  ColumnVector<std::int64_t>().swap(slack.wide_);
  return slack;
}

}  // namespace rpl
