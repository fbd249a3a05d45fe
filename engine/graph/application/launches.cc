// SPDX-License-Identifier: MIT
// What launching costs, what the host waits for, and what it does between its calls.
#include <map>
#include <span>

#include "engine/graph/application/finder.h"
#include "engine/graph/graph_arrays.h"

namespace rpl::findings {
namespace {

/// Copies of so few bytes are results that the host looks at, not data that it moves.
constexpr std::uint64_t kLittle = std::uint64_t{64} << 10;

bool is_explicit(SyncKind kind) {
  return kind == SyncKind::stream_synchronize || kind == SyncKind::device_synchronize ||
         kind == SyncKind::event_synchronize;
}

/// The waits of host threads behind which something was launched.
struct Waits {
  std::vector<bool> all, needless;  ///< by row of the sync table
  std::uint64_t count = 0;
  std::int64_t waited_ns = 0;
};

Waits waits_of(const Application& of, CallPlaces& places) {
  const GraphArrays& arrays = of.graph.arrays();
  Waits out;
  if (of.syncs == nullptr) return out;
  out.all.assign(of.syncs->rows.size(), false);
  out.needless.assign(of.syncs->rows.size(), false);
  for (const HostWait& wait : arrays.waits) {
    const SyncOp& op = of.syncs->rows[wait.row];
    // Behind the last launch nothing is held up.
    if (op.start_ns > of.last_launch_ns) continue;
    bool reads = false, little = false, held = false;
    for (const NodeId v : arrays.waited_by(wait)) {
      held |= of.graph.end_ns(v) > wait.start_ns;
      if (v < of.graph.dispatches()) continue;
      const Copy copy = of.copies->rows[v - of.graph.dispatches()];
      reads |= way_of(*of.copies, copy) == CopyWay::to_host;
      little |= copy.bytes <= kLittle;
    }
    const bool is_wait = is_explicit(op.kind);
    if (!is_wait && !(op.kind == SyncKind::blocking_copy && reads && little)) continue;
    out.all[wait.row] = true;
    out.needless[wait.row] = is_wait && !reads;
    if (!held) continue;
    ++out.count;
    out.waited_ns += wait.end_ns - wait.start_ns;
    const auto key = [](const ApiCall& call) {
      return std::tuple(call.process, call.thread, call.start_ns);
    };
    const auto call = std::ranges::lower_bound(
        of.api->rows, std::tuple(op.process, op.thread, op.start_ns), {}, key);
    if (call != of.api->rows.end() && call->start_ns == op.start_ns)
      places.add(*call, wait.end_ns - wait.start_ns);
  }
  return out;
}

std::uint64_t launches_of(const Application& of) {
  std::uint64_t count = 0;
  for (const std::uint32_t call : of.graph.arrays().launch_call) count += call != kNone ? 1 : 0;
  return count;
}

/// The kernels that are launched most often, as places.
std::vector<Place> most_launched(const Application& of) {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (NodeId v = 0; v < of.graph.dispatches(); ++v) ++counts[of.graph.kernel_of(v)];
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted;
  for (const auto& [kernel, count] : counts) sorted.emplace_back(count, kernel);
  std::ranges::sort(sorted, std::greater());
  if (sorted.size() > kPlaces) sorted.resize(kPlaces);
  std::vector<Place> out;
  for (const auto& [count, kernel] : sorted)
    out.push_back(kernel_place(of, kernel, count,
                               static_cast<double>(count) / std::max(1U, of.graph.dispatches())));
  return out;
}

/// Durations without what each dispatch takes to begin and to end, and to load and store what its neighbours have: three quarters of the shortest of them, and of what a launch has to wait
/// at the least.
std::vector<std::int64_t> fused(const Graph& graph) {
  std::vector<std::int64_t> out;
  for (NodeId v = 0; v < graph.operations(); ++v)
    out.push_back(std::max<std::int64_t>(0, graph.end_ns(v) - graph.start_ns(v)));
  const auto kernels = std::span(out).first(graph.dispatches());
  if (kernels.empty()) return out;
  const std::int64_t latency_ns = launch_latency_ns(graph);
  const std::int64_t fixed_ns = std::min(*std::ranges::min_element(kernels), latency_ns) / 4 * 3;
  // Of what takes longer than launching does that is nothing to speak of.
  for (std::int64_t& one : kernels) one -= one <= latency_ns ? fixed_ns : 0;
  return out;
}

/// Of the span, the time in which nothing runs on a device, and what fused kernels save: launching costs no more than that, whatever order else is lost with it.
double most_for_launching(const Application& of, const std::vector<std::int64_t>& fused_ns) {
  std::vector<std::pair<std::int64_t, std::int64_t>> busy;
  std::int64_t saved_ns = 0;
  for (NodeId v = 0; v < of.graph.operations(); ++v) {
    busy.emplace_back(of.graph.start_ns(v), of.graph.end_ns(v));
    if (v < fused_ns.size()) saved_ns += of.graph.end_ns(v) - of.graph.start_ns(v) - fused_ns[v];
  }
  std::ranges::sort(busy);
  std::int64_t until_ns = busy.empty() ? 0 : busy.front().first, idle_ns = 0;
  for (const auto& [start_ns, end_ns] : busy) {
    idle_ns += std::max<std::int64_t>(0, start_ns - until_ns);
    until_ns = std::max(until_ns, end_ns);
  }
  if (!busy.empty()) idle_ns += busy.front().first - of.graph.span_ns().first;
  return of.share(idle_ns + saved_ns);
}

/// What the host does between its calls.
Status add_host_time(const Application& of, Found& out) {
  Otherwise busy;
  busy.serial_device = true;
  busy.host_between = false;
  const double between_calls = TRY(of.saved(busy));
  if (between_calls >= kWorthTelling) {
    out.push_back(made(
        Cause::idle_device, around(between_calls),
        {named_place("host code between the calls of a launching thread", 1)},
        {{"of the span is saved if the host takes no time between its calls", between_calls, true}},
        "the host takes no time between its calls"));
  }
  return {};
}

}  // namespace

Status add_launches(const Application& of, Found& out) {
  if (of.api == nullptr || of.last_launch_ns <= of.first_launch_ns) return {};
  CallPlaces places(of);
  const Waits waits = waits_of(of, places);
  Otherwise no_waits;
  no_waits.serial_device = true;
  double without_waits = 0;
  if (waits.count >= kAgainAndAgain) {
    no_waits.no_wait = waits.needless;
    const double least = TRY(of.saved(no_waits));
    no_waits.no_wait = waits.all;
    // Where no two neighbours show how soon one follows the other, it may be at once.
    no_waits.gap_ns = neighbour_gap_ns(of.graph).value_or(0);
    without_waits = TRY(of.saved(no_waits));
    out.push_back(made(Cause::host_sync_bound, between(least, without_waits), places.most(),
                       {{"times the host waits for the device, and launches then",
                         static_cast<double>(waits.count), false},
                        {"of the span it waits", of.share(waits.waited_ns), false}},
                       "the host goes on without waiting; at the least where it reads no result"));
  }
  // A few launches are no loop of them.
  constexpr std::uint64_t kManyLaunches = 10;
  if (launches_of(of) < kManyLaunches) return add_host_time(of, out);
  // What launches cost while the host waits in between is the fault of the waits.
  Otherwise launches = no_waits;
  launches.launch = 0;
  // Kernels that become one begin and end once. Where the host waits between them, or copies, they are none in a row.
  constexpr std::uint64_t kInARow = 4;
  const std::uint64_t copies = of.copies == nullptr ? 0 : of.copies->rows.size();
  if (std::max(waits.count, copies) * kInARow <= launches_of(of))
    launches.durations = fused(of.graph);
  const double all =
      std::min(TRY(of.saved(launches)) - without_waits, most_for_launching(of, launches.durations));
  launches.durations.clear();
  constexpr double kHalf = 0.5;
  launches.launch = kHalf;
  const double half = std::min(all, TRY(of.saved(launches)) - without_waits);
  std::int64_t kernels_ns = 0;
  for (NodeId v = 0; v < of.graph.dispatches(); ++v)
    kernels_ns += of.graph.end_ns(v) - of.graph.start_ns(v);
  // Kernels that take so many times what a launch costs are not short.
  constexpr double kLong = 8;
  if (of.share(kernels_ns) > kLong * all) return add_host_time(of, out);
  out.push_back(
      made(Cause::launch_bound, between(half, all), most_launched(of),
           {{"launches", static_cast<double>(launches_of(of)), false},
            {"us, mean duration of a kernel",
             static_cast<double>(kernels_ns) / 1000 / std::max(1U, of.graph.dispatches()), false}},
           "launching costs nothing, nor does beginning and ending a kernel; at the least half of "
           "what launching costs, as where pairs of kernels are fused"));
  return add_host_time(of, out);
}

}  // namespace rpl::findings
