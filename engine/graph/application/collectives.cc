// SPDX-License-Identifier: MIT
// Collectives: how long ranks wait in them, and for whom.
#include <fmt/format.h>

#include <map>

#include "engine/base/numbers.h"
#include "engine/graph/application/finder.h"
#include "engine/graph/application/ranks.h"

namespace rpl::findings {
namespace {

constexpr std::size_t kEnough = 5;

using Lists = std::map<RankKey, std::vector<NodeId>>;

/// All ranks are recorded: who comes last, and what it would be worth if it came sooner.
void add_straggler(const Application& of, const Lists& ranks, std::size_t rounds, Found& out) {
  std::map<RankKey, std::int64_t> late_ns;
  std::map<RankKey, std::uint64_t> last;
  std::int64_t waited_ns = 0, balanced_ns = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    std::vector<std::pair<std::int64_t, RankKey>> starts;
    std::int64_t sum_ns = 0;
    for (const auto& [rank, list] : ranks) starts.emplace_back(of.graph.start_ns(list[i]), rank);
    std::ranges::sort(starts);
    const std::int64_t latest = starts.back().first;
    for (const auto& [start_ns, rank] : starts) sum_ns += latest - start_ns;
    waited_ns += sum_ns;
    balanced_ns += sum_ns / static_cast<std::int64_t>(starts.size());
    late_ns[starts.back().second] += latest - starts[starts.size() - 2].first;
    ++last[starts.back().second];
  }
  const auto worst =
      std::ranges::max_element(late_ns, {}, [](const auto& one) { return one.second; });
  const double share_last = static_cast<double>(last[worst->first]) / static_cast<double>(rounds);
  out.push_back(made(
      share_last >= kAlwaysTheSame ? Cause::straggler_rank : Cause::collective_wait,
      between(of.share(worst->second), of.share(balanced_ns)),
      {named_place(rank_text(of.graph.trace().entities(), worst->first.first, worst->first.second),
                   share_last)},
      {{"of the collectives it begins last", share_last, false},
       {"ranks", static_cast<double>(ranks.size()), false},
       {"of the span all other ranks wait together", of.share(waited_ns), false}},
      "at the least it begins each collective with the rank before it, at the most "
      "the work between "
      "collectives is divided evenly"));
}

/// One rank alone is recorded: collectives that take longer than others of their kind waited for somebody.
Status add_wait(const Application& of, const std::vector<NodeId>& list, Found& out) {
  std::map<std::uint32_t, std::vector<std::int64_t>> lengths;  // by launch configuration
  const auto length = [&](NodeId v) { return of.graph.end_ns(v) - of.graph.start_ns(v); };
  const auto launch = [&](NodeId v) { return of.graph.trace().columns().launch[v]; };
  std::int64_t total_ns = 0;
  for (const NodeId v : list) {
    lengths[launch(v)].push_back(length(v));
    total_ns += length(v);
  }
  constexpr std::size_t kTenth = 10;
  for (auto& [key, all] : lengths) std::ranges::sort(all);
  const auto with_part = [&](std::size_t part) -> Result<double> {
    Otherwise otherwise;
    otherwise.durations.resize(of.graph.operations());
    for (NodeId v = 0; v < of.graph.operations(); ++v)
      otherwise.durations[v] = of.graph.end_ns(v) - of.graph.start_ns(v);
    for (const NodeId v : list) {
      const auto& all = lengths[launch(v)];
      otherwise.durations[v] = std::min(length(v), all[all.size() / part]);
    }
    return of.saved(otherwise);
  };
  const double least = TRY(with_part(2)), most = TRY(with_part(kTenth));
  std::vector<NodeId> longest = list;
  std::ranges::stable_sort(longest, std::greater(), length);
  std::vector<Place> where;
  for (std::size_t i = 0; i < std::min(kPlaces, longest.size()); ++i) {
    const std::int64_t at_ns = of.graph.start_ns(longest[i]) - of.graph.span_ns().first;
    Place place = named_place(fmt::format("d{} of {}, {} from {} on", longest[i] + 1,
                                          kernel_text(of, of.graph.kernel_of(longest[i])),
                                          format_ns(length(longest[i])), format_ns(at_ns)),
                              static_cast<double>(length(longest[i])) /
                                  static_cast<double>(std::max<std::int64_t>(1, total_ns)));
    place.from_ns = at_ns;
    place.to_ns = at_ns + length(longest[i]);
    where.push_back(std::move(place));
  }
  out.push_back(made(Cause::collective_wait, between(least, most), std::move(where),
                     {{"collectives", static_cast<double>(list.size()), false},
                      {"of the span they take", of.share(total_ns), false}},
                     "collectives take no longer than the median of those launched alike, at the "
                     "most no longer than the fastest tenth; how many bytes each moves was not "
                     "recorded"));
  return {};
}

}  // namespace

Status add_collectives(const Application& of, Found& out) {
  const Lists ranks = TRY(collectives_by_rank(of.graph.trace()));
  if (ranks.empty()) return {};
  const std::size_t rounds = ranks.begin()->second.size();
  const bool alike =
      std::ranges::all_of(ranks, [&](const auto& one) { return one.second.size() == rounds; });
  if (ranks.size() > 1 && alike && rounds >= kEnough &&
      clocks_compare(of.graph.trace().entities())) {
    add_straggler(of, ranks, rounds, out);
    return {};
  }
  const auto most =
      std::ranges::max_element(ranks, {}, [](const auto& one) { return one.second.size(); });
  if (most->second.size() < kEnough) return {};
  return add_wait(of, most->second, out);
}

}  // namespace rpl::findings
