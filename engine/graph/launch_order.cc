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

/// Whose operations are, looked up by the few lanes and shapes that there are.
class Owners {
 public:
  explicit Owners(const GraphArrays& graph)
      : lanes_(graph.trace->columns().lane), copies_(*graph.copies) {
    for (const Lane& lane : graph.trace->entities().lanes)
      of_lane_.push_back({lane.process, lane.stream});
    of_shape_.resize(copies_.shapes());
    for (std::size_t copy = 0; copy < copies_.size(); ++copy)
      of_shape_[copies_.shape_number(copy)] = {copies_.shape(copy).process,
                                               copies_.shape(copy).stream};
  }
  [[nodiscard]] std::uint32_t process(NodeId v) const { return of(v).process; }
  [[nodiscard]] std::uint32_t stream(NodeId v) const { return of(v).stream; }

 private:
  struct Owner {
    std::uint32_t process = 0, stream = kNone;
  };
  [[nodiscard]] const Owner& of(NodeId v) const {
    return v < lanes_.size() ? of_lane_[lanes_[v]]
                             : of_shape_[copies_.shape_number(v - lanes_.size())];
  }

  std::span<const std::uint32_t> lanes_;
  const CopyRows& copies_;
  std::vector<Owner> of_lane_, of_shape_;
};

/// What ids a list of operations has.
struct IdsOf {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  bool all = true, sorted = true;  ///< every operation has one; by (id, start, operation)
};

bool is_earlier(const GraphArrays& graph, NodeId a, NodeId b) {
  return graph.start(a) != graph.start(b) ? graph.start(a) < graph.start(b) : a < b;
}

IdsOf ids_of(const GraphArrays& graph, const ColumnVector<NodeId>& operations) {
  IdsOf ids;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::uint64_t id = correlation_of(graph, operations[i]);
    if (id == 0) {
      ids.all = false;
      return ids;
    }
    ids.sorted =
        ids.sorted &&
        (before < id || (before == id && is_earlier(graph, operations[i - 1], operations[i])));
    ids.least = std::min(ids.least, id);
    ids.most = std::max(ids.most, id);
    before = id;
  }
  return ids;
}

/// Sorts by correlation id where each operation has one of its own, as recorders count them up; false, with nothing done, elsewhere.
bool place_by_correlation(const GraphArrays& graph, const IdsOf& ids,
                          ColumnVector<NodeId>& operations) {
  constexpr std::uint64_t kDenseFactor = 4;
  if (ids.most - ids.least >= kDenseFactor * operations.size()) return false;
  ColumnVector<NodeId> places(ids.most - ids.least + 1, kNoNode);
  for (const NodeId v : operations) {
    NodeId& place = places[correlation_of(graph, v) - ids.least];
    if (place != kNoNode) return false;
    place = v;
  }
  // The last place is one of an operation, so that nothing is written behind the last of them.
  NodeId* next = operations.data();
  for (const NodeId v : places) {
    *next = v;
    next += v != kNoNode ? 1 : 0;
  }
  return true;
}

/// Sorts by correlation id, those with the same by (start, operation).
void sort_by_correlation(const GraphArrays& graph, const IdsOf& ids,
                         ColumnVector<NodeId>& operations) {
  const auto id_of = [&](NodeId v) { return correlation_of(graph, v); };
  // Recorders count ids up, so that each has a place of its own.
  constexpr std::uint64_t kDenseFactor = 16;
  if (ids.most - ids.least < kDenseFactor * operations.size()) {
    ColumnVector<std::uint32_t> next(ids.most - ids.least + 2, 0);
    for (const NodeId v : operations) ++next[id_of(v) - ids.least + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    ColumnVector<NodeId> ordered(operations.size());
    for (const NodeId v : operations) ordered[next[id_of(v) - ids.least]++] = v;
    operations = std::move(ordered);
  } else {
    std::ranges::sort(operations, {}, [&](NodeId v) { return std::pair(id_of(v), v); });
  }
  const auto end = operations.end();
  for (auto first = operations.begin(); first != end;) {
    auto last = first + 1;
    while (last != end && id_of(*last) == id_of(*first)) ++last;
    if (last - first > 1)
      std::sort(first, last, [&](NodeId a, NodeId b) { return is_earlier(graph, a, b); });
    first = last;
  }
}

/// Room for the operations of each of `count` things; `of` says which of them an operation belongs to, if any.
template <class Of>
std::vector<ColumnVector<NodeId>> empty_lists(const GraphArrays& graph, std::size_t count, Of of) {
  std::vector<std::size_t> sizes(count);
  for (NodeId v = 0; v < graph.operations(); ++v) {
    if (const std::size_t at = of(v); at < count) ++sizes[at];
  }
  std::vector<ColumnVector<NodeId>> lists(count);
  for (std::size_t i = 0; i < count; ++i) lists[i].reserve(sizes[i]);
  return lists;
}

}  // namespace

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

LaunchOrder::LaunchOrder(const GraphArrays& graph, ColumnVector<NodeId> operations)
    : graph_(&graph), operations_(std::move(operations)) {
  if (!order_by_correlation()) order_by_time();
}

bool LaunchOrder::order_by_correlation() {
  const IdsOf ids = ids_of(*graph_, operations_);
  by_correlation_ = ids.all;
  if (ids.all && !ids.sorted && !place_by_correlation(*graph_, ids, operations_))
    sort_by_correlation(*graph_, ids, operations_);
  return ids.all;
}

void LaunchOrder::order_by_time() {
  const GraphArrays& graph = *graph_;
  std::ranges::sort(operations_, [&](NodeId a, NodeId b) {
    if (enqueued_ns(a) != enqueued_ns(b)) return enqueued_ns(a) < enqueued_ns(b);
    return is_earlier(graph, a, b);
  });
}

std::int64_t LaunchOrder::enqueued_ns(NodeId v) const {
  return graph_->launched(v) ? graph_->launch_ns(v) : graph_->start(v);
}

std::optional<LaunchOrder> LaunchOrder::by_ids(const GraphArrays& graph,
                                               ColumnVector<NodeId> operations) {
  LaunchOrder order;
  order.graph_ = &graph;
  order.operations_ = std::move(operations);
  if (!order.order_by_correlation()) return std::nullopt;
  return order;
}

LaunchOrder LaunchOrder::in_order(const GraphArrays& graph, ColumnVector<NodeId> operations) {
  LaunchOrder order;
  order.graph_ = &graph;
  order.operations_ = std::move(operations);
  order.by_correlation_ = true;
  return order;
}

// Outwards from the last answer, in steps that double.
std::size_t LaunchOrder::before_id(std::uint64_t correlation) const {
  const std::size_t size = operations_.size();
  const auto comes_before = [&](std::size_t i) {
    return correlation_of(*graph_, operations_[i]) < correlation;
  };
  std::size_t low = 0, high = size;
  if (last_ < size && comes_before(last_)) {
    low = last_ + 1;
    for (std::size_t step = 1; low + step < size; step *= 2) {
      if (!comes_before(low + step)) {
        high = low + step;
        break;
      }
      low += step + 1;
    }
  } else {
    high = last_;
    for (std::size_t step = 1; step < high; step *= 2) {
      if (comes_before(high - step)) {
        low = high - step + 1;
        break;
      }
      high -= step;
    }
  }
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (comes_before(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return last_ = low;
}

std::size_t LaunchOrder::before(const SyncOp& call) const {
  if (by_correlation_ && !operations_.empty() && call.correlation != 0)
    return before_id(call.correlation);
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

std::vector<ColumnVector<NodeId>> LaunchOrders::lists_of_processes() const {
  const Owners owners(graph_);
  const std::size_t count = graph_.trace->entities().processes.size();
  const auto of = [&](NodeId v) { return owners.process(v); };
  auto lists = empty_lists(graph_, count, of);
  for (NodeId v = 0; v < graph_.operations(); ++v) lists[of(v)].push_back(v);
  return lists;
}

void LaunchOrders::order_processes() {
  if (!processes_.empty()) return;
  for (auto& list : lists_of_processes()) processes_.emplace_back(graph_, std::move(list));
}

void LaunchOrders::prepare() {
  if (!processes_.empty()) return;
  std::vector<LaunchOrder> ordered;
  for (auto& list : lists_of_processes()) {
    auto order = LaunchOrder::by_ids(graph_, std::move(list));
    if (!order) return;
    ordered.push_back(std::move(*order));
  }
  processes_ = std::move(ordered);
  order_streams();
}

// A stream belongs to one process, whose order, if it has one by ids, is that of its streams.
void LaunchOrders::order_streams() {
  if (!streams_.empty()) return;
  order_processes();
  const Owners owners(graph_);
  const std::size_t count = graph_.trace->entities().streams.size();
  auto lists = empty_lists(graph_, count, [&](NodeId v) { return owners.stream(v); });
  std::vector<char> sorted(count, 1);
  for (const LaunchOrder& process : processes_) {
    const bool by_ids = process.by_correlation();
    for (const NodeId v : process.operations()) {
      const std::uint32_t stream = owners.stream(v);
      if (stream >= count) continue;
      lists[stream].push_back(v);
      if (!by_ids) sorted[stream] = 0;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (sorted[i] != 0) {
      streams_.push_back(LaunchOrder::in_order(graph_, std::move(lists[i])));
    } else {
      streams_.emplace_back(graph_, std::move(lists[i]));
    }
  }
}

const LaunchOrder& LaunchOrders::of_stream(std::uint32_t stream) {
  static const LaunchOrder kEmpty;
  order_streams();
  return stream < streams_.size() ? streams_[stream] : kEmpty;
}

const LaunchOrder& LaunchOrders::of_process(std::uint32_t process) {
  static const LaunchOrder kEmpty;
  order_processes();
  return process < processes_.size() ? processes_[process] : kEmpty;
}

}  // namespace rpl
