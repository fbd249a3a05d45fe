// SPDX-License-Identifier: MIT
// Streams that wait for each other though nothing recorded orders their work.
#include <fmt/format.h>

#include <map>
#include <set>

#include "engine/graph/application/finder.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/overlap.h"

namespace rpl::findings {
namespace {

/// A stream with less of the busy time is a side line.
constexpr double kOwnWork = 0.05;
/// Of the busy time in which two streams were busy: with more they do run beside each other.
constexpr double kBeside = 0.2;
constexpr std::size_t kStreams = 2;

/// Streams with work of their own, by their share of the busy time.
std::vector<std::pair<std::uint32_t, double>> working(const OverlapReport& report) {
  std::vector<std::pair<std::uint32_t, double>> out;
  for (const StreamOverlap& stream : report.streams) {
    const double share = static_cast<double>(stream.busy_ns) /
                         static_cast<double>(std::max<std::int64_t>(1, report.busy_ns));
    if (stream.stream != kNone && share >= kOwnWork)
      out.emplace_back(stream.stream, std::min(1.0, share));
  }
  return out;
}

/// Whether the streams run the same kernels and wait for each other's events: pieces of one work, that take turns. Streams of different work may be a pipeline, whose events are needed.
bool take_turns_by_events(const Application& of,
                          const std::vector<std::pair<std::uint32_t, double>>& streams) {
  const GraphArrays& arrays = of.graph.arrays();
  std::map<std::uint32_t, std::set<std::uint32_t>> kernels;
  std::uint64_t waits = 0;
  for (NodeId v = 0; v < of.graph.dispatches(); ++v) {
    kernels[of.graph.trace().lane(v).stream].insert(of.graph.kernel_of(v));
    waits += arrays.events_into(v).empty() ? 0 : 1;
  }
  if (waits < kAgainAndAgain) return false;
  return std::ranges::all_of(streams, [&](const auto& stream) {
    return kernels[stream.first] == kernels[streams.front().first];
  });
}

/// What makes them wait: the calls that wait for events, else what is asked of the null stream, else the streams themselves.
std::vector<Place> places_of(const Application& of, bool by_events,
                             const std::vector<std::pair<std::uint32_t, double>>& streams) {
  const GraphArrays& arrays = of.graph.arrays();
  CallPlaces calls(of);
  for (std::size_t i = 0; by_events && i < of.api->rows.size(); ++i) {
    const ApiCall call = of.api->rows[i];
    if (of.name_of(call) == "hipStreamWaitEvent") calls.add(call, 1);
  }
  const auto& known = of.graph.trace().entities().streams;
  for (NodeId v = 0; !by_events && v < of.graph.operations(); ++v) {
    const std::uint32_t key = arrays.key(v).stream;
    const std::uint32_t stream = key == kNone ? kNone : arrays.keys.stream(key).stream;
    if (stream == kNone || known[stream].name != kNullStreamName || !arrays.launched(v)) continue;
    // What comes before the work of the other streams holds nothing up.
    if (arrays.launch_ns(v) > of.first_launch_ns)
      calls.add(of.api->rows[arrays.launch_call[v]], std::max<std::int64_t>(1, arrays.duration(v)));
  }
  if (calls.count() >= kAgainAndAgain) return calls.most();
  std::vector<Place> out;
  for (const auto& [stream, share] : streams)
    out.push_back(named_place(fmt::format("stream s{}", stream), share));
  return out;
}

}  // namespace

Status add_streams(const Application& of, Found& out) {
  if (of.facts.fills.empty() || of.api == nullptr) return {};
  const std::vector<bool> nothing(of.graph.operations());
  const OverlapReport report = TRY(find_overlap(of.graph, nothing));
  const auto streams = working(report);
  const double beside = static_cast<double>(report.concurrent_ns) /
                        static_cast<double>(std::max<std::int64_t>(1, report.busy_ns));
  if (streams.size() < kStreams || beside > kBeside) return {};
  Otherwise apart;
  apart.free_events = take_turns_by_events(of, streams);
  if (apart.free_events) {
    for (const ApiCall& call : of.api->rows) {
      const std::string_view name = of.name_of(call);
      apart.free_calls.push_back(name == "hipStreamWaitEvent" || name == "hipEventRecord");
    }
  }
  apart.free_streams = of.facts.fills;
  if (of.syncs != nullptr) apart.no_wait.assign(of.syncs->rows.size(), true);
  const double most = TRY(of.saved(apart));
  for (double& fill : apart.free_streams) fill = std::min(1.0, 2 * fill);
  const double least = TRY(of.saved(apart));
  // What the host gains by not waiting at all is no matter of streams.
  Otherwise together;
  together.serial_device = true;
  together.no_wait = apart.no_wait;
  const double by_host = TRY(of.saved(together));
  // Of work in several streams each kernel begins a little later than of work in one.
  constexpr double kLater = 0.8;
  out.push_back(
      made(Cause::stream_serialization,
           between(kLater * std::max(0.0, least - by_host), std::max(0.0, most - by_host)),
           places_of(of, apart.free_events, streams),
           {{"of the busy time with two streams or more", beside, false},
            {"streams with work", static_cast<double>(report.streams.size()), false}},
           apart.free_events
               ? "streams that run the same kernels wait for no event of each other, whether what "
                 "they wait for is needed is not recorded; at the least each takes twice its part "
                 "of the device"
               : "streams wait for each other through recorded events alone, and kernels run "
                 "side by side where the device has room; at the least each takes twice its "
                 "part of it"));
  return {};
}

}  // namespace rpl::findings
