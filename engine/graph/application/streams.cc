// SPDX-License-Identifier: MIT
// Streams that wait for each other though nothing recorded orders their work.
#include <fmt/format.h>

#include <map>

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

}  // namespace

Status add_streams(const Application& of, Found& out) {
  if (of.facts.fills.empty() || of.api == nullptr) return {};
  const std::vector<bool> nothing(of.graph.operations());
  const OverlapReport report = TRY(find_overlap(of.graph, nothing));
  std::vector<Place> where;
  for (const StreamOverlap& stream : report.streams) {
    const double share = static_cast<double>(stream.busy_ns) /
                         static_cast<double>(std::max<std::int64_t>(1, report.busy_ns));
    if (stream.stream == kNone || share < kOwnWork) continue;
    where.push_back(named_place(fmt::format("stream s{}", stream.stream), std::min(1.0, share)));
  }
  const double beside = static_cast<double>(report.concurrent_ns) /
                        static_cast<double>(std::max<std::int64_t>(1, report.busy_ns));
  if (where.size() < kStreams || beside > kBeside) return {};
  Otherwise apart;
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
           std::move(where),
           {{"of the busy time with two streams or more", beside, false},
            {"streams with work", static_cast<double>(report.streams.size()), false}},
           "streams wait for each other through recorded events alone, and kernels run "
           "side by side where the device has room; at the least each takes twice its "
           "part of it"));
  return {};
}

}  // namespace rpl::findings
