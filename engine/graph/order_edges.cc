// SPDX-License-Identifier: MIT
#include "engine/graph/build_edges.h"

#include <fmt/format.h>

#include <memory>
#include <thread>

#include <atomic>
#include <limits>
#include "engine/graph/node_order.h"
#include "engine/graph/pending_ends.h"

namespace rpl {
namespace {

/// Far enough behind each other that the threads do not fight for cache lines, near enough that the reader finds them cached.
constexpr std::size_t kOperationsAtOnce = 8192;

/// Writes for each operation of some scopes the operation of its scope that had ended last when it started into
/// GraphArrays::inferred_pred, kNoNode for none. Another thread may read behind it, as far as ready() says.
class SettledEnds {
 public:
  /// `scopes` by index, at most one SettledEnds for each.
  SettledEnds(GraphArrays& graph, std::vector<bool> scopes)
      : graph_(graph),
        mine_(std::move(scopes)),
        all_(std::ranges::all_of(mine_, std::identity())),
        pending_(mine_.size()) {}

  /// Linear but for nested records. Fails with `interrupted`; then ready() claims everything, so that nobody waits for ever.
  Status run();

  /// Waits until the first `operations` in the order of NodeOrder are written; how many are.
  [[nodiscard]] std::size_t ready(std::size_t operations) const {
    std::size_t done = done_.load(std::memory_order_acquire);
    while (done < operations) {
      done_.wait(done, std::memory_order_acquire);
      done = done_.load(std::memory_order_acquire);
    }
    return done;
  }

 private:
  [[gnu::always_inline]] void add(NodeId v, const LaneKey& key, std::int64_t start_ns,
                                  std::int64_t duration_ns) {
    if (visited_ % kOperationsAtOnce == 0) publish(visited_);
    ++visited_;
    if (!all_ && !mine_[key.scope]) return;
    PendingEnds& pending = pending_[key.scope];
    graph_.inferred_pred[v] = pending.settle(start_ns).node;
    pending.add({start_ns + duration_ns, v});
  }
  void publish(std::size_t operations);

  GraphArrays& graph_;
  std::vector<bool> mine_;  ///< by scope
  bool all_;
  std::vector<PendingEnds> pending_;  ///< by scope
  std::size_t visited_ = 0;
  std::atomic<std::size_t> done_ = 0;
};

Status SettledEnds::run() {
  Status status = NodeOrder::operations(
      graph_, [this](NodeId v, const LaneKey& key, std::int64_t start_ns,
                     std::int64_t duration_ns) { add(v, key, start_ns, duration_ns); });
  publish(std::numeric_limits<std::size_t>::max());
  return status;
}

void SettledEnds::publish(std::size_t operations) {
  done_.store(operations, std::memory_order_release);
  done_.notify_one();
}

/// Consecutive operations of one stream overlap a little in real recordings, because the end of one and the start of the
/// next are stamped by different units: up to 12 % of the shorter on an MI350X, never more. Up to a quarter they still count as one after the
/// other; beyond that they ran beside each other.
constexpr std::int64_t kTailFraction = 4;

/// A stream that runs more than this share of its operations beside others of its own, on other queues, is not a stream.
constexpr std::uint64_t kDistrustPercent = 1;

/// One stream or queue while the pass goes over it.
class Chain {
 public:
  struct Link {
    EndedAt before;           ///< the predecessor; node kNoNode when there is none
    bool concurrent = false;  ///< the operation overlaps the previous one for real
  };

  [[gnu::always_inline]] Link add(NodeId node, std::int64_t start_ns, std::int64_t duration_ns) {
    Link link;
    if (!earlier_.empty()) settle(start_ns);
    const std::int64_t overlap_ns = last_.end_ns - start_ns;
    if (last_.node == kNoNode || overlap_ns <= 0) {
      if (last_.node != kNoNode && last_.end_ns >= best_.end_ns) best_ = last_;
      link.before = best_;
    } else {
      const bool tail = overlap_ns * kTailFraction <= std::min(duration_ns, last_duration_ns_);
      link = {tail ? last_ : best_, !tail};
      keep_earlier();
    }
    last_ = {start_ns + duration_ns, node};
    last_duration_ns_ = duration_ns;
    return link;
  }

 private:
  static bool ends_later(const EndedAt& a, const EndedAt& b) {
    return a.end_ns != b.end_ns ? a.end_ns > b.end_ns : a.node > b.node;
  }
  [[gnu::noinline]] void keep_earlier() {
    earlier_.push_back(last_);
    std::ranges::push_heap(earlier_, ends_later);
  }
  [[gnu::noinline]] void settle(std::int64_t time_ns) {
    while (!earlier_.empty() && earlier_.front().end_ns <= time_ns) {
      if (earlier_.front().end_ns >= best_.end_ns) best_ = earlier_.front();
      std::ranges::pop_heap(earlier_, ends_later);
      earlier_.pop_back();
    }
  }

  EndedAt best_, last_;
  std::int64_t last_duration_ns_ = 0;
  std::vector<EndedAt> earlier_;  ///< overlapped by a later one, not yet ended
};

/// Of operations that end together the one with the higher id.
void keep_later(EndedAt& kept, const EndedAt& other) {
  if (other.node == kNoNode) return;
  const bool later = kept.node == kNoNode || other.end_ns > kept.end_ns ||
                     (other.end_ns == kept.end_ns && other.node > kept.node);
  if (later) kept = other;
}

/// The pass over the operations of some scopes.
class OrderPass {
 public:
  OrderPass(GraphArrays& graph, std::vector<bool> scopes)
      : graph_(graph),
        mine_(std::move(scopes)),
        all_(std::ranges::all_of(mine_, std::identity())),
        settled_(graph.inferred_pred.empty() ? nullptr
                                             : std::make_unique<SettledEnds>(graph, mine_)),
        has_host_(settled_ != nullptr && (!graph.launch_call.empty() || !graph.events.empty())),
        streams_(graph.keys.streams()),
        queues_(graph.keys.queues()),
        beside_(graph.keys.streams()) {}

  /// `helped`: on a second thread what had ended is found out, half of the work, a little ahead of this pass.
  Status run(bool helped) {
    Status settled;
    std::jthread ahead;
    if (settled_ != nullptr && helped) {
      ahead = std::jthread([&] { settled = settled_->run(); });
    } else if (settled_ != nullptr) {
      TRY(settled_->run());
    }
    TRY(NodeOrder::operations(
        graph_, [this](NodeId v, const LaneKey& key, std::int64_t start_ns,
                       std::int64_t duration_ns) { add(v, key, start_ns, duration_ns); }));
    if (ahead.joinable()) ahead.join();
    return settled;
  }

  void merge_into(EdgeCounts& counts, EndedAt& last) const {
    for (std::size_t i = 0; i < kEdgeClasses; ++i) counts.by_class[i] += counts_.by_class[i];
    counts.concurrent += counts_.concurrent;
    keep_later(last, last_);
  }
  /// By stream key: operations that ran beside an earlier one of the stream.
  [[nodiscard]] const std::vector<std::uint64_t>& beside() const { return beside_; }

 private:
  [[gnu::always_inline]] void add(NodeId v, const LaneKey& key, std::int64_t start_ns,
                                  std::int64_t duration_ns) {
    ++visited_;
    if (!all_ && !mine_[key.scope]) return;
    keep_later(last_, {start_ns + duration_ns, v});
    const EndedAt arrival = add_to_chains(v, key, start_ns, duration_ns);
    if (settled_ == nullptr) return;
    add_inferred(v, has_host_ ? std::max(arrival.end_ns, host_arrival(v)) : arrival.end_ns);
  }

  /// What had ended when v started is no dependency when v waited longer for something else.
  void add_inferred(NodeId v, std::int64_t arrival_ns) {
    if (visited_ > ready_) ready_ = settled_->ready(visited_);
    NodeId& ended = graph_.inferred_pred[v];
    // About every second time, so that a branch would be guessed wrong as often.
    const bool known = ended != kNoNode;
    const bool later = known & (graph_.end(known ? ended : v) > arrival_ns);
    ended = later ? ended : kNoNode;
    count(EdgeClass::inferred) += later ? 1 : 0;
  }

  /// When what the host's part of the recording says that v waited for was over.
  [[nodiscard, gnu::noinline]] std::int64_t host_arrival(NodeId v) const {
    std::int64_t arrival_ns = EndedAt().end_ns;
    for (const EventEdge& edge : graph_.events_into(v))
      arrival_ns = std::max(arrival_ns, graph_.end(edge.from));
    return graph_.launched(v) ? std::max(arrival_ns, graph_.launch_ns(v)) : arrival_ns;
  }

  [[gnu::always_inline]] EndedAt add_to_chains(NodeId v, const LaneKey& key, std::int64_t start_ns,
                                               std::int64_t duration_ns) {
    EndedAt arrival;
    bool concurrent = false;
    if (key.stream != kNone) {
      const Chain::Link link = streams_[key.stream].add(v, start_ns, duration_ns);
      concurrent = link.concurrent;
      if (link.concurrent) ++beside_[key.stream];
      graph_.stream_pred[v] = link.before.node;
      if (link.before.node != kNoNode) {
        ++count(EdgeClass::stream_order);
        arrival = link.before;
      }
    } else if (!graph_.stream_pred.empty()) {
      graph_.stream_pred[v] = kNoNode;
    }
    if (!graph_.queue_pred.empty()) graph_.queue_pred[v] = kNoNode;
    if (key.queue_matters) {
      const Chain::Link link = queues_[key.queue].add(v, start_ns, duration_ns);
      concurrent = concurrent || link.concurrent;
      const NodeId before = link.before.node;
      const bool other =
          before != kNoNode && (key.stream == kNone || graph_.key(before).stream != key.stream);
      if (other) {
        graph_.queue_pred[v] = before;
        ++count(EdgeClass::queue_order);
        if (arrival.node == kNoNode || link.before.end_ns > arrival.end_ns) arrival = link.before;
      }
    }
    counts_.concurrent += concurrent ? 1 : 0;
    return arrival;
  }

  std::uint64_t& count(EdgeClass edge_class) {
    return counts_.by_class[static_cast<std::size_t>(edge_class)];
  }

  GraphArrays& graph_;
  std::vector<bool> mine_;  ///< by scope
  bool all_;
  std::unique_ptr<SettledEnds> settled_;
  bool has_host_;                        ///< calls that launched operations, or events
  std::size_t visited_ = 0, ready_ = 0;  ///< operations
  std::vector<Chain> streams_, queues_;
  std::vector<std::uint64_t> beside_;
  EdgeCounts counts_;
  EndedAt last_;
};

/// Deals the scopes out so that each thread has about as many operations.
std::vector<std::vector<bool>> deal_scopes(const GraphArrays& graph, unsigned threads) {
  const std::size_t scopes = graph.keys.scopes().size();
  const std::size_t parts = std::clamp<std::size_t>(std::min<std::size_t>(threads, scopes), 1, 64);
  std::vector<std::vector<bool>> mine(parts, std::vector<bool>(scopes, parts == 1));
  if (parts == 1) return mine;
  std::vector<std::pair<std::uint64_t, std::size_t>> sizes(scopes);
  for (std::size_t i = 0; i < scopes; ++i) sizes[i].second = i;
  // A sample is enough to share out work; it does not change the result.
  const NodeId step = std::max<NodeId>(1, graph.operations() / 65536);
  for (NodeId v = 0; v < graph.operations(); v += std::min(step, graph.operations() - v)) {
    ++sizes[graph.key(v).scope].first;
  }
  std::ranges::sort(sizes, std::greater<>());
  std::vector<std::uint64_t> load(parts);
  for (const auto& [size, scope] : sizes) {
    const auto lightest = std::ranges::min_element(load) - load.begin();
    load[static_cast<std::size_t>(lightest)] += size;
    mine[static_cast<std::size_t>(lightest)][scope] = true;
  }
  return mine;
}

void allocate(GraphArrays& graph, bool infer) {
  const std::size_t n = graph.operations();
  const auto& scopes = graph.keys.scopes();
  bool queues = false;
  for (const Lane& lane : graph.trace->entities().lanes) {
    const auto index = static_cast<std::uint32_t>(&lane - graph.trace->entities().lanes.data());
    queues = queues || graph.keys.of_dispatch(index).queue_matters;
  }
  for (std::uint32_t copy = 0; copy < graph.copies->size() && !queues; ++copy) {
    queues = graph.keys.of_copy(copy).queue_matters;
  }
  const bool several = std::ranges::any_of(scopes, &Scope::several_lanes);
  // The passes write every element.
  graph.stream_pred.resize(graph.keys.streams() > 0 ? n : 0);
  graph.queue_pred.resize(queues ? n : 0);
  graph.inferred_pred.resize(infer && several ? n : 0);
}

std::vector<bool> unreal_streams(const GraphArrays& graph, const std::vector<OrderPass>& passes) {
  std::vector<std::uint64_t> beside(graph.keys.streams());
  bool suspect = false;
  for (std::uint32_t key = 0; key < beside.size(); ++key) {
    for (const OrderPass& pass : passes) beside[key] += pass.beside()[key];
    suspect = suspect || (beside[key] > 0 && graph.keys.stream(key).several_queues);
  }
  std::vector<bool> unreal(beside.size());
  if (!suspect) return unreal;
  std::vector<std::uint64_t> operations(beside.size());
  for (NodeId v = 0; v < graph.operations(); ++v) {
    if (const std::uint32_t key = graph.key(v).stream; key != kNone) ++operations[key];
  }
  for (std::uint32_t key = 0; key < beside.size(); ++key) {
    unreal[key] = graph.keys.stream(key).several_queues &&
                  beside[key] * 100 > operations[key] * kDistrustPercent;
  }
  return unreal;
}

Result<std::vector<OrderPass>> run_passes(GraphArrays& graph, const OrderOptions& options) {
  allocate(graph, options.infer);
  auto parts = deal_scopes(graph, options.threads);
  std::vector<OrderPass> passes;
  passes.reserve(parts.size());
  for (auto& mine : parts) passes.emplace_back(graph, std::move(mine));
  const bool helped = options.threads >= 2 * parts.size() && graph.operations() > kWorthAThread;
  std::vector<Status> statuses(passes.size());
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < passes.size(); ++i) {
      others.emplace_back([&, i] { statuses[i] = passes[i].run(helped); });
    }
    statuses[0] = passes[0].run(helped);
  }
  for (Status& status : statuses) TRY(std::move(status));
  return passes;
}

}  // namespace

Result<OrderFound> add_order_edges(GraphArrays& graph, const OrderOptions& options) {
  std::vector<OrderPass> passes = TRY(run_passes(graph, options));
  const std::vector<bool> unreal = unreal_streams(graph, passes);
  OrderFound found;
  if (std::ranges::any_of(unreal, std::identity())) {
    for (std::uint32_t key = 0; key < unreal.size(); ++key) {
      if (!unreal[key]) continue;
      const Stream& stream = graph.trace->entities().streams[graph.keys.stream(key).stream];
      found.notes.push_back(fmt::format(
          "stream '{}' ran operations beside each other on several queues; its order is "
          "not taken as evidence",
          stream.name.empty() ? fmt::format("{:#x}", stream.handle) : stream.name));
    }
    graph.keys.distrust(unreal);
    passes = TRY(run_passes(graph, options));
  }
  EndedAt last;
  for (const OrderPass& pass : passes) pass.merge_into(found.counts, last);
  found.last = last.node;
  found.end_ns = last.node == kNoNode ? 0 : last.end_ns;
  return found;
}

void count_evidence(GraphArrays& graph) {
  // Column by column in pieces that stay in the cache, so that no loop branches.
  constexpr NodeId kPiece = 4096;
  std::array<std::uint8_t, kPiece> evident;
  std::uint64_t launches = 0, evidenced = 0;
  for (NodeId from = 0; from < graph.operations();) {
    const NodeId count = std::min(kPiece, graph.operations() - from);
    evident.fill(0);
    for (const auto* column : {&graph.launch_call, &graph.stream_pred, &graph.queue_pred}) {
      if (column->empty()) continue;
      const NodeId* const words = column->data() + from;
      for (NodeId i = 0; i < count; ++i)
        evident[i] |= static_cast<std::uint8_t>(words[i] != kNoNode);
      if (column == &graph.launch_call)
        launches += static_cast<std::uint64_t>(std::ranges::count(evident, 1));
    }
    for (NodeId i = 0; i < count && !graph.events.empty(); ++i)
      evident[i] |= static_cast<std::uint8_t>(graph.has_event.has(from + i));
    evidenced += static_cast<std::uint64_t>(std::ranges::count(evident, 1));
    from += count;
  }
  graph.counts.by_class[static_cast<std::size_t>(EdgeClass::launch)] += launches;
  graph.counts.evidenced += evidenced;
}

}  // namespace rpl
