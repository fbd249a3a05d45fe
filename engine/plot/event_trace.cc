// SPDX-License-Identifier: MIT
#include "engine/plot/event_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/base/interrupt.h"
#include "engine/plot/chrome_writer.h"
#include "engine/plot/perfetto_writer.h"
#include "engine/plot/timeline.h"

namespace rpl {
namespace {

/// A row takes microseconds to write: many more of them would keep a Ctrl-C waiting.
constexpr std::uint64_t kRowsBetweenChecks = 4096;

/// The earliest time of anything that is written: the zero of the file.
Result<std::int64_t> earliest_ns(const Graph& graph, const EventOptions& options) {
  const Trace& trace = graph.trace();
  std::int64_t first = graph.operations() == 0 ? INT64_MAX : graph.span_ns().first;
  if (options.api && trace.presence().api) {
    for (const ApiCall& call : TRY(trace.api())->rows) first = std::min(first, call.start_ns);
  }
  if (options.markers && trace.presence().markers) {
    for (const Marker& marker : TRY(trace.markers())->rows)
      first = std::min(first, marker.start_ns);
  }
  return first == INT64_MAX ? 0 : first;
}

std::string size_text(const Dim3& size) {
  return fmt::format("{},{},{}", size[0], size[1], size[2]);
}

class Exporter {
 public:
  Exporter(const Graph& graph, const EventOptions& options, EventWriter& out)
      : graph_(graph), trace_(graph.trace()), options_(options), out_(out) {}

  Status run(const Monitor& monitor) {
    name_processes();
    if (options_.launch_arrows && trace_.presence().api) TRY(index_launches());
    TRY(operations(monitor));
    if (options_.api && trace_.presence().api) TRY(calls());
    if (options_.markers && trace_.presence().markers) TRY(markers());
    if (options_.counters && trace_.presence().counters) TRY(counters());
    if (options_.path && !out_.joins_by_number()) TRY(path_arrows());
    return out_.finish();
  }

 private:
  /// Hosts come first, then agents, then what ran on no known agent.
  [[nodiscard]] std::int64_t host_pid(std::uint32_t process) const {
    return 1 + std::int64_t{process};
  }
  [[nodiscard]] std::int64_t agent_pid(std::uint32_t agent) const {
    const auto hosts = static_cast<std::int64_t>(trace_.entities().processes.size());
    const auto agents = static_cast<std::int64_t>(trace_.entities().agents.size());
    return 1 + hosts + (agent == kNone ? agents : std::int64_t{agent});
  }

  void name_processes() {
    const TraceEntities& entities = trace_.entities();
    for (std::size_t i = 0; i < entities.processes.size(); ++i) {
      const Process& process = entities.processes[i];
      out_.name_process(host_pid(static_cast<std::uint32_t>(i)),
                        fmt::format("Host: process {} {}", process.pid, process.hostname));
    }
    for (std::size_t i = 0; i < entities.agents.size(); ++i) {
      const Agent& agent = entities.agents[i];
      if (!agent.gpu) continue;
      out_.name_process(agent_pid(static_cast<std::uint32_t>(i)),
                        fmt::format("GPU {}: {}", agent.type_index, agent.arch));
    }
    out_.name_process(agent_pid(kNone), "Device");
  }

  std::string lane_name(std::uint32_t stream, std::uint32_t queue) const {
    const TraceEntities& entities = trace_.entities();
    const auto called = [](const char* what, const auto& entity) {
      return entity.name.empty() ? fmt::format("{} {}", what, entity.handle) : entity.name;
    };
    if (stream < entities.streams.size()) return called("stream", entities.streams[stream]);
    if (queue < entities.queues.size()) return called("queue", entities.queues[queue]);
    return "operations";
  }

  Status index_launches() {
    const ApiTable& api = *TRY(trace_.api());
    launching_.resize(api.rows.size());
    for (std::size_t i = 0; i < api.rows.size(); ++i) {
      if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      const std::uint64_t correlation = api.rows.correlation(i);
      if (correlation == 0) continue;
      calls_by_correlation_[{api.rows.shape(i).process, correlation}] =
          static_cast<std::uint32_t>(i);
    }
    return {};
  }

  /// The row of the call; kNone: none is known.
  [[nodiscard]] std::uint32_t launching_call(std::uint32_t process,
                                             std::uint64_t correlation) const {
    const auto found = calls_by_correlation_.find({process, correlation});
    return correlation == 0 || found == calls_by_correlation_.end() ? kNone : found->second;
  }

  Status operations(const Monitor& monitor) {
    OperationsInWindow all(graph_, INT64_MIN, INT64_MAX);
    std::uint64_t count = 0;
    for (NodeId node = all.next(); node != kNoNode; node = all.next()) {
      if (++count % kRowsBetweenChecks == 0) {
        TRY(interrupt::check());
        monitor.report("writing operations", count, graph_.operations());
      }
      const bool is_copy = node >= graph_.dispatches();
      if (is_copy && !options_.copies) continue;
      TRY(is_copy ? copy(node) : dispatch(node));
    }
    return {};
  }

  TrackPlace place_of(std::uint32_t agent, std::uint32_t stream, std::uint32_t queue, NodeId node) {
    const std::int64_t track = stream != kNone  ? std::int64_t{stream}
                               : queue != kNone ? std::int64_t{queue} + (std::int64_t{1} << 32)
                                                : std::int64_t{1} << 33;
    return out_.place({agent_pid(agent), track, false},
                      {graph_.start_ns(node), graph_.end_ns(node)},
                      [&] { return lane_name(stream, queue); });
  }

  Status dispatch(NodeId node) {
    const Lane& lane = trace_.lane(node);
    const Launch& launch = trace_.launch(node);
    Slice slice;
    slice.name = operation_name(graph_, node);
    slice.category = "kernel";
    slice.start_ns = graph_.start_ns(node);
    slice.end_ns = graph_.end_ns(node);
    slice.place = place_of(lane.agent, lane.stream, lane.queue, node);
    using enum SliceArgument::Kind;
    slice.arguments = {
        {"id", text, fmt::format("d{}", node + 1)},
        {"dispatch_id", wide, {}, false, static_cast<std::uint64_t>(trace_.dispatch_id(node))},
        {"grid", text, size_text(launch.grid), true},
        {"workgroup", text, size_text(launch.workgroup), true},
        {"lds_bytes", number, {}, false, launch.lds_bytes}};
    const std::uint64_t correlation = correlation_of(node);
    TRY(launch_arrow(lane.process, correlation, slice));
    remember_if_on_path(node, slice);
    return out_.slice(slice);
  }

  [[nodiscard]] std::uint64_t correlation_of(NodeId dispatch) const {
    if (calls_by_correlation_.empty()) return 0;
    const auto& all = (*trace_.api())->dispatch_correlation;
    return dispatch < all.size() ? all[dispatch] : 0;
  }

  Status copy(NodeId node) {
    const Copy row = TRY(trace_.copies())->rows[node - graph_.dispatches()];
    Slice slice;
    slice.name = operation_name(graph_, node);
    slice.category = "copy";
    slice.start_ns = graph_.start_ns(node);
    slice.end_ns = graph_.end_ns(node);
    slice.place =
        place_of(timeline_entity(graph_, node, TimelineBy::agent), row.stream, row.queue, node);
    if (row.bytes != kUnknownBytes)
      slice.arguments = {{"bytes", SliceArgument::Kind::wide, {}, false, row.bytes}};
    TRY(launch_arrow(row.process, row.correlation, slice));
    remember_if_on_path(node, slice);
    return out_.slice(slice);
  }

  Status launch_arrow(std::uint32_t process, std::uint64_t correlation, Slice& to) {
    if (!options_.api) return {};
    const std::uint32_t row = launching_call(process, correlation);
    if (row == kNone) return {};
    const ApiCall call = (*trace_.api())->rows[row];
    to.flow = std::uint64_t{row} + 1;
    launching_[row] = true;
    // The call is not placed yet; calls of one thread nest, so that their first lane is the thread itself.
    const TrackPlace from{host_pid(process),
                          out_.first_lane({host_pid(process), call.thread, true})};
    return out_.arrow("launch", {from, call.start_ns}, {to.place, to.start_ns});
  }

  void remember_if_on_path(NodeId node, Slice& slice) {
    slice.on_path = options_.path && options_.path->on_path[node];
    if (slice.on_path && !out_.joins_by_number()) path_places_.emplace(node, slice.place);
  }

  Status calls() {
    const ApiTable& api = *TRY(trace_.api());
    std::uint64_t count = 0;
    for (const ApiCall& call : api.rows) {
      const std::uint64_t row = count;
      if (++count % kRowsBetweenChecks == 0) TRY(interrupt::check());
      Slice slice;
      slice.name = api.names[call.name];
      slice.category = api.names[call.category];
      slice.start_ns = call.start_ns;
      slice.end_ns = std::max(call.end_ns, call.start_ns);
      slice.place =
          out_.place({host_pid(call.process), call.thread, true}, {slice.start_ns, slice.end_ns},
                     [&] { return fmt::format("thread {}", call.thread); });
      slice.arguments = {{"correlation", SliceArgument::Kind::wide, {}, false, call.correlation}};
      if (row < launching_.size() && launching_[row]) slice.flow = row + 1;
      TRY(out_.slice(slice));
    }
    return {};
  }

  Status markers() {
    // Their own track: ranges of markers need not nest with the calls of their thread.
    constexpr std::int64_t kMarkers = std::int64_t{1} << 40;
    std::uint64_t count = 0;
    for (const Marker& marker : TRY(trace_.markers())->rows) {
      if (++count % kRowsBetweenChecks == 0) TRY(interrupt::check());
      Slice slice;
      slice.name = marker.text;
      slice.category = "marker";
      slice.start_ns = marker.start_ns;
      slice.end_ns = std::max(marker.end_ns, marker.start_ns);
      slice.place = out_.place({host_pid(marker.process), kMarkers + marker.thread, true},
                               {slice.start_ns, slice.end_ns},
                               [&] { return fmt::format("markers of thread {}", marker.thread); });
      TRY(out_.slice(slice));
    }
    return {};
  }

  Status counters() {
    const CounterTable& table = *TRY(trace_.counters());
    std::uint64_t count = 0;
    for (const CounterSample& sample : table.rows) {
      if (++count % kRowsBetweenChecks == 0) TRY(interrupt::check());
      const std::int64_t pid = agent_pid(trace_.lane(sample.dispatch).agent);
      TRY(out_.counter(pid, table.names[sample.counter], trace_.start_ns(sample.dispatch),
                       sample.sum));
      TRY(out_.counter(pid, table.names[sample.counter], trace_.end_ns(sample.dispatch), 0));
    }
    return {};
  }

  Status path_arrows() {
    if (options_.path->last == kNoNode) return {};
    Walk walk(graph_, options_.path->last);
    WalkStep step;
    NodeId later = kNoNode;
    for (std::uint64_t count = 1; walk.next(step); ++count) {
      if (count % kRowsBetweenChecks == 0) TRY(interrupt::check());
      const auto from = path_places_.find(step.node), to = path_places_.find(later);
      if (from != path_places_.end() && to != path_places_.end()) {
        // An arrow binds to the slice that is open at its time: the last nanosecond of one, the first of the other.
        const std::int64_t leave =
            std::max(graph_.start_ns(step.node), graph_.end_ns(step.node) - 1);
        TRY(out_.arrow("critical path", {from->second, leave},
                       {to->second, graph_.start_ns(later)}));
      }
      later = step.node;
    }
    return {};
  }

  struct CallKeyHash {
    std::size_t operator()(const std::pair<std::uint32_t, std::uint64_t>& key) const {
      return std::hash<std::uint64_t>{}(key.second * 31 + key.first);
    }
  };

  const Graph& graph_;
  const Trace& trace_;
  const EventOptions& options_;
  EventWriter& out_;
  std::unordered_map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t, CallKeyHash>
      calls_by_correlation_;
  std::vector<bool> launching_;  ///< by call: something that is written was launched by it
  std::unordered_map<NodeId, TrackPlace> path_places_;
};

/// Fails with what reading the earliest times fails with.
template <class Format>
Result<EventSummary> written(const Graph& graph, const EventOptions& options, const Sink& write,
                             const Monitor& monitor) {
  Format out(write, TRY(earliest_ns(graph, options)));
  TRY(Exporter(graph, options, out).run(monitor));
  return out.summary();
}

}  // namespace

Result<EventSummary> write_chrome_trace(const Graph& graph, const EventOptions& options,
                                        const Sink& write, const Monitor& monitor) {
  return written<ChromeWriter>(graph, options, write, monitor);
}

Result<EventSummary> write_perfetto_trace(const Graph& graph, const EventOptions& options,
                                          const Sink& write, const Monitor& monitor) {
  return written<PerfettoWriter>(graph, options, write, monitor);
}

}  // namespace rpl
