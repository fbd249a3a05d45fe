// SPDX-License-Identifier: MIT
#include "engine/graph/build_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

struct Correlated {
  std::uint32_t process = 0;
  std::uint64_t correlation = 0;
  std::uint32_t call = kNone;
  friend auto operator<=>(const Correlated&, const Correlated&) = default;
};

/// Finds calls by (process, correlation).
class CallIndex {
 public:
  explicit CallIndex(const std::vector<ApiCall>& calls) : calls_(calls) {
    entries_.reserve(calls.size());
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
      if (calls[i].correlation != 0)
        entries_.push_back({calls[i].process, calls[i].correlation, i});
    }
    const auto earlier = [&](const Correlated& a, const Correlated& b) {
      if (a.process != b.process) return a.process < b.process;
      if (a.correlation != b.correlation) return a.correlation < b.correlation;
      // Of several calls with one id the outermost began first.
      if (calls_[a.call].start_ns != calls_[b.call].start_ns) {
        return calls_[a.call].start_ns < calls_[b.call].start_ns;
      }
      return a.call < b.call;
    };
    if (!std::ranges::is_sorted(entries_, earlier)) std::ranges::sort(entries_, earlier);
  }

  /// Ids mostly come one after the other, so the last place found is tried first.
  std::uint32_t find(std::uint32_t process, std::uint64_t correlation) {
    const auto wanted = std::pair(process, correlation);
    const auto key = [](const Correlated& e) { return std::pair(e.process, e.correlation); };
    for (std::size_t i = hint_; i < std::min(hint_ + kNear, entries_.size()); ++i) {
      if (key(entries_[i]) == wanted && (i == 0 || key(entries_[i - 1]) != wanted)) return found(i);
    }
    const auto at = std::ranges::lower_bound(entries_, wanted, {}, key);
    if (at == entries_.end() || key(*at) != wanted) return kNone;
    return found(static_cast<std::size_t>(at - entries_.begin()));
  }

 private:
  static constexpr std::size_t kNear = 8;

  std::uint32_t found(std::size_t at) {
    hint_ = at;
    return entries_[at].call;
  }

  const std::vector<ApiCall>& calls_;
  std::vector<Correlated> entries_;
  std::size_t hint_ = 0;
};

}  // namespace

std::uint64_t correlation_of(const GraphArrays& graph, NodeId v) {
  if (v >= graph.dispatches()) return graph.copies[v - graph.dispatches()].correlation;
  if (graph.api == nullptr || v >= graph.api->dispatch_correlation.size()) return 0;
  return graph.api->dispatch_correlation[v];
}

std::uint32_t stream_of(const GraphArrays& graph, NodeId v) {
  return v < graph.dispatches() ? graph.trace->lane(v).stream
                                : graph.copies[v - graph.dispatches()].stream;
}

std::uint32_t process_of(const GraphArrays& graph, NodeId v) {
  return v < graph.dispatches() ? graph.trace->lane(v).process
                                : graph.copies[v - graph.dispatches()].process;
}

Status find_launch_calls(GraphArrays& graph) {
  if (graph.api == nullptr || graph.api->rows.empty()) return {};
  CallIndex calls(graph.api->rows);
  ColumnVector<std::uint32_t> found(graph.operations(), kNone);
  std::uint64_t skewed = 0;
  bool any = false;
  for (NodeId v = 0; v < graph.operations(); ++v) {
    if (v % 65536 == 0) TRY(interrupt::check());
    const std::uint64_t correlation = correlation_of(graph, v);
    if (correlation == 0) continue;
    found[v] = calls.find(process_of(graph, v), correlation);
    if (found[v] == kNone) continue;
    any = true;
    skewed += graph.api->rows[found[v]].start_ns > graph.start(v) ? 1 : 0;
  }
  if (any) graph.launch_call = std::move(found);
  if (skewed > 0) {
    graph.notes.push_back(fmt::format(
        "{} launch calls are recorded as beginning after what they launched; their clocks disagree",
        skewed));
  }
  return {};
}

LaunchOrder::LaunchOrder(const GraphArrays& graph, std::vector<NodeId> operations)
    : operations_(std::move(operations)) {
  const auto enqueued_ns = [&](NodeId v) {
    return graph.launched(v) ? graph.launch_ns(v) : graph.start(v);
  };
  const bool correlated =
      std::ranges::all_of(operations_, [&](NodeId v) { return correlation_of(graph, v) != 0; });
  std::ranges::sort(operations_, [&](NodeId a, NodeId b) {
    if (correlated && correlation_of(graph, a) != correlation_of(graph, b)) {
      return correlation_of(graph, a) < correlation_of(graph, b);
    }
    if (!correlated && enqueued_ns(a) != enqueued_ns(b)) return enqueued_ns(a) < enqueued_ns(b);
    return graph.start(a) != graph.start(b) ? graph.start(a) < graph.start(b) : a < b;
  });
  std::int64_t latest = std::numeric_limits<std::int64_t>::min();
  for (const NodeId v : operations_) {
    latest = std::max(latest, enqueued_ns(v));
    time_ns_.push_back(latest);
    if (correlated) correlation_.push_back(correlation_of(graph, v));
  }
}

std::size_t LaunchOrder::before(const SyncOp& call) const {
  if (!correlation_.empty() && call.correlation != 0) {
    const auto at = std::ranges::lower_bound(correlation_, call.correlation);
    return static_cast<std::size_t>(at - correlation_.begin());
  }
  const auto at = std::ranges::lower_bound(time_ns_, call.start_ns);
  return static_cast<std::size_t>(at - time_ns_.begin());
}

const LaunchOrder& LaunchOrders::of_stream(std::uint32_t stream) {
  static const LaunchOrder kEmpty;
  if (streams_.empty()) {
    std::vector<std::vector<NodeId>> lists(graph_.trace->entities().streams.size());
    for (NodeId v = 0; v < graph_.operations(); ++v) {
      const std::uint32_t at = stream_of(graph_, v);
      if (at < lists.size()) lists[at].push_back(v);
    }
    for (auto& list : lists) streams_.emplace_back(graph_, std::move(list));
  }
  return stream < streams_.size() ? streams_[stream] : kEmpty;
}

const LaunchOrder& LaunchOrders::of_process(std::uint32_t process) {
  static const LaunchOrder kEmpty;
  if (processes_.empty()) {
    std::vector<std::vector<NodeId>> lists(graph_.trace->entities().processes.size());
    for (NodeId v = 0; v < graph_.operations(); ++v) {
      const std::uint32_t at = process_of(graph_, v);
      if (at < lists.size()) lists[at].push_back(v);
    }
    for (auto& list : lists) processes_.emplace_back(graph_, std::move(list));
  }
  return process < processes_.size() ? processes_[process] : kEmpty;
}

}  // namespace rpl
