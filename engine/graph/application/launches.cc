// SPDX-License-Identifier: MIT
// What launching costs, what the host waits for, and what it does between its calls.
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "engine/base/stretches.h"
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
  std::vector<bool> all, needless;      ///< by row of the sync table
  std::uint64_t count = 0, needed = 0;  ///< needed: to read a result
  std::int64_t waited_ns = 0;
  std::vector<bool> results, reads;  ///< copies of results, by operation; their calls, by API row
};

/// A result that the host looks at is copied for its sake.
void note_result(const Application& of, NodeId operation, Waits& out) {
  out.results[operation] = true;
  const auto& calls = of.graph.arrays().launch_call;
  if (!calls.empty() && calls[operation] != kNone) out.reads[calls[operation]] = true;
}

/// Until when the device has work that was asked for before a time.
class Backlog {
 public:
  static Result<Backlog> of(const Graph& graph) {
    const GraphArrays& arrays = graph.arrays();
    Backlog out;
    auto& until = out.until_;
    for (NodeId v = 0; v < graph.operations(); ++v) {
      if (arrays.launched(v)) until.emplace_back(arrays.launch_ns(v), graph.end_ns(v));
    }
    TRY(interrupt::sort(until));
    for (std::size_t i = 1; i < until.size(); ++i)
      until[i].second = std::max(until[i].second, until[i - 1].second);
    return out;
  }
  [[nodiscard]] std::int64_t until_ns(std::int64_t asked_before_ns) const {
    const auto after = std::ranges::lower_bound(until_, asked_before_ns, {},
                                                &std::pair<std::int64_t, std::int64_t>::first);
    return after == until_.begin() ? 0 : std::prev(after)->second;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> until_;  ///< launch, and the last end so far
};

Result<Waits> waits_of(const Application& of, CallPlaces& places) {
  const GraphArrays& arrays = of.graph.arrays();
  Waits out;
  if (of.syncs == nullptr) return out;
  out.all.assign(of.syncs->rows.size(), false);
  out.needless.assign(of.syncs->rows.size(), false);
  out.results.assign(of.graph.operations(), false);
  out.reads.assign(of.api->rows.size(), false);
  const Backlog backlog = TRY(Backlog::of(of.graph));
  for (const HostWait& wait : arrays.waits) {
    const SyncOp& op = of.syncs->rows[wait.row];
    // Behind the last launch nothing is held up, nor where the device has more to do than what is waited for.
    if (op.start_ns > of.last_launch_ns || backlog.until_ns(wait.start_ns) > wait.end_ns) continue;
    bool reads = false, little = false, held = false;
    std::vector<NodeId> results;
    for (const NodeId v : arrays.waited_by(wait)) {
      held |= of.graph.end_ns(v) > wait.start_ns;
      if (v < of.graph.dispatches()) continue;
      const Copy copy = of.copies->rows[v - of.graph.dispatches()];
      const bool comes = way_of(*of.copies, copy) == CopyWay::to_host;
      reads |= comes;
      little |= copy.bytes <= kLittle;
      if (comes && copy.bytes <= kLittle) results.push_back(v);
    }
    const bool is_wait = is_explicit(op.kind);
    if (!is_wait && !(op.kind == SyncKind::blocking_copy && reads && little)) continue;
    out.all[wait.row] = true;
    out.needless[wait.row] = is_wait && !reads;
    for (const NodeId v : results) note_result(of, v, out);
    if (!held) continue;
    out.needed += out.needless[wait.row] ? 0 : 1;
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

/// Launches of kernels that take no more than so many times what launching costs: others are not short.
constexpr std::int64_t kShort = 2;
std::vector<bool> short_kernels(const Application& of) {
  const Graph& graph = of.graph;
  const std::int64_t most_ns = kShort * of.launch_latency_ns;
  std::vector<bool> out(graph.dispatches());
  for (NodeId v = 0; v < graph.dispatches(); ++v)
    out[v] = graph.arrays().launched(v) && graph.end_ns(v) - graph.start_ns(v) <= most_ns;
  return out;
}

/// Copies between host and device, which no kernel is fused over.
std::uint64_t transfers_of(const Application& of) {
  if (of.copies == nullptr) return 0;
  return static_cast<std::uint64_t>(std::ranges::count_if(of.copies->rows, [&](const Copy& copy) {
    return way_of(*of.copies, copy) != CopyWay::other;
  }));
}

/// The kernels that are launched most often, and from where, as places; of those that `counts`.
std::vector<Place> most_launched(const Application& of, const std::vector<bool>& counts) {
  std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> launches;
  for (NodeId v = 0; v < of.graph.dispatches(); ++v) {
    if (counts[v]) ++launches[{of.graph.kernel_of(v), site_of(of, v)}];
  }
  std::vector<std::tuple<std::uint64_t, std::uint32_t, std::string>> sorted;
  for (const auto& [key, count] : launches) sorted.emplace_back(count, key.first, key.second);
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const auto& one) { return std::get<std::uint64_t>(one); });
  if (sorted.size() > kPlaces) sorted.resize(kPlaces);
  std::vector<Place> out;
  for (const auto& [count, kernel, site] : sorted) {
    out.push_back(kernel_place(of, kernel, count,
                               static_cast<double>(count) / std::max(1U, of.graph.dispatches())));
    out.back().source = site;
  }
  return out;
}

/// Durations of the `short` ones without what each dispatch takes to begin and to end, and to load and store what its neighbours have: three quarters of the shortest of them, and of what
/// a launch has to wait at the least. Where it is one kernel that is launched for one piece after the other, the pieces go side by side as far as the device has room.
std::vector<std::int64_t> fused(const Application& of, const std::vector<bool>& is_short) {
  const Graph& graph = of.graph;
  std::vector<std::int64_t> out;
  for (NodeId v = 0; v < graph.operations(); ++v)
    out.push_back(std::max<std::int64_t>(0, graph.end_ns(v) - graph.start_ns(v)));
  const auto kernels = std::span(out).first(graph.dispatches());
  if (kernels.empty()) return out;
  const std::int64_t fixed_ns =
      std::min(*std::ranges::min_element(kernels), of.launch_latency_ns) / 4 * 3;
  std::map<std::uint32_t, std::uint64_t> launches;
  for (NodeId v = 0; v < graph.dispatches(); ++v)
    launches[graph.kernel_of(v)] += is_short[v] ? 1 : 0;
  for (NodeId v = 0; v < graph.dispatches(); ++v) {
    if (!is_short[v]) continue;
    kernels[v] -= fixed_ns;
    const std::uint32_t launch = graph.trace().columns().launch[v];
    const bool alone = launches[graph.kernel_of(v)] * 10 >= 9 * std::uint64_t{graph.dispatches()};
    if (alone && launch < of.facts.fills.size())
      kernels[v] = std::llround(static_cast<double>(kernels[v]) * of.facts.fills[launch]);
  }
  return out;
}

/// Of the span, the time in which nothing runs on a device, and what fused kernels save: launching costs no more than that, whatever order else is lost with it.
Result<double> most_for_launching(const Application& of,
                                  const std::vector<std::int64_t>& fused_ns) {
  std::vector<std::pair<std::int64_t, std::int64_t>> busy;
  std::int64_t saved_ns = 0;
  for (NodeId v = 0; v < of.graph.operations(); ++v) {
    busy.emplace_back(of.graph.start_ns(v), of.graph.end_ns(v));
    if (v < fused_ns.size()) saved_ns += of.graph.end_ns(v) - of.graph.start_ns(v) - fused_ns[v];
  }
  TRY(interrupt::sort(busy));
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

/// What launching short kernels costs, once the waits of `no_waits` are gone, which saves `without_waits`.
Status add_launch_bound(const Application& of, const Waits& waits, const Otherwise& no_waits,
                        double without_waits, Found& out) {
  const std::vector<bool> is_short = short_kernels(of);
  const auto launches = static_cast<std::uint64_t>(std::ranges::count(is_short, true));
  // A few launches are no loop of them. Where the host reads a result in between, or copies, kernels cannot be fused; where it waits for each launch, that is what costs.
  constexpr std::uint64_t kManyLaunches = 16, kInARow = 4, kTwo = 2;
  if (launches < kManyLaunches || std::max(waits.needed, transfers_of(of)) * kInARow > launches ||
      waits.count * kTwo > launches)
    return {};
  Otherwise otherwise = no_waits;
  otherwise.launch = 0;
  otherwise.launches = is_short;
  // Kernels that become one begin and end once.
  otherwise.durations = fused(of, is_short);
  const double all = std::min(TRY(of.saved(otherwise)) - without_waits,
                              TRY(most_for_launching(of, otherwise.durations)));
  std::int64_t kernels_ns = 0;
  for (NodeId v = 0; v < of.graph.dispatches(); ++v)
    kernels_ns += is_short[v] ? of.graph.end_ns(v) - of.graph.start_ns(v) : 0;
  constexpr double kHalf = 0.5;
  out.push_back(
      made(Cause::launch_bound, between(kHalf * all, all), most_launched(of, is_short),
           {{"launches of short kernels", static_cast<double>(launches), false},
            {"us, their mean duration",
             static_cast<double>(kernels_ns) / 1000 / static_cast<double>(launches), false}},
           "launching short kernels costs nothing, nor does beginning and ending them; "
           "at the least half of it, as where pairs of kernels are fused"));
  return {};
}

}  // namespace

Status add_launches(const Application& of, Found& out) {
  if (of.api == nullptr || of.last_launch_ns <= of.first_launch_ns) return {};
  CallPlaces places(of);
  const Waits waits = TRY(waits_of(of, places));
  Otherwise no_waits;
  no_waits.serial_device = true;
  double without_waits = 0;
  if (waits.count >= kAgainAndAgain) {
    no_waits.no_wait = waits.needless;
    const double least = TRY(of.saved(no_waits));
    no_waits.no_wait = waits.all;
    no_waits.gap_ns = of.follow_gap_ns;
    without_waits = TRY(of.saved(no_waits));
    // Where a result is looked at less often, it is not copied either.
    Otherwise no_reads = no_waits;
    no_reads.absent = waits.results;
    no_reads.free_calls = waits.reads;
    const double most = std::max(without_waits, TRY(of.saved(no_reads)));
    out.push_back(
        made(Cause::host_sync_bound, between(least, most), places.most(),
             {{"times the host waits for the device, and launches then",
               static_cast<double>(waits.count), false},
              {"of the span it waits", of.share(waits.waited_ns), false}},
             "the host goes on without waiting; at the least where it reads no result, at the "
             "most with no result read"));
  }
  TRY(add_launch_bound(of, waits, no_waits, without_waits, out));
  return add_host_time(of, out);
}

}  // namespace rpl::findings
