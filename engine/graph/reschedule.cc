// SPDX-License-Identifier: MIT
#include "engine/graph/reschedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/base/stretches.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/launch_lags.h"
#include "engine/graph/node_order.h"

namespace rpl {
namespace {

std::int64_t scaled(std::int64_t ns, double factor) {
  return factor == 1 ? ns : std::llround(static_cast<double>(ns) * factor);
}

/// How much of its own time a host thread has been spared at a time.
class HostTime {
 public:
  /// A launch that takes more than `most_ns` does something else first, as loading code, and is taken for one of `least_ns`.
  HostTime(const GraphArrays& graph, const Otherwise& otherwise, std::int64_t most_ns,
           std::int64_t least_ns)
      : graph_(graph) {
    if (graph.api == nullptr) return;
    const bool any =
        otherwise.launch != 1 || !otherwise.free_calls.empty() || !otherwise.host_between;
    if (!any) return;
    const auto& rows = graph.api->rows;
    spared_.assign(rows.size(), 0);
    ends_.assign(rows.size(), 0);
    std::vector<bool> launching(rows.size());
    for (NodeId v = 0; v < graph.dispatches(); ++v) {
      if (graph.launched(v) && (otherwise.launches.empty() || otherwise.launches[v]))
        launching[graph.launch_call[v]] = true;
    }
    find_waits();
    std::vector<bool> waiting(rows.size());
    for (const std::uint32_t row : wait_rows_) {
      if (row != kNone) waiting[row] = true;
    }
    const std::int64_t from_ns = first_launch_ns();
    std::int64_t sum = 0, busy_until = 0, counted_until = kUnknownTime;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ApiCall& call = rows[i];
      const bool fresh =
          i == 0 || rows[i - 1].process != call.process || rows[i - 1].thread != call.thread;
      if (fresh) {
        sum = 0;
        counted_until = kUnknownTime;
        busy_until = call.start_ns;
      }
      const std::int64_t end_ns = std::max(call.start_ns, call.end_ns);
      if (!otherwise.host_between && call.start_ns > busy_until && call.start_ns > from_ns)
        sum += call.start_ns - std::max(busy_until, from_ns);
      spared_[i] = sum;
      busy_until = std::max(busy_until, end_ns);
      const bool is_free = !otherwise.free_calls.empty() && otherwise.free_calls[i];
      const double keeps = is_free ? 0 : launching[i] ? otherwise.launch : 1;
      // A call within one that was spared is spared with it.
      const std::int64_t begin_ns = std::max({call.start_ns, counted_until, from_ns});
      if (keeps < 1 && end_ns > begin_ns && !waiting[i]) {
        const std::int64_t whole_ns = end_ns - begin_ns;
        sum += scaled(is_free || whole_ns <= most_ns ? whole_ns : least_ns, 1 - keeps);
        counted_until = end_ns;
      }
      ends_[i] = sum;
    }
  }

  /// Up to the beginning of a call; `row` of the API table.
  [[nodiscard]] std::int64_t before(std::uint32_t row) const {
    return spared_.empty() ? 0 : spared_[row];
  }
  /// Up to the beginning of a wait.
  [[nodiscard]] std::int64_t before_wait(std::uint32_t wait) const {
    if (spared_.empty()) return 0;
    if (wait_rows_[wait] != kNone) return spared_[wait_rows_[wait]];
    const SyncOp& op = graph_.syncs->rows[graph_.waits[wait].row];
    return until(op.process, op.thread, graph_.waits[wait].start_ns);
  }
  /// Up to a time on a thread.
  [[nodiscard]] std::int64_t until(std::uint32_t process, std::int64_t thread,
                                   std::int64_t time_ns) const {
    if (spared_.empty()) return 0;
    const auto& rows = graph_.api->rows;
    const auto key = [](const ApiCall& call) {
      return std::tuple(call.process, call.thread, call.start_ns);
    };
    const auto after =
        std::ranges::upper_bound(rows, std::tuple(process, thread, time_ns), {}, key);
    if (after == rows.begin()) return 0;
    const auto& last = *std::prev(after);
    if (last.process != process || last.thread != thread) return 0;
    const auto row = static_cast<std::size_t>(after - rows.begin()) - 1;
    return last.end_ns <= time_ns ? ends_[row] : spared_[row];
  }

 private:
  /// The calls that are waits, whose time Rescheduling::wait() accounts for.
  void find_waits() {
    const auto& rows = graph_.api->rows;
    wait_rows_.assign(graph_.waits.size(), kNone);
    for (std::size_t i = 0; i < graph_.waits.size(); ++i) {
      const SyncOp& op = graph_.syncs->rows[graph_.waits[i].row];
      const auto at = std::ranges::lower_bound(
          rows, std::tuple(op.process, op.thread, op.start_ns), {},
          [](const ApiCall& call) { return std::tuple(call.process, call.thread, call.start_ns); });
      if (at != rows.end() && at->process == op.process && at->thread == op.thread &&
          at->start_ns == op.start_ns)
        wait_rows_[i] = static_cast<std::uint32_t>(at - rows.begin());
    }
  }
  [[nodiscard]] std::int64_t first_launch_ns() const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t call : graph_.launch_call) {
      if (call != kNone) first = std::min(first, graph_.api->rows[call].start_ns);
    }
    return first;
  }

  const GraphArrays& graph_;
  std::vector<std::int64_t> spared_, ends_;  ///< by row of the API table: when it begins, and ends
  std::vector<std::uint32_t> wait_rows_;     ///< by wait: its call
};

/// What runs side by side on one device.
class Room {
 public:
  /// The first time from `ready_ns` on at which `part` of the device is free, and takes it for as long.
  std::int64_t place(std::int64_t ready_ns, std::int64_t duration_ns, double part) {
    constexpr double kWhole = 1 + 1e-9;
    std::int64_t at = ready_ns;
    while (!running_.empty() && (running_.top().first <= at || taken_ + part > kWhole)) {
      at = std::max(at, running_.top().first);
      taken_ -= running_.top().second;
      running_.pop();
    }
    if (running_.empty()) taken_ = 0;
    running_.emplace(at + duration_ns, part);
    taken_ += part;
    return at;
  }

 private:
  using End = std::pair<std::int64_t, double>;
  std::priority_queue<End, std::vector<End>, std::greater<>> running_;
  double taken_ = 0;
};

class Rescheduling {
 public:
  Rescheduling(const Graph& of, const Otherwise& otherwise, bool moves, std::int64_t latency_ns)
      : graph_(of.arrays()),
        otherwise_(otherwise),
        moves_(moves),
        latency_ns_(latency_ns),
        host_(graph_, otherwise, most_ns(), latency_ns_),
        room_(graph_.keys.scopes().size()),
        serial_(graph_.keys.scopes().size()) {
    end_.resize(graph_.operations());
    wait_shift_.resize(graph_.waits.size());
    if (otherwise.overlapped_copies)
      behind_.resize(graph_.operations(), {kUnknownTime, kUnknownTime});
  }

  Result<std::int64_t> run() {
    if (!otherwise_.free_streams.empty()) {
      lags_ = TRY(device_lags(graph_));
      TRY(follow_null_stream());
    }
    TRY(NodeOrder::forwards(
        graph_, [this](NodeId v) { operation(v); }, [this](std::uint32_t w) { wait(w); }));
    if (graph_.operations() == 0) return 0;
    // A first launch that costs less is no gain of what follows it.
    return last_end_ns_ - (otherwise_.launch == 1 ? graph_.begin_ns : first_start_ns_);
  }

 private:
  /// Of a copy, if copies overlap: what kernels and what copies behind it wait for.
  struct Behind {
    std::int64_t kernels_ns = kUnknownTime, arrived_ns = kUnknownTime;
  };
  struct Arrivals {
    std::int64_t recorded_ns = kUnknownTime, now_ns = kUnknownTime;
    std::int64_t before_ns = kUnknownTime;  ///< now, of what runs on a device
    bool inferred = false, by_launch = false;
  };

  /// What launching costs at the most, by what it costs at the least.
  [[nodiscard]] std::int64_t most_ns() const {
    constexpr std::int64_t kTimes = 4;
    return latency_ns_ > 0 ? kTimes * latency_ns_ : std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] bool is_copy(NodeId v) const { return v >= graph_.dispatches(); }
  [[nodiscard]] CopyWay way(NodeId v) const {
    return is_copy(v) ? way_of(*graph_.copy_table, (*graph_.copies)[v - graph_.dispatches()])
                      : CopyWay::other;
  }
  [[nodiscard]] std::int64_t launched_ns(NodeId v) const {
    const std::uint32_t call = graph_.launch_call[v];
    const std::uint32_t w = graph_.launch_wait.empty() ? kNone : graph_.launch_wait[v];
    const std::int64_t spared = host_.before(call);
    if (w == kNone) return graph_.launch_ns(v) - spared;
    return graph_.launch_ns(v) + wait_shift_[w] - (spared - spared_by(w));
  }
  /// What the thread of a wait had been spared when it was over.
  [[nodiscard]] std::int64_t spared_by(std::uint32_t w) const {
    const HostWait& wait = graph_.waits[w];
    const SyncOp& op = graph_.syncs->rows[wait.row];
    return host_.until(op.process, op.thread, wait.end_ns);
  }

  /// When what a predecessor gives is there, in the new schedule.
  [[nodiscard]] std::int64_t given_by(NodeId p, NodeId to) const {
    if (!otherwise_.overlapped_copies || !is_copy(p) || way(p) == CopyWay::other) return end_[p];
    const Behind& behind = behind_[p];
    return way(to) == CopyWay::to_host ? behind.kernels_ns
                                       : std::max(behind.kernels_ns, behind.arrived_ns);
  }

  /// Of a copy to the device: until when the other of its two buffers is in use; `needed_ns`: this one, from now on.
  std::int64_t other_buffer(NodeId v, std::int64_t needed_ns) {
    const Copy copy = (*graph_.copies)[v - graph_.dispatches()];
    std::int64_t& used =
        buffers_.try_emplace({copy.process, copy.to_address}, kUnknownTime).first->second;
    return std::exchange(used, needed_ns);
  }

  /// Behind what operations come that are of the null stream, or follow one of it, where they are in one stream with those before them.
  Status follow_null_stream() {
    std::vector<std::pair<std::int64_t, NodeId>> order;
    for (NodeId v = 0; v < graph_.operations(); ++v) {
      if (graph_.launched(v)) order.emplace_back(graph_.launch_ns(v), v);
    }
    TRY(interrupt::sort(order));
    const auto& streams = graph_.trace->entities().streams;
    std::map<std::uint32_t, NodeId> last_null;  // by key of the stream that it went to
    std::uint32_t before = kNone;
    NodeId previous = kNoNode;
    for (const auto& [launch_ns, v] : order) {
      const std::uint32_t key = graph_.key(v).stream,
                          stream = key == kNone ? kNone : graph_.keys.stream(key).stream;
      const bool null = stream != kNone && streams[stream].name == kNullStreamName;
      if (null && before != kNone) {
        also_behind_.emplace(v, previous);
        last_null[before] = v;
      } else if (const auto last = last_null.find(key); last != last_null.end()) {
        also_behind_.emplace(v, last->second);
      }
      if (!null) before = key;
      previous = v;
    }
    return {};
  }

  Arrivals arrivals(NodeId v) {
    Arrivals at;
    const bool apart = !otherwise_.free_streams.empty();
    const bool from_host = otherwise_.overlapped_copies && way(v) == CopyWay::to_device;
    std::int64_t needed_ns = kUnknownTime;
    graph_.each_pred(v, [&](NodeId p, EdgeClass edge_class) {
      const bool weak = edge_class == EdgeClass::inferred || edge_class == EdgeClass::queue_order ||
                        (otherwise_.free_events && edge_class == EdgeClass::event);
      if (from_host && otherwise_.two_buffers) needed_ns = std::max(needed_ns, end_[p]);
      if (graph_.launched(v) && ((apart && weak) || from_host)) return;
      const std::int64_t end_ns = graph_.end(p);
      if (end_ns > at.recorded_ns) {
        at.recorded_ns = end_ns;
        at.inferred = edge_class == EdgeClass::inferred;
      }
      at.before_ns = std::max(at.before_ns, given_by(p, v));
    });
    if (const auto also = also_behind_.find(v); also != also_behind_.end())
      at.before_ns = std::max(at.before_ns, end_[also->second]);
    if (from_host && otherwise_.two_buffers)
      at.before_ns = std::max(at.before_ns, other_buffer(v, needed_ns));
    at.now_ns = at.before_ns;
    if (!graph_.launched(v)) return at;
    const std::int64_t launch_ns = graph_.launch_ns(v);
    if (launch_ns >= at.recorded_ns) {
      at.inferred = false;
      at.by_launch = true;
    }
    at.recorded_ns = std::max(at.recorded_ns, launch_ns);
    at.now_ns = std::max(at.now_ns, launched_ns(v));
    return at;
  }

  /// How long after its launch it starts when no other stream holds it up.
  [[nodiscard]] std::int64_t own_lag_ns(NodeId v) const {
    const bool known = v < lags_.of.size() && lags_.of[v] != kUnknownTime;
    return known ? lags_.of[v] : std::min(latency_ns_, lags_.usual_ns.value_or(latency_ns_));
  }

  void operation(NodeId v) {
    const Arrivals at = arrivals(v);
    if (!otherwise_.absent.empty() && otherwise_.absent[v]) {
      // What waits for it waits for what it would have waited for.
      end_[v] = at.before_ns != kUnknownTime ? at.before_ns : std::min(at.now_ns, graph_.start(v));
      if (otherwise_.overlapped_copies && is_copy(v)) keep_behind(v);
      return;
    }
    const std::int64_t recorded_ns = graph_.start(v);
    std::int64_t start_ns = recorded_ns;
    if (at.recorded_ns != kUnknownTime && at.now_ns != kUnknownTime) {
      std::int64_t lag_ns = recorded_ns - at.recorded_ns;
      const bool explained = graph_.launched(v);
      const bool counts = otherwise_.launches.empty() || is_copy(v) || otherwise_.launches[v];
      if (explained && counts && lag_ns > 0 && !is_copy(v))
        lag_ns -= scaled(lag_ns > most_ns() ? latency_ns_ : lag_ns, 1 - otherwise_.launch);
      // What holds a launch up longer than launching takes is what it waits for, and that is otherwise.
      const bool loose = !otherwise_.free_streams.empty() || otherwise_.overlapped_copies;
      if (explained && loose) lag_ns = std::min(lag_ns, own_lag_ns(v));
      start_ns = at.now_ns + lag_ns;
      // What found its stream empty and finds it busy now starts as neighbours do.
      if (at.by_launch && otherwise_.gap_ns && at.before_ns == at.now_ns)
        start_ns =
            std::max(launched_ns(v) + lag_ns, at.before_ns + std::min(lag_ns, *otherwise_.gap_ns));
      const bool unexplained = !explained && recorded_ns > at.recorded_ns;
      if (start_ns < recorded_ns && (at.inferred || unexplained) && !moves_) start_ns = recorded_ns;
    }
    const std::int64_t duration_ns =
        otherwise_.durations.empty() ? graph_.duration(v) : otherwise_.durations[v];
    start_ns = placed(v, start_ns, duration_ns);
    end_[v] = start_ns + duration_ns;
    first_start_ns_ = std::min(first_start_ns_, start_ns);
    last_end_ns_ = std::max(last_end_ns_, end_[v]);
    if (otherwise_.overlapped_copies && is_copy(v)) keep_behind(v);
  }

  /// When the device, or a copy engine, has room for it.
  std::int64_t placed(NodeId v, std::int64_t start_ns, std::int64_t duration_ns) {
    const std::uint32_t scope = graph_.key(v).scope;
    if (otherwise_.overlapped_copies && way(v) != CopyWay::other) {
      std::int64_t& free_ns = engines_[way(v) == CopyWay::to_device ? 0 : 1];
      start_ns = std::max(start_ns, free_ns);
      free_ns = start_ns + duration_ns;
      return start_ns;
    }
    if (otherwise_.serial_device && !is_copy(v)) {
      Serial& serial = serial_[scope];
      while (!serial.running.empty() && serial.running.top().first <= graph_.start(v)) {
        serial.settled_ns = std::max(serial.settled_ns, end_[serial.running.top().second]);
        serial.running.pop();
      }
      serial.running.emplace(graph_.end(v), v);
      return std::max(start_ns, serial.settled_ns);
    }
    if (!otherwise_.free_streams.empty() && !is_copy(v))
      return room_[scope].place(start_ns, duration_ns,
                                otherwise_.free_streams[graph_.trace->columns().launch[v]]);
    return start_ns;
  }

  void keep_behind(NodeId v) {
    Behind behind;
    graph_.each_pred(v, [&](NodeId p, EdgeClass) {
      const bool through = is_copy(p) && way(p) != CopyWay::other;
      behind.kernels_ns = std::max(behind.kernels_ns, through ? behind_[p].kernels_ns : end_[p]);
      if (through) behind.arrived_ns = std::max(behind.arrived_ns, behind_[p].arrived_ns);
    });
    if (way(v) == CopyWay::to_device) behind.arrived_ns = std::max(behind.arrived_ns, end_[v]);
    behind_[v] = behind;
  }

  void wait(std::uint32_t w) {
    const HostWait& wait = graph_.waits[w];
    const std::uint32_t previous = wait.previous;
    const std::int64_t spared = host_.before_wait(w);
    const std::int64_t before =
        previous == kNone ? -spared : wait_shift_[previous] - (spared - spared_by(previous));
    if (!otherwise_.no_wait.empty() && otherwise_.no_wait[wait.row]) {
      wait_shift_[w] = before - (wait.end_ns - wait.start_ns);
      return;
    }
    std::int64_t recorded_ns = wait.start_ns;
    std::int64_t now_ns = wait.start_ns + before;
    for (const NodeId p : graph_.waited_by(wait)) {
      recorded_ns = std::max(recorded_ns, graph_.end(p));
      now_ns = std::max(now_ns, end_[p]);
    }
    wait_shift_[w] = now_ns - recorded_ns;
  }

  struct Serial {
    using End = std::pair<std::int64_t, NodeId>;
    std::priority_queue<End, std::vector<End>, std::greater<>> running;  ///< by recorded end
    std::int64_t settled_ns = kUnknownTime;
  };

  const GraphArrays& graph_;
  const Otherwise& otherwise_;
  bool moves_;
  std::int64_t latency_ns_;
  DeviceLags lags_;  ///< where streams are free
  HostTime host_;
  std::map<NodeId, NodeId> also_behind_;  ///< where streams are free: see follow_null_stream()
  std::vector<Room> room_;                ///< by scope
  std::vector<Serial> serial_;            ///< by scope
  std::vector<std::int64_t> end_, wait_shift_;
  std::vector<Behind> behind_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t>
      buffers_;  ///< by place on the device: when the last but one copy there could have been made
  std::int64_t engines_[2] = {kUnknownTime, kUnknownTime};
  std::int64_t first_start_ns_ = std::numeric_limits<std::int64_t>::max(),
               last_end_ns_ = kUnknownTime;
};

}  // namespace

Result<std::int64_t> rescheduled_span_ns(const Graph& graph, const Otherwise& otherwise,
                                         bool moves) {
  const LaunchTimes times = TRY(launch_times(graph));
  return Rescheduling(graph, otherwise, moves, times.latency_ns).run();
}

CopyWay way_of(const CopyTable& table, const Copy& copy) {
  const std::string& name = table.names[copy.name];
  // As rocprofv3, RPD and PyTorch's profiler write it.
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
  };
  if (has({"HOST_TO_DEVICE", "HostToDevice", "HtoD"})) return CopyWay::to_device;
  if (has({"DEVICE_TO_HOST", "DeviceToHost", "DtoH"})) return CopyWay::to_host;
  return CopyWay::other;
}

}  // namespace rpl
