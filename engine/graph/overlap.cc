// SPDX-License-Identifier: MIT
#include "engine/graph/overlap.h"

#include <array>
#include <unordered_map>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/node_order.h"
#include "engine/graph/pending_ends.h"

namespace rpl {
namespace {

/// Time that two lanes were busy together, by (lower lane, higher lane).
class PairTimes {
 public:
  void add(std::uint32_t a, std::uint32_t b, std::int64_t ns) {
    const auto [low, high] = std::minmax(a, b);
    // The same few pairs come again and again, so the last one of each is kept at hand.
    Slot& slot = recent_[(low * 31 + high) % recent_.size()];
    const std::uint64_t key = std::uint64_t{low} << 32 | high;
    if (slot.time == nullptr || slot.key != key) slot = {key, &times_[key]};
    *slot.time += ns;
  }
  [[nodiscard]] const std::unordered_map<std::uint64_t, std::int64_t>& all() const {
    return times_;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int64_t* time = nullptr;
  };
  std::unordered_map<std::uint64_t, std::int64_t> times_;  // elements stay where they are
  std::array<Slot, 256> recent_{};
};

/// What runs on one device, moment by moment.
class Moment {
 public:
  Moment(OverlapReport& report, PairTimes& pairs) : report_(&report), pairs_(&pairs) {}

  void begin(std::uint32_t lane, std::int64_t start_ns, std::int64_t end_ns) {
    advance(start_ns);
    ends_.push_back({end_ns, lane});
    std::ranges::push_heap(ends_, std::greater<>());
    const auto at = std::ranges::find(busy_, lane, &Busy::lane);
    if (at != busy_.end()) {
      ++at->operations;
    } else {
      busy_.push_back({lane, 1, start_ns, concurrent_ns_});
    }
  }
  void advance(std::int64_t time_ns) {
    while (!ends_.empty() && ends_.front().first <= time_ns) {
      const auto [end_ns, lane] = ends_.front();
      std::ranges::pop_heap(ends_, std::greater<>());
      ends_.pop_back();
      pass_until(end_ns);
      finish(lane, end_ns);
    }
    pass_until(time_ns);
  }

 private:
  struct Busy {
    std::uint32_t lane = 0;
    std::uint32_t operations = 0;
    std::int64_t since_ns = 0;
    std::int64_t concurrent_before_ns = 0;
  };

  void pass_until(std::int64_t time_ns) {
    const std::int64_t passed_ns = time_ns - now_ns_;
    now_ns_ = time_ns;
    if (busy_.empty() || passed_ns <= 0) return;
    report_->busy_ns += passed_ns;
    if (busy_.size() == 1) return;
    concurrent_ns_ += passed_ns;
    report_->concurrent_ns += passed_ns;
    if (busy_.size() > kMaxBusyStreams) {
      report_->unsplit_ns += passed_ns;
      return;
    }
    for (std::size_t i = 0; i < busy_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        pairs_->add(busy_[i].lane, busy_[j].lane, passed_ns);
      }
    }
  }

  void finish(std::uint32_t lane, std::int64_t end_ns) {
    const auto at = std::ranges::find(busy_, lane, &Busy::lane);
    if (--at->operations > 0) return;
    StreamOverlap& stream = report_->streams[lane];
    stream.busy_ns += end_ns - at->since_ns;
    stream.overlapped_ns += concurrent_ns_ - at->concurrent_before_ns;
    busy_.erase(at);
  }

  OverlapReport* report_;
  PairTimes* pairs_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> ends_;  ///< heap
  std::vector<Busy> busy_;
  std::int64_t now_ns_ = 0, concurrent_ns_ = 0;
};

/// Gives every stream, or queue where the stream is unknown, its row of the report.
class LaneRows {
 public:
  LaneRows(const GraphArrays& graph, OverlapReport& report)
      : graph_(graph), report_(report), of_lane_(graph.trace->entities().lanes.size(), kNone) {}

  std::uint32_t row(NodeId v) {
    if (v >= graph_.dispatches()) return find_row(v);
    std::uint32_t& row = of_lane_[graph_.trace->columns().lane[v]];
    if (row == kNone) row = find_row(v);
    return row;
  }

 private:
  std::uint32_t find_row(NodeId v) {
    const LaneKey& key = graph_.key(v);
    const bool known = key.stream != kNone;
    const std::uint64_t identity = std::uint64_t{known ? key.stream : key.queue} << 32 |
                                   std::uint64_t{key.scope} << 1 | (known ? 1U : 0U);
    const auto [at, fresh] =
        rows_.try_emplace(identity, static_cast<std::uint32_t>(report_.streams.size()));
    if (fresh) {
      StreamOverlap row;
      row.agent = graph_.keys.scopes()[key.scope].agent;
      if (known) row.stream = graph_.keys.stream(key.stream).stream;
      if (!known) row.queue = queue_of(v);
      report_.streams.push_back(row);
    }
    return at->second;
  }

  std::uint32_t queue_of(NodeId v) const {
    return v < graph_.dispatches() ? graph_.trace->lane(v).queue
                                   : graph_.copies->shape(v - graph_.dispatches()).queue;
  }

  const GraphArrays& graph_;
  OverlapReport& report_;
  std::vector<std::uint32_t> of_lane_;
  std::unordered_map<std::uint64_t, std::uint32_t> rows_;
};

void rank(OverlapReport& report, const PairTimes& pairs) {
  std::vector<std::uint32_t> order(report.streams.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::uint32_t i) { return report.streams[i].busy_ns; });
  std::vector<std::uint32_t> place(order.size());
  std::vector<StreamOverlap> streams(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    streams[i] = report.streams[order[i]];
  }
  report.streams = std::move(streams);
  for (const auto& [key, both_ns] : pairs.all()) {
    const auto [first, second] = std::minmax(place[static_cast<std::uint32_t>(key >> 32)],
                                             place[static_cast<std::uint32_t>(key)]);
    report.pairs.push_back({first, second, both_ns});
  }
  std::ranges::sort(report.pairs, {}, [](const StreamPair& pair) {
    return std::tuple(-pair.both_ns, pair.first, pair.second);
  });
}

/// Fills the rest of the report: what did run beside what.
Status measure_overlap(const GraphArrays& graph, OverlapReport& report) {
  PairTimes pairs;
  LaneRows lanes(graph, report);
  std::vector<Moment> devices(graph.keys.scopes().size(), Moment(report, pairs));
  const auto begin = [&](NodeId v) {
    const std::uint32_t lane = lanes.row(v);
    if (graph.duration(v) == 0) return;
    devices[graph.key(v).scope].begin(lane, graph.start(v), graph.end(v));
  };
  TRY(NodeOrder::forwards(graph, begin, [](std::uint32_t) {}));
  for (Moment& device : devices) device.advance(graph.end_ns);
  rank(report, pairs);
  return {};
}

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

/// Pairs of kernels that could have run beside each other, as in OverlapReport::potential.
Result<std::vector<OverlapPair>> overlap_potential(const GraphArrays& graph,
                                                   const std::vector<bool>& on_path) {
  PotentialPass pass(graph, on_path);
  TRY(pass.run());
  return pass.take();
}

}  // namespace

Result<OverlapReport> find_overlap(const Graph& graph, const std::vector<bool>& on_path,
                                   const Monitor& monitor) {
  monitor.report("measuring overlap", 0, graph.operations());
  OverlapReport report;
  report.potential = TRY(overlap_potential(graph.arrays(), on_path));
  TRY(measure_overlap(graph.arrays(), report));
  return report;
}

}  // namespace rpl
