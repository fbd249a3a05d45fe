// SPDX-License-Identifier: MIT
#include "engine/tune/search/simulate.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "engine/base/interrupt.h"

namespace rpl::tune {
namespace {

double processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double kNsPerSecond = 1e9;
  return static_cast<double>(now.tv_sec) * kNsPerSecond + static_cast<double>(now.tv_nsec);
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::vector<double> median_curve(const std::vector<Simulation>& runs) {
  std::size_t length = runs.front().curve.size();
  for (const Simulation& run : runs) length = std::min(length, run.curve.size());
  std::vector<double> out;
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<double> here;
    for (const Simulation& run : runs) {
      if (run.curve[i]) here.push_back(*run.curve[i]);
    }
    out.push_back(here.empty() ? 0 : median_of(std::move(here)));
  }
  return out;
}

}  // namespace

Result<Simulation> simulate(const Space& space, const Cache& cache, const SearchOptions& options,
                            std::size_t batch) {
  Simulation out;
  const double began = processor_ns();
  Search search = TRY(Search::start(space, options));
  for (std::vector<std::size_t> points = search.ask(batch); !points.empty();
       points = search.ask(batch)) {
    TRY(interrupt::check());
    for (const std::size_t point : points) {
      const Evaluation* known = cache.find(point);
      if (known == nullptr)
        return fail(Errc::not_found,
                    fmt::format("the cache has no evaluation of {}", space.label(point)),
                    "simulate on the part that it has, or measure the rest");
      out.order.push_back(point);
      search.tell(point, known->time_ns());
    }
  }
  out.search_ns_per_evaluation =
      (processor_ns() - began) / static_cast<double>(std::max<std::size_t>(out.order.size(), 1));
  out.curve = search.curve();
  out.best = search.best();
  out.model = search.model();
  return out;
}

std::optional<std::size_t> evaluations_to_within(const Simulation& run, double share,
                                                 const std::vector<std::optional<double>>& times,
                                                 const std::vector<std::optional<double>>& truth) {
  double optimum = 1e300;
  for (const auto& time : truth) optimum = std::min(optimum, time.value_or(1e300));
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    const std::size_t point = run.order[i];
    if (!times[point]) continue;
    if (!best || *times[point] < *times[*best]) best = point;
    if (truth[*best].value_or(1e300) <= optimum * (1 + share)) return i + 1;
  }
  return std::nullopt;
}

Result<Race> race_against_random(const Space& space, const Cache& cache, SearchOptions options,
                                 std::size_t seeds) {
  std::vector<std::optional<double>> times(space.size());
  for (const Evaluation& one : cache.all()) times[one.point] = one.time_ns();
  options.budget = options.budget.value_or(space.size());
  Race out{.seeds = seeds, .points = space.size()};
  const auto medians = [&](const std::string& strategy, double& median,
                           std::vector<double>& curve) -> Status {
    std::vector<Simulation> runs;
    std::vector<double> needed;
    options.strategy = strategy;
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      options.seed = seed;
      runs.push_back(TRY(simulate(space, cache, options)));
      constexpr double kClose = 0.05;
      needed.push_back(static_cast<double>(
          evaluations_to_within(runs.back(), kClose, times, times).value_or(space.size() + 1)));
    }
    median = median_of(std::move(needed));
    curve = median_curve(runs);
    return {};
  };
  const std::string strategy = options.strategy;
  TRY(medians(strategy, out.median, out.curve));
  TRY(medians("random", out.random_median, out.random_curve));
  return out;
}

CacheFile cached_part(const Space& space, const Cache& cache) {
  std::vector<std::size_t> points;
  for (const Evaluation& one : cache.all()) points.push_back(one.point);
  std::ranges::sort(points);
  CacheFile out{.space = points.size() == space.size() ? space : space.restricted_to(points),
                .cache = {},
                .about = {}};
  for (Evaluation one : cache.all()) {
    one.point =
        static_cast<std::size_t>(std::ranges::lower_bound(points, one.point) - points.begin());
    out.cache.add(std::move(one));
  }
  return out;
}

std::vector<Importance> importance_of(const Space& space, const Cache& cache) {
  struct Group {
    double sum = 0;
    double count = 0;
  };
  constexpr double kFewest = 3;
  const std::size_t width = space.parameters().size();
  std::vector<std::vector<Group>> groups(width);
  for (std::size_t i = 0; i < width; ++i) groups[i].resize(space.parameters()[i].values.size());
  double sum = 0, squares = 0, n = 0;
  for (const Evaluation& one : cache.all()) {
    const auto time = one.time_ns();
    if (!time) continue;
    const double log_time = std::log(*time);
    sum += log_time;
    squares += log_time * log_time;
    n += 1;
    for (std::size_t i = 0; i < width; ++i) {
      Group& group = groups[i][space.places(one.point)[i]];
      group.sum += log_time;
      group.count += 1;
    }
  }
  std::vector<Importance> out;
  if (n < kFewest) return out;
  const double total = std::max(squares - sum * sum / n, 0.0);
  for (std::size_t i = 0; i < width; ++i) {
    double between = -sum * sum / n, used = 0;
    std::optional<std::size_t> best;
    for (std::size_t v = 0; v < groups[i].size(); ++v) {
      const Group& group = groups[i][v];
      if (group.count == 0) continue;
      between += group.sum * group.sum / group.count;
      used += 1;
      if (!best || group.sum / group.count < groups[i][*best].sum / groups[i][*best].count)
        best = v;
    }
    // What chance alone would put between groups is taken off (omega²).
    const double within = n > used ? (total - between) / (n - used) : 0;
    const double share =
        total > 0 ? std::clamp((between - (used - 1) * within) / (total + within), 0.0, 1.0) : 0;
    out.push_back({.parameter = space.parameters()[i].name,
                   .share = share,
                   .best_value = best ? space.parameters()[i].values[*best] : Value()});
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Importance::share);
  return out;
}

}  // namespace rpl::tune
