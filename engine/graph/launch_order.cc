// SPDX-License-Identifier: MIT
#include "engine/graph/build_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/base/interrupt.h"
#include "engine/trace/core/id_table.h"

namespace rpl {
namespace {

/// Finds calls by (process, correlation).
class CallIndex {
 public:
  CallIndex(const CallRows& calls, std::size_t processes)
      : calls_(calls), by_process_(processes, IdTable(calls.size())) {
    for (std::uint32_t row = 0; row < calls.size(); ++row) {
      const std::uint64_t correlation = calls.correlation(row);
      if (correlation == 0) continue;
      IdTable& known = by_process_[calls.shape(row).process];
      // Of several calls with one id the outermost began first.
      const std::uint32_t before = known.find(correlation);
      if (before == kNone || calls.start_ns(row) < calls.start_ns(before))
        known.set(correlation, row);
    }
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t process, std::uint64_t correlation) const {
    return process < by_process_.size() ? by_process_[process].find(correlation) : kNone;
  }

 private:
  const CallRows& calls_;
  std::vector<IdTable> by_process_;
};

/// Sorts by correlation id, which operations of one stream mostly are already, those with the same by (start, id). `ids` go with
/// the operations.
void sort_by_correlation(const GraphArrays& graph, std::vector<NodeId>& operations,
                         std::vector<std::uint64_t>& ids) {
  const auto earlier = [&](NodeId a, NodeId b) {
    return graph.start(a) != graph.start(b) ? graph.start(a) < graph.start(b) : a < b;
  };
  bool sorted = true;
  for (std::size_t i = 1; i < ids.size() && sorted; ++i) {
    sorted =
        ids[i - 1] < ids[i] || (ids[i - 1] == ids[i] && earlier(operations[i - 1], operations[i]));
  }
  if (sorted) return;
  const auto [least, most] = std::ranges::minmax(ids);
  std::vector<NodeId> ordered(operations.size());
  // Recorders count ids up, so that each has a place of its own.
  constexpr std::uint64_t kDenseFactor = 16;
  if (most - least < kDenseFactor * ids.size()) {
    std::vector<std::uint32_t> next(most - least + 2);
    for (const std::uint64_t id : ids) ++next[id - least + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t i = 0; i < ids.size(); ++i) ordered[next[ids[i] - least]++] = operations[i];
  } else {
    std::vector<std::pair<std::uint64_t, NodeId>> keys(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) keys[i] = {ids[i], operations[i]};
    std::ranges::sort(keys);
    for (std::size_t i = 0; i < ids.size(); ++i) ordered[i] = keys[i].second;
  }
  operations = std::move(ordered);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = correlation_of(graph, operations[i]);
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[i]) ++end;
    if (end - i > 1)
      std::sort(operations.begin() + static_cast<std::ptrdiff_t>(i),
                operations.begin() + static_cast<std::ptrdiff_t>(end), earlier);
    i = end;
  }
}

}  // namespace

std::uint64_t correlation_of(const GraphArrays& graph, NodeId v) {
  if (v >= graph.dispatches()) return graph.copies->correlation(v - graph.dispatches());
  if (graph.api == nullptr || v >= graph.api->dispatch_correlation.size()) return 0;
  return graph.api->dispatch_correlation[v];
}

std::uint32_t stream_of(const GraphArrays& graph, NodeId v) {
  return v < graph.dispatches() ? graph.trace->lane(v).stream
                                : graph.copies->shape(v - graph.dispatches()).stream;
}

std::uint32_t process_of(const GraphArrays& graph, NodeId v) {
  return v < graph.dispatches() ? graph.trace->lane(v).process
                                : graph.copies->shape(v - graph.dispatches()).process;
}

Status find_launch_calls(GraphArrays& graph) {
  if (graph.api == nullptr || graph.api->rows.empty()) return {};
  const CallIndex calls(graph.api->rows, graph.trace->entities().processes.size());
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
    skewed += graph.api->rows.start_ns(found[v]) > graph.start(v) ? 1 : 0;
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
    : graph_(&graph), operations_(std::move(operations)) {
  correlation_.reserve(operations_.size());
  for (const NodeId v : operations_) {
    const std::uint64_t id = correlation_of(graph, v);
    if (id == 0) break;
    correlation_.push_back(id);
  }
  if (correlation_.size() == operations_.size()) {
    sort_by_correlation(graph, operations_, correlation_);
    return;
  }
  correlation_.clear();
  std::ranges::sort(operations_, [&](NodeId a, NodeId b) {
    if (enqueued_ns(a) != enqueued_ns(b)) return enqueued_ns(a) < enqueued_ns(b);
    return graph.start(a) != graph.start(b) ? graph.start(a) < graph.start(b) : a < b;
  });
}

std::int64_t LaunchOrder::enqueued_ns(NodeId v) const {
  return graph_->launched(v) ? graph_->launch_ns(v) : graph_->start(v);
}

std::size_t LaunchOrder::before(const SyncOp& call) const {
  if (!correlation_.empty() && call.correlation != 0) {
    const auto at = std::ranges::lower_bound(correlation_, call.correlation);
    return static_cast<std::size_t>(at - correlation_.begin());
  }
  if (time_ns_.empty()) {
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    for (const NodeId v : operations_) {
      latest = std::max(latest, enqueued_ns(v));
      time_ns_.push_back(latest);
    }
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
