// SPDX-License-Identifier: MIT
#include "engine/graph/build_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

using Sources = std::vector<NodeId>;

/// Waits enqueued to a stream since its last operation: what a record behind them also stands for.
struct PendingWaits {
  std::size_t position = 0;  ///< operations of the stream enqueued before them
  Sources sources;
};

void add_source(Sources& sources, NodeId v) {
  if (std::ranges::find(sources, v) == sources.end()) sources.push_back(v);
}

/// Replays the records and waits of the host API in the order of the calls.
class EventReplay {
 public:
  EventReplay(GraphArrays& graph, LaunchOrders& orders) : graph_(graph), orders_(orders) {}

  void take(std::uint32_t row) {
    const SyncOp& op = graph_.syncs->rows[row];
    if (op.event == 0) return;
    const std::pair key{op.process, op.event};
    if (op.kind == SyncKind::event_record) recorded_[key] = sources_of(op);
    const auto at = recorded_.find(key);
    if (at == recorded_.end()) return;
    if (op.kind == SyncKind::event_wait) wait(op, at->second);
    if (op.kind == SyncKind::event_synchronize) synchronised_.push_back({row, at->second});
  }
  std::vector<EventWait> synchronised() { return std::move(synchronised_); }

 private:
  Sources sources_of(const SyncOp& record) {
    Sources sources;
    if (record.stream == kNone) return sources;
    const LaunchOrder& order = orders_.of_stream(record.stream);
    const std::size_t position = order.before(record);
    if (position > 0) sources.push_back(order.operations()[position - 1]);
    const auto pending = pending_.find(record.stream);
    if (pending != pending_.end() && pending->second.position == position) {
      for (const NodeId v : pending->second.sources) add_source(sources, v);
    }
    return sources;
  }

  void wait(const SyncOp& op, const Sources& sources) {
    if (op.stream == kNone) return;
    const LaunchOrder& order = orders_.of_stream(op.stream);
    const std::size_t position = order.before(op);
    PendingWaits& pending = pending_[op.stream];
    if (pending.position != position) pending = {position, {}};
    for (const NodeId v : sources) {
      if (stream_of(graph_, v) == op.stream) continue;
      add_source(pending.sources, v);
      if (position < order.operations().size()) {
        graph_.events.push_back({order.operations()[position], v});
      }
    }
  }

  GraphArrays& graph_;
  LaunchOrders& orders_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Sources> recorded_;
  std::map<std::uint32_t, PendingWaits> pending_;
  std::vector<EventWait> synchronised_;
};

/// Reads the barriers that the device itself recorded, in the order of device time.
class BarrierReplay {
 public:
  explicit BarrierReplay(GraphArrays& graph) : graph_(graph) {
    for (NodeId v = 0; v < graph.operations(); ++v) {
      const std::uint32_t stream = stream_of(graph, v);
      if (stream != kNone) streams_[stream].push_back(v);
      const std::uint32_t queue = v < graph.dispatches()
                                      ? graph.trace->lane(v).queue
                                      : graph.copies->shape(v - graph.dispatches()).queue;
      if (queue != kNone) queues_[queue].push_back(v);
    }
    for (auto* lists : {&streams_, &queues_}) {
      for (auto& [key, list] : *lists) {
        std::ranges::stable_sort(list, {}, [&](NodeId v) { return graph_.start(v); });
      }
    }
  }

  void take(const SyncOp& op) {
    const std::pair key{op.process, op.event};
    if (op.kind == SyncKind::event_record) recorded_[key] = sources_of(op);
    if (op.kind != SyncKind::event_wait) return;
    const auto at = recorded_.find(key);
    Sources sources;
    if (op.event != 0 && at != recorded_.end()) sources = at->second;
    if (sources.empty() && op.source_queue != kNone) {
      const NodeId source = last_ended(find(queues_, op.source_queue), op.end_ns);
      if (source != kNoNode) sources.push_back(source);
    }
    wait(op, sources);
  }

 private:
  using Lists = std::map<std::uint32_t, std::vector<NodeId>>;
  using List = std::span<const NodeId>;
  /// More operations of one stream than this never run at a time; a hostile file could claim it.
  static constexpr std::size_t kLookBack = 64;

  static List find(const Lists& lists, std::uint32_t key) {
    const auto at = lists.find(key);
    return at == lists.end() ? List() : List(at->second);
  }
  Sources sources_of(const SyncOp& record) const {
    Sources sources;
    const NodeId last = last_ended(lane(record), record.end_ns);
    if (last != kNoNode) sources.push_back(last);
    const auto pending = pending_.find({record.stream, record.queue});
    if (pending == pending_.end()) return sources;
    const auto position = static_cast<std::size_t>(first_started(record) - lane(record).begin());
    if (pending->second.position != position) return sources;
    for (const NodeId v : pending->second.sources) add_source(sources, v);
    return sources;
  }

  void wait(const SyncOp& op, const Sources& sources) {
    const List list = lane(op);
    const auto target = first_started(op);
    const auto position = static_cast<std::size_t>(target - list.begin());
    PendingWaits& pending = pending_[{op.stream, op.queue}];
    if (pending.position != position) pending = {position, {}};
    for (const NodeId v : sources) {
      add_source(pending.sources, v);
      if (target != list.end() && !same_stream(v, *target)) graph_.events.push_back({*target, v});
    }
  }

  List lane(const SyncOp& op) const {
    return op.stream != kNone ? find(streams_, op.stream) : find(queues_, op.queue);
  }
  bool same_stream(NodeId a, NodeId b) const {
    return stream_of(graph_, a) != kNone && stream_of(graph_, a) == stream_of(graph_, b);
  }
  NodeId last_ended(List list, std::int64_t time_ns) const {
    auto at =
        std::ranges::upper_bound(list, time_ns, {}, [&](NodeId v) { return graph_.start(v); });
    for (std::size_t looked = 0; at != list.begin() && looked < kLookBack; ++looked) {
      --at;
      if (graph_.end(*at) <= time_ns) return *at;
    }
    return kNoNode;
  }
  /// The first operation of the barrier's lane that started after it.
  List::iterator first_started(const SyncOp& op) const {
    return std::ranges::lower_bound(lane(op), op.end_ns, {},
                                    [&](NodeId v) { return graph_.start(v); });
  }

  GraphArrays& graph_;
  Lists streams_, queues_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Sources> recorded_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, PendingWaits> pending_;  ///< by stream, queue
};

bool on_device(const SyncOp& op) { return op.source == SyncSource::hip_event_table; }

Status replay_barriers(GraphArrays& graph) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < graph.syncs->rows.size(); ++i) {
    if (on_device(graph.syncs->rows[i])) rows.push_back(i);
  }
  if (rows.empty()) return {};
  const auto& ops = graph.syncs->rows;
  // Rows come in the order of the calls, which decides between barriers that ended together.
  std::ranges::stable_sort(rows, {}, [&](std::uint32_t i) { return ops[i].end_ns; });
  BarrierReplay replay(graph);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % 65536 == 0) TRY(interrupt::check());
    replay.take(ops[rows[i]]);
  }
  return {};
}

/// Keeps the edges that the recorded times allow; a wait that ended before what it waited for began cannot have waited.
void settle(GraphArrays& graph) {
  auto& events = graph.events;
  std::ranges::sort(events);
  events.erase(std::unique(events.begin(), events.end()), events.end());
  const std::size_t all = events.size();
  std::erase_if(events, [&](const EventEdge& edge) {
    const std::int64_t overlap_ns = graph.end(edge.from) - graph.start(edge.to);
    const std::int64_t shorter_ns = std::min(graph.duration(edge.from), graph.duration(edge.to));
    const bool forwards =
        std::pair(graph.start(edge.from), edge.from) < std::pair(graph.start(edge.to), edge.to);
    const bool together = process_of(graph, edge.from) == process_of(graph, edge.to);
    return !together || !forwards || (overlap_ns > 0 && overlap_ns * 4 > shorter_ns);
  });
  if (events.size() < all) {
    graph.notes.push_back(fmt::format(
        "{} event waits contradict the recorded times and are left out", all - events.size()));
  }
  if (events.empty()) return;
  graph.has_event.resize(graph.operations());
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (i == 0 || events[i - 1].to != events[i].to) graph.first_event.push_back(i);
    graph.has_event.add(events[i].to);
  }
  graph.first_event.push_back(static_cast<std::uint32_t>(events.size()));
  graph.has_event.count();
}

}  // namespace

Result<std::vector<EventWait>> add_event_edges(GraphArrays& graph, LaunchOrders& orders) {
  if (graph.syncs == nullptr) return {};
  EventReplay replay(graph, orders);
  const auto& rows = graph.syncs->rows;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (i % 65536 == 0) TRY(interrupt::check());
    if (!on_device(rows[i])) replay.take(i);
  }
  TRY(replay_barriers(graph));
  settle(graph);
  graph.counts.by_class[static_cast<std::size_t>(EdgeClass::event)] = graph.events.size();
  return replay.synchronised();
}

bool records_events(const GraphArrays& graph) {
  if (graph.syncs == nullptr) return false;
  const Presence& presence = graph.trace->presence();
  if (presence.events || presence.api_args) return true;
  return std::ranges::any_of(graph.syncs->rows, [](const SyncOp& op) {
    return op.kind == SyncKind::event_wait && op.event != 0;
  });
}

}  // namespace rpl
