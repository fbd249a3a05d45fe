// SPDX-License-Identifier: MIT
#include "engine/graph/application/application.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/graph/application/finder.h"
#include "engine/graph/graph_arrays.h"

namespace rpl::findings {
namespace {

/// What a symptom must be worth, and the part of it that a cause with a remedy of its own explains away.
constexpr double kWorthASymptom = 0.2, kExplained = 0.5;

double middle(const Finding& one) { return one.worth ? (one.worth->low + one.worth->high) / 2 : 0; }

Result<Application> application_of(const Graph& graph, const ApplicationFacts& facts,
                                   const Sites& sites) {
  const GraphArrays& arrays = graph.arrays();
  const auto [begin_ns, end_ns] = graph.span_ns();
  const CopyTable* copies = graph.copies() == nullptr ? nullptr : TRY(graph.trace().copies());
  Application out{graph, facts, arrays.api, arrays.syncs, copies, sites, end_ns - begin_ns};
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
  for (NodeId v = 0; v < graph.operations(); ++v) {
    if (!arrays.launched(v)) continue;
    first = std::min(first, arrays.launch_ns(v));
    last = std::max(last, arrays.launch_ns(v));
  }
  if (last > 0) {
    out.first_launch_ns = first;
    out.last_launch_ns = last;
  }
  const LaunchTimes times = TRY(launch_times(graph));
  out.launch_latency_ns = times.latency_ns;
  out.follow_gap_ns = times.neighbour_gap_ns.value_or(times.latency_ns / 2);
  return out;
}

Finding nothing_of_note(const Application& of) {
  std::int64_t busy_ns = 0, until_ns = 0;
  for (NodeId v = 0; v < of.graph.dispatches(); ++v) {
    const std::int64_t from_ns = std::max(of.graph.start_ns(v), until_ns),
                       to_ns = of.graph.end_ns(v);
    if (v == 0) until_ns = of.graph.start_ns(v);
    if (to_ns > from_ns) busy_ns += to_ns - from_ns;
    until_ns = std::max(until_ns, to_ns);
  }
  Finding out = made(Cause::nothing_of_note, std::nullopt, {},
                     {{"of the span kernels run", of.share(busy_ns), false}}, "");
  out.remedy = "look at the kernels: the application around them costs too little to speak of";
  return out;
}

/// Keeps what is worth telling, the most first.
void keep_told(Found& found) {
  // What launches cost while streams take turns is the fault of the order.
  const auto order = std::ranges::find(found, Cause::stream_serialization, &Finding::cause);
  if (order != found.end() && middle(*order) > 0)
    std::erase_if(found, [&](const Finding& one) {
      return one.cause == Cause::launch_bound && middle(one) < middle(*order);
    });
  std::ranges::stable_sort(found, std::greater(), middle);
  double best = 0;
  for (const Finding& one : found) {
    if (!info(one.cause).symptom) best = std::max(best, middle(one));
  }
  std::erase_if(found, [&](const Finding& one) {
    if (!one.worth) return false;
    if (!info(one.cause).symptom) return one.worth->high < kWorthTelling;
    return middle(one) * 2 < kWorthASymptom || best > kExplained * one.worth->high;
  });
}

}  // namespace

Worth around(double worth) {
  if (worth < kWorthTelling) return {};
  return {std::max(0.0, worth - kAround), std::min(1.0, worth + kAround)};
}

Worth between(double one, double other) {
  const double low = std::clamp(std::min(one, other), 0.0, 1.0),
               high = std::clamp(std::max(one, other), 0.0, 1.0);
  if (high < kWorthTelling) return {};
  return {.low = std::max(0.0, low - kAround), .high = std::min(1.0, high + kAround)};
}

Place named_place(std::string what, double share) {
  Place out;
  out.what = std::move(what);
  out.share = std::clamp(share, 0.0, 1.0);
  return out;
}

std::string kernel_text(const Application& of, std::uint32_t kernel) {
  constexpr std::size_t kWidth = 32;
  if (kernel >= of.graph.trace().kernels().size()) return "a copy";
  const Kernel& named = of.graph.trace().kernels()[kernel];
  std::string name = short_kernel(named.name);
  name.resize(std::min(name.size(), name.find_first_of("<(,")));
  return name.empty() ? named.id : fmt::format("{} {}", named.id, elide_middle(name, kWidth));
}

Place kernel_place(const Application& of, std::uint32_t kernel, std::uint64_t count, double share) {
  return named_place(fmt::format("{}, {} launches", kernel_text(of, kernel), format_count(count)),
                     share);
}

const std::string& site_of(const Application& of, NodeId operation) {
  static const std::string kUnknown;
  const auto& calls = of.graph.arrays().launch_call;
  if (of.api == nullptr || calls.empty() || calls[operation] == kNone) return kUnknown;
  return of.sites.text(of.api->rows[calls[operation]]);
}

void CallPlaces::add(const ApiCall& call, std::int64_t ns) {
  const std::string& site = of_.sites.text(call);
  auto known = std::ranges::find_if(
      by_name_, [&](const Counted& one) { return one.name == call.name && one.site == site; });
  if (known == by_name_.end()) {
    by_name_.push_back({.name = call.name, .site = site, .from_ns = call.start_ns});
    known = std::prev(by_name_.end());
  }
  ++known->count;
  known->total_ns += ns;
  known->to_ns = std::max(known->to_ns, call.end_ns);
  ++count_;
  total_ns_ += ns;
}

std::vector<Place> CallPlaces::most() const {
  std::vector<Counted> sorted = by_name_;
  std::ranges::stable_sort(sorted, std::greater(), &Counted::total_ns);
  if (sorted.size() > kPlaces) sorted.resize(kPlaces);
  std::vector<Place> out;
  const std::int64_t begin_ns = of_.graph.span_ns().first;
  for (const Counted& one : sorted) {
    Place place = named_place(fmt::format("{}, {} call{}", of_.api->names[one.name], one.count,
                                          one.count == 1 ? "" : "s"),
                              static_cast<double>(one.total_ns) /
                                  static_cast<double>(std::max<std::int64_t>(1, total_ns_)));
    place.source = one.site;
    place.from_ns = one.from_ns - begin_ns;
    place.to_ns = one.to_ns - begin_ns;
    out.push_back(std::move(place));
  }
  return out;
}

Finding made(Cause cause, std::optional<Worth> worth, std::vector<Place> where,
             std::vector<Evidence> evidence, std::string assumes) {
  Finding out{.cause = cause, .where = std::move(where), .evidence = std::move(evidence)};
  if (out.where.size() > 2 * kPlaces) out.where.resize(2 * kPlaces);
  out.worth = worth;
  out.assumes = std::move(assumes);
  const auto first = [](const std::string& text) { return text.substr(0, text.find(',')); };
  std::string place = "the program";
  if (!out.where.empty()) {
    const Place& most = out.where.front();
    place = first(most.what.value_or(most.source));
    if (most.what && !most.source.empty()) place += " (" + first(most.source) + ")";
  }
  out.remedy = remedy_at(cause, place);
  return out;
}

bool is_of_application(Cause cause) {
  return cause >= Cause::launch_bound && cause <= Cause::straggler_rank;
}

Result<Findings> find_in_application(const Graph& graph, const ApplicationFacts& facts,
                                     const Monitor& monitor) {
  monitor.report("scheduling again", 0, graph.operations());
  const Sites sites(TRY(graph.trace().call_sites()));
  const Application of = TRY(application_of(graph, facts, sites));
  Findings out;
  if (of.span_ns > 0) {
    TRY(add_calls(of, out.all));
    TRY(add_launches(of, out.all));
    TRY(add_copies(of, out.all));
    TRY(add_streams(of, out.all));
    TRY(add_collectives(of, out.all));
    TRY(add_idle(of, out.all));
  }
  keep_told(out.all);
  for (const Finding& one : out.all) {
    if (!one.worth) continue;
    out.without_faults.low = std::max(out.without_faults.low, one.worth->low);
    out.without_faults.high = std::max(out.without_faults.high, one.worth->high);
  }
  if (out.all.empty()) out.all.push_back(nothing_of_note(of));
  return out;
}

}  // namespace rpl::findings
