// SPDX-License-Identifier: MIT
#include "engine/graph/build_edges.h"

#include <algorithm>
#include <map>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

using ThreadKey = std::pair<std::uint32_t, std::int64_t>;  ///< process, OS thread

bool is_host_wait(const SyncOp& op) {
  return op.kind != SyncKind::event_record && op.kind != SyncKind::event_wait &&
         op.source != SyncSource::hip_event_table;
}

/// Finds the copy that a blocking call issued.
class CopyByCall {
 public:
  explicit CopyByCall(const GraphArrays& graph) {
    for (std::uint32_t i = 0; i < graph.copies->size(); ++i) {
      const Copy copy = (*graph.copies)[i];
      // The last one: a call may be cut into several copies.
      if (copy.correlation != 0) found_[{copy.process, copy.correlation}] = graph.dispatches() + i;
    }
  }
  NodeId find(const SyncOp& op) const {
    const auto at = found_.find({op.process, op.correlation});
    return at == found_.end() ? kNoNode : at->second;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, NodeId> found_;
};

/// Operations of a process by end, for waits of which the recording does not say what they waited for.
class EndOrder {
 public:
  EndOrder(const GraphArrays& graph, ColumnVector<NodeId> operations)
      : graph_(graph), operations_(std::move(operations)) {
    std::ranges::stable_sort(operations_, {}, [&](NodeId v) { return graph_.end(v); });
  }
  /// The operation that ended last within the wait, so that its end may be what the thread waited for.
  [[nodiscard]] NodeId ended_within(const HostWait& wait) const {
    auto at = std::ranges::upper_bound(operations_, wait.end_ns, {},
                                       [&](NodeId v) { return graph_.end(v); });
    if (at == operations_.begin()) return kNoNode;
    --at;
    return graph_.end(*at) > wait.start_ns ? *at : kNoNode;
  }

 private:
  const GraphArrays& graph_;
  ColumnVector<NodeId> operations_;
};

/// Says what each wait waited for.
class WaitedFor {
 public:
  WaitedFor(const GraphArrays& graph, LaunchOrders& orders, std::span<const EventWait> synchronised)
      : graph_(graph), orders_(orders), copies_(graph) {
    for (const EventWait& wait : synchronised) by_event_[wait.sync_row] = wait.sources;
  }

  std::vector<NodeId> find(const HostWait& wait, ThreadKey thread) {
    const SyncOp& op = graph_.syncs->rows[wait.row];
    std::vector<NodeId> found = candidates(op, wait, thread);
    // What started after the wait was over was enqueued by another thread meanwhile.
    std::erase_if(found, [&](NodeId v) {
      return graph_.start(v) >= wait.end_ns || process_of(graph_, v) != op.process;
    });
    return found;
  }

 private:
  std::vector<NodeId> candidates(const SyncOp& op, const HostWait& wait, ThreadKey thread) {
    switch (op.kind) {
      case SyncKind::event_synchronize: {
        const auto at = by_event_.find(wait.row);
        if (at != by_event_.end()) return at->second;
        return op.event == 0 ? ended_within(op, wait) : std::vector<NodeId>();
      }
      case SyncKind::blocking_copy: {
        const NodeId copy = copies_.find(op);
        if (copy != kNoNode) return {copy};
        return op.stream == kNone ? std::vector<NodeId>() : last_of_stream(op);
      }
      case SyncKind::stream_synchronize:
        return op.stream == kNone ? ended_within(op, wait) : last_of_stream(op);
      case SyncKind::device_synchronize:
        return last_of_streams(op, thread);
      default:
        return {};
    }
  }

  std::vector<NodeId> last_of_stream(const SyncOp& op) {
    const LaunchOrder& order = orders_.of_stream(op.stream);
    const std::size_t position = order.before(op);
    if (position == 0) return {};
    return {order.operations()[position - 1]};
  }

  /// The last operation of every stream that was enqueued since the thread's last such wait; that one waited for the rest.
  std::vector<NodeId> last_of_streams(const SyncOp& op, ThreadKey thread) {
    if (const auto& streams = streams_of(op.process)) return last_of_each(*streams, op, thread);
    const LaunchOrder& order = orders_.of_process(op.process);
    const std::size_t end = order.before(op);
    std::size_t& begin = since_[thread];
    // The last place is for operations of no known stream.
    last_.resize(graph_.trace->entities().streams.size() + 1, kNoNode);
    std::vector<std::size_t> streams;
    for (std::size_t i = begin; i < end; ++i) {
      const NodeId v = order.operations()[i];
      const std::size_t stream = std::min<std::size_t>(stream_of(graph_, v), last_.size() - 1);
      if (last_[stream] == kNoNode) streams.push_back(stream);
      last_[stream] = v;
    }
    begin = std::max(begin, end);
    std::ranges::sort(streams);
    std::vector<NodeId> found;
    for (const std::size_t stream : streams) found.push_back(std::exchange(last_[stream], kNoNode));
    return found;
  }

  /// The same found by the orders of the streams.
  std::vector<NodeId> last_of_each(const std::vector<std::uint32_t>& streams, const SyncOp& op,
                                   ThreadKey thread) {
    std::vector<std::size_t>& since = since_of_each_[thread];
    since.resize(streams.size());
    std::vector<NodeId> found;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const LaunchOrder& order = orders_.of_stream(streams[i]);
      const std::size_t end = order.before(op);
      if (end > since[i]) found.push_back(order.operations()[end - 1]);
      since[i] = std::max(since[i], end);
    }
    return found;
  }

  /// The streams of a process, rising, where there are few, all of its operations are in one of them, and ids tell where in them each wait for the device
  /// stands.
  const std::optional<std::vector<std::uint32_t>>& streams_of(std::uint32_t process) {
    constexpr std::size_t kFew = 64;
    const auto [at, fresh] = streams_.try_emplace(process);
    const LaunchOrder& all = orders_.of_process(process);
    if (!fresh || !all.by_correlation()) return at->second;
    for (const HostWait& wait : graph_.waits) {
      const SyncOp& op = graph_.syncs->rows[wait.row];
      const bool of_device = op.kind == SyncKind::device_synchronize && op.process == process;
      if (of_device && op.correlation == 0) return at->second;
    }
    std::vector<std::uint32_t> streams;
    std::size_t operations = 0;
    const auto& known = graph_.trace->entities().streams;
    for (std::uint32_t stream = 0; stream < known.size(); ++stream) {
      if (known[stream].process != process) continue;
      streams.push_back(stream);
      operations += orders_.of_stream(stream).operations().size();
    }
    if (streams.size() <= kFew && operations == all.operations().size())
      at->second = std::move(streams);
    return at->second;
  }

  std::vector<NodeId> ended_within(const SyncOp& op, const HostWait& wait) {
    auto at = by_end_.find(op.process);
    if (at == by_end_.end()) {
      at =
          by_end_.emplace(op.process, EndOrder(graph_, orders_.of_process(op.process).operations()))
              .first;
    }
    const NodeId found = at->second.ended_within(wait);
    return found == kNoNode ? std::vector<NodeId>() : std::vector<NodeId>{found};
  }

  const GraphArrays& graph_;
  LaunchOrders& orders_;
  CopyByCall copies_;
  std::unordered_map<std::uint32_t, std::vector<NodeId>> by_event_;
  std::map<ThreadKey, std::size_t> since_;
  std::map<ThreadKey, std::vector<std::size_t>> since_of_each_;  ///< by place in streams_of()
  std::map<std::uint32_t, std::optional<std::vector<std::uint32_t>>> streams_;  ///< by process
  std::vector<NodeId> last_;  ///< of each stream while one wait is looked at
  std::map<std::uint32_t, EndOrder> by_end_;
};

/// The waits of each thread are one piece of GraphArrays::waits, rising by end.
using Pieces = std::map<ThreadKey, std::pair<std::uint32_t, std::uint32_t>>;

ColumnVector<HostWait> read_waits(const GraphArrays& graph) {
  const auto& rows = graph.syncs->rows;
  ColumnVector<HostWait> waits;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (!is_host_wait(rows[i])) continue;
    HostWait wait;
    wait.start_ns = rows[i].start_ns;
    wait.end_ns = std::max(rows[i].start_ns, rows[i].end_ns);
    wait.row = i;
    waits.push_back(wait);
  }
  std::ranges::stable_sort(waits, {}, [&](const HostWait& wait) {
    const SyncOp& op = rows[wait.row];
    return std::tuple(op.process, op.thread, wait.end_ns, wait.start_ns);
  });
  return waits;
}

ThreadKey thread_of(const GraphArrays& graph, const HostWait& wait) {
  const SyncOp& op = graph.syncs->rows[wait.row];
  return {op.process, op.thread};
}

Pieces pieces_of(const GraphArrays& graph) {
  Pieces pieces;
  for (std::uint32_t i = 0; i < graph.waits.size(); ++i) {
    auto& piece = pieces.try_emplace(thread_of(graph, graph.waits[i]), i, i).first->second;
    piece.second = i + 1;
  }
  return pieces;
}

/// Finds the last wait of a thread that was over by a time. Times mostly rise, so that the last answer is tried first.
class WaitsOfThread {
 public:
  WaitsOfThread() = default;
  /// `from` … `to` of the waits.
  WaitsOfThread(const GraphArrays& graph, std::uint32_t from, std::uint32_t to)
      : waits_(graph.waits.data()), from_(from), to_(to), at_(from) {}

  std::uint32_t before(std::int64_t time_ns) {
    for (unsigned steps = 0; steps < kNear; ++steps) {
      if (at_ > from_ && waits_[at_ - 1].end_ns > time_ns) {
        --at_;
      } else if (at_ < to_ && waits_[at_].end_ns <= time_ns) {
        ++at_;
      } else {
        return at_ == from_ ? kNone : at_ - 1;
      }
    }
    const auto waits = std::span(waits_ + from_, to_ - from_);
    const auto after = std::ranges::upper_bound(waits, time_ns, {}, &HostWait::end_ns);
    at_ = from_ + static_cast<std::uint32_t>(after - waits.begin());
    return at_ == from_ ? kNone : at_ - 1;
  }

 private:
  static constexpr unsigned kNear = 4;

  const HostWait* waits_ = nullptr;
  std::uint32_t from_ = 0, to_ = 0;
  std::uint32_t at_ = 0;  ///< the first that was not over by the last time
};

void link_threads(GraphArrays& graph, const Pieces& pieces) {
  for (std::uint32_t i = 0; i < graph.waits.size(); ++i) {
    const auto& piece = pieces.at(thread_of(graph, graph.waits[i]));
    graph.waits[i].previous = WaitsOfThread(graph, piece.first, i).before(graph.waits[i].start_ns);
  }
}

std::uint64_t& host_edges(GraphArrays& graph) {
  return graph.counts.by_class[static_cast<std::size_t>(EdgeClass::host_sync)];
}

Status fill_waited(GraphArrays& graph, WaitedFor& waited_for) {
  std::uint64_t& edges = host_edges(graph);
  for (std::uint32_t i = 0; i < graph.waits.size(); ++i) {
    if (i % 4096 == 0) TRY(interrupt::check());
    HostWait& wait = graph.waits[i];
    const std::vector<NodeId> found = waited_for.find(wait, thread_of(graph, wait));
    wait.first_waited = static_cast<std::uint32_t>(graph.waited.size());
    wait.waited_count = static_cast<std::uint32_t>(found.size());
    graph.waited.insert(graph.waited.end(), found.begin(), found.end());
    edges += found.size() + (wait.previous != kNone ? 1 : 0);
    const bool held_up =
        std::ranges::any_of(found, [&](NodeId v) { return graph.end(v) > wait.start_ns; });
    if (held_up) {
      wait.binding = i;
    } else if (wait.previous != kNone) {
      wait.binding = graph.waits[wait.previous].binding;
    }
  }
  return {};
}

/// Gives how many launches came after a wait.
Result<std::uint64_t> link_launches(GraphArrays& graph, const Pieces& pieces) {
  std::uint64_t edges = 0;
  if (graph.launch_call.empty()) return edges;
  graph.launch_wait.assign(graph.operations(), kNone);
  const CallRows& calls = graph.api->rows;
  std::map<ThreadKey, WaitsOfThread> threads;
  for (const auto& [thread, piece] : pieces)
    threads.emplace(thread, WaitsOfThread(graph, piece.first, piece.second));
  std::vector<WaitsOfThread*> of_shape;
  for (const CallRows::Shape& shape : calls.shapes()) {
    const auto found = threads.find({shape.process, shape.thread});
    of_shape.push_back(found == threads.end() ? nullptr : &found->second);
  }
  for (NodeId v = 0; v < graph.operations(); ++v) {
    if (v % 65536 == 0) TRY(interrupt::check());
    if (!graph.launched(v)) continue;
    WaitsOfThread* waits = of_shape[calls.shape_number(graph.launch_call[v])];
    if (waits == nullptr) continue;
    graph.launch_wait[v] = waits->before(graph.launch_ns(v));
    edges += graph.launch_wait[v] != kNone ? 1 : 0;
  }
  return edges;
}

void order_by_end(GraphArrays& graph) {
  graph.waits_by_end.resize(graph.waits.size());
  for (std::uint32_t i = 0; i < graph.waits.size(); ++i) graph.waits_by_end[i] = i;
  std::ranges::stable_sort(graph.waits_by_end, {},
                           [&](std::uint32_t i) { return graph.waits[i].end_ns; });
}

/// Edges of events, and what waits waited for.
Status add_waited_for(GraphArrays& graph, LaunchOrders& orders) {
  const std::vector<EventWait> synchronised = TRY(add_event_edges(graph, orders));
  if (graph.waits.empty()) return {};
  WaitedFor waited_for(graph, orders, synchronised);
  return fill_waited(graph, waited_for);
}

}  // namespace

Status add_host_edges(GraphArrays& graph, unsigned threads) {
  const bool two = threads > 1 && graph.operations() > kWorthAThread;
  LaunchOrders orders(graph);
  {
    std::jthread other;
    if (two && graph.syncs != nullptr && !graph.syncs->rows.empty())
      other = std::jthread([&] { orders.prepare(); });
    TRY(find_launch_calls(graph));
  }
  if (graph.syncs != nullptr) graph.waits = read_waits(graph);
  const Pieces pieces = pieces_of(graph);
  link_threads(graph, pieces);
  Status waited;
  Result<std::uint64_t> linked;
  {
    std::jthread other;
    if (two) other = std::jthread([&] { linked = link_launches(graph, pieces); });
    waited = add_waited_for(graph, orders);
  }
  if (!two) linked = link_launches(graph, pieces);
  TRY(std::move(waited));
  host_edges(graph) += TRY(std::move(linked));
  order_by_end(graph);
  return {};
}

}  // namespace rpl
