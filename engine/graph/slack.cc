// SPDX-License-Identifier: MIT
#include "engine/graph/slack.h"

#include <array>
#include <atomic>
#include <limits>
#include <thread>
#include <utility>

#include "engine/graph/node_order.h"

namespace rpl {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
/// Of what nothing recorded depends on.
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

/// Dispatches between two messages of how far the pass is.
constexpr NodeId kDispatchesAtOnce = 8192;
/// Starting a thread costs as much as visiting a few thousand operations.
constexpr NodeId kSlackWorthAThread = 50'000;

/// Goes backwards over the graph. Values that `Word` cannot hold stay at its maximum, which the final slack of an operation may
/// not be: exceeds() then.
template <class Word>
class SlackPass {
 public:
  explicit SlackPass(const GraphArrays& graph)
      : graph_(graph),
        host_(!graph.launch_call.empty() || !graph.events.empty()),
        settled_(graph.dispatches()),
        slack_(graph.operations(), static_cast<Word>(kMost)),
        wait_slack_(graph.waits.size(), kUnbounded) {
    for (const auto* column : {&graph.stream_pred, &graph.queue_pred, &graph.inferred_pred}) {
      if (!column->empty()) order_preds_[columns_++] = column->data();
    }
  }

  Status run() {
    Status status = run_for();
    publish(0);
    return status;
  }
  /// Waits until the slack of some dispatches before `end` is settled; the first of them. All where the pass ended before its time.
  [[nodiscard]] NodeId settled_before(NodeId end) const {
    NodeId first = settled_.load(std::memory_order_acquire);
    while (first >= end) {
      settled_.wait(first, std::memory_order_acquire);
      first = settled_.load(std::memory_order_acquire);
    }
    return first;
  }
  [[nodiscard]] const ColumnVector<Word>& slack() const { return slack_; }
  ColumnVector<Word> take() { return std::move(slack_); }
  [[nodiscard]] bool exceeds() const { return largest_ >= kMost; }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<Word>::max();

  /// What the loop over the operations asks of the graph is known where it is compiled.
  Status run_for() {
    switch (columns_) {
      case 0:
        return host_ ? run_for<0, true>() : run_for<0, false>();
      case 1:
        return host_ ? run_for<1, true>() : run_for<1, false>();
      case 2:
        return host_ ? run_for<2, true>() : run_for<2, false>();
      default:
        return host_ ? run_for<3, true>() : run_for<3, false>();
    }
  }
  template <std::size_t kColumns, bool kHost>
  Status run_for() {
    return NodeOrder::backwards(
        graph_,
        [this](NodeId v) {
          operation<kColumns, kHost>(v);
          if (v % kDispatchesAtOnce == 0 && v < graph_.dispatches()) publish(v);
        },
        [this](std::uint32_t w) { wait(w); });
  }
  void publish(NodeId first) {
    settled_.store(first, std::memory_order_release);
    settled_.notify_one();
  }

  template <std::size_t kColumns, bool kHost>
  [[gnu::always_inline]] void operation(NodeId v) {
    if (exceeds()) return;
    const std::int64_t left_ns = graph_.end_ns - graph_.end(v);
    const std::int64_t own =
        slack_[v] == kMost ? left_ns : std::min<std::int64_t>(slack_[v], left_ns);
    slack_[v] = static_cast<Word>(own);
    largest_ = std::max(largest_, own);
    // Which predecessors there are is as good as random, so nothing branches on it: v stands for one that is not there, and
    // lowering v to its own slack changes nothing.
    std::array<NodeId, kColumns> preds;
    std::array<std::int64_t, kColumns> ends;
    std::int64_t arrival_ns = kNever;
    for (std::size_t i = 0; i < kColumns; ++i) {
      const NodeId p = order_preds_[i][v];
      preds[i] = p == kNoNode ? v : p;
      ends[i] = graph_.end(preds[i]);
      arrival_ns = std::max(arrival_ns, p == kNoNode ? kNever : ends[i]);
    }
    if constexpr (kHost) arrival_ns = through_host(v, arrival_ns, own);
    for (std::size_t i = 0; i < kColumns; ++i)
      lower(preds[i], preds[i] == v ? own : arrival_ns - ends[i] + own);
  }

  /// When v could start as far as its events and its launch go, and everything else up to `arrival_ns`.
  std::int64_t through_host(NodeId v, std::int64_t arrival_ns, std::int64_t own) {
    const auto events = graph_.events_into(v);
    for (const EventEdge& edge : events) arrival_ns = std::max(arrival_ns, graph_.end(edge.from));
    if (graph_.launched(v)) arrival_ns = std::max(arrival_ns, launch(v, arrival_ns, own));
    for (const EventEdge& edge : events) lower(edge.from, arrival_ns - graph_.end(edge.from) + own);
    return arrival_ns;
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
  bool host_;                    ///< launches or events
  std::atomic<NodeId> settled_;  ///< the first dispatch from which on slack stays what it is
  ColumnVector<Word> slack_;
  std::vector<std::int64_t> wait_slack_;
  std::int64_t largest_ = 0;
};

/// Sums over dispatches by their kernel.
class KernelSums {
 public:
  explicit KernelSums(const GraphArrays& graph) : graph_(graph) {
    for (const Launch& launch : graph.trace->entities().launches)
      kernel_of_launch_.push_back(launch.kernel);
    kernels_.resize(graph.trace->kernels().size());
  }

  template <class Word>
  void add(const ColumnVector<Word>& slack, NodeId from, NodeId to) {
    const auto& launches = graph_.trace->columns().launch;
    for (NodeId v = from; v < to; ++v) {
      const std::uint32_t kernel = kernel_of_launch_[launches[v]];
      if (kernel >= kernels_.size()) continue;
      const auto own = static_cast<std::int64_t>(slack[v]);
      KernelSlack& row = kernels_[kernel];
      ++row.calls;
      row.total_ns += graph_.duration(v);
      row.critical += own == 0 ? 1 : 0;
      row.least_ns = std::min(row.least_ns, own);
      row.most_ns = std::max(row.most_ns, own);
      row.sum_ns += static_cast<double>(own);
    }
  }
  /// Of all dispatches, a little behind the pass.
  template <class Word>
  void add_behind(const SlackPass<Word>& pass) {
    for (NodeId end = graph_.dispatches(); end > 0;) {
      const NodeId first = pass.settled_before(end);
      add(pass.slack(), first, end);
      end = first;
    }
  }
  std::vector<KernelSlack> take() { return std::move(kernels_); }

 private:
  const GraphArrays& graph_;
  std::vector<std::uint32_t> kernel_of_launch_;
  std::vector<KernelSlack> kernels_;
};

/// Runs the pass, and on a second thread where that pays `meanwhile` and then the sums.
template <class Word>
Status run_with_sums(const GraphArrays& graph, SlackPass<Word>& pass, KernelSums& sums,
                     const std::function<void()>& meanwhile) {
  const auto beside = [&] {
    if (meanwhile) meanwhile();
    sums.add_behind(pass);
  };
  if (graph.operations() > kSlackWorthAThread && std::thread::hardware_concurrency() > 1) {
    const std::jthread other(beside);
    return pass.run();
  }
  Status status = pass.run();
  beside();
  return status;
}

}  // namespace

/// False when Word is too narrow.
template <class Word>
Result<bool> Slack::find(const GraphArrays& graph, const std::function<void()>& meanwhile,
                         ColumnVector<Word>& column, std::vector<KernelSlack>& kernels) {
  SlackPass<Word> pass(graph);
  KernelSums sums(graph);
  TRY(run_with_sums(graph, pass, sums, meanwhile));
  if (pass.exceeds()) return false;
  column = pass.take();
  kernels = sums.take();
  return true;
}

Result<Slack> Slack::compute(const Graph& graph, const Monitor& monitor,
                             const std::function<void()>& meanwhile) {
  monitor.report("computing slack", 0, graph.operations());
  Slack slack;
  const bool narrow = TRY(find(graph.arrays(), meanwhile, slack.narrow_, slack.kernels_));
  if (!narrow) TRY(find(graph.arrays(), {}, slack.wide_, slack.kernels_));
  return slack;
}

}  // namespace rpl
