// SPDX-License-Identifier: MIT
// Every strategy against random search where the answer is known.
#include "tests/engine/tune/search/landscapes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/tune/search/simulate.h"

namespace rpl::tune {
namespace {

using testing_support::all_landscapes;
using testing_support::Landscape;

constexpr std::size_t kSeeds = 101;

/// Evaluations until the fastest one found is, without noise, within 5 % of the optimum; one more than the space has for never.
std::size_t needed(const Landscape& land, const std::string& strategy, std::uint64_t seed,
                   double goal) {
  auto search =
      Search::start(land.space, {.strategy = strategy, .seed = seed, .budget = land.space.size()});
  EXPECT_TRUE(search) << search.error().message;
  for (auto points = search->ask(1); !points.empty(); points = search->ask(1)) {
    search->tell(points[0], land.times[points[0]]);
    if (search->best() && *land.truth[*search->best()] <= goal) return search->told();
  }
  return land.space.size() + 1;
}

double median_needed(const std::vector<const Landscape*>& lands, const std::string& strategy) {
  std::vector<double> all;
  for (const Landscape* land : lands) {
    double optimum = 1e300;
    for (const auto& time : land->truth) optimum = std::min(optimum, time.value_or(1e300));
    for (std::size_t seed = 0; seed < kSeeds; ++seed)
      all.push_back(static_cast<double>(needed(*land, strategy, seed, 1.05 * optimum)));
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

/// The draws of one kind of landscape count together: seeds alone would judge the luck of one.
std::vector<std::vector<const Landscape*>> by_kind(const std::vector<Landscape>& lands) {
  std::vector<std::vector<const Landscape*>> out;
  for (const Landscape& land : lands) {
    if (land.name.starts_with("rugged: ") && !out.empty() &&
        out.back()[0]->name.starts_with("rugged: ")) {
      out.back().push_back(&land);
    } else {
      out.push_back({&land});
    }
  }
  return out;
}

TEST(Landscapes, TheDefaultStrategyNeedsHalfOfRandomOnSmoothOnesAndNoMuchMoreOnRuggedOnes) {
  const std::vector<Landscape> all = all_landscapes();
  for (const auto& lands : by_kind(all)) {
    const Landscape& land = *lands[0];
    const double random = median_needed(lands, "random");
    std::string line =
        fmt::format("{:<28} {} configurations; median evaluations to within 5 %: random {}",
                    land.name, land.space.size(), random);
    for (const std::string& strategy : strategy_names()) {
      if (strategy == "random" || strategy == "exhaustive") continue;
      const double median = median_needed(lands, strategy);
      line += fmt::format(", {} {}", strategy, median);
      if (strategy != "guided") continue;
      if (land.smooth) {
        EXPECT_LE(2 * median, random) << land.name;
      } else {
        EXPECT_LE(median, 1.2 * random) << land.name;
      }
    }
    std::printf("[   seen   ] %s\n", line.c_str());
  }
}

TEST(Landscapes, TheDefaultStrategyStopsByItselfNearTheOptimumOfSmoothOnes) {
  for (const Landscape& land : all_landscapes()) {
    if (!land.smooth) continue;
    const auto run = simulate(land.space, land.cache, {});
    ASSERT_TRUE(run);
    const double best = *std::ranges::min_element(land.truth, {}, [](const auto& time) {
                           return time.value_or(1e300);
                         })->operator->();
    std::printf("[   seen   ] %-28s stopped after %zu of %zu, %.1f %% from the optimum, r2 %.2f\n",
                land.name.c_str(), run->order.size(), land.space.size(),
                100 * (*land.truth[*run->best] / best - 1), run->model.r2.value_or(0));
    EXPECT_LT(run->order.size(), land.space.size() / 4) << land.name;
    EXPECT_LT(*land.truth[*run->best], 1.1 * best) << land.name;
  }
}

TEST(Landscapes, EqualSeedsGiveEqualRunsAndOthersDiffer) {
  for (const Landscape& land : all_landscapes()) {
    for (const std::string& strategy : strategy_names()) {
      const SearchOptions options{.strategy = strategy, .seed = 5, .budget = 120};
      const auto first = simulate(land.space, land.cache, options),
                 again = simulate(land.space, land.cache, options);
      ASSERT_TRUE(first && again);
      EXPECT_EQ(first->order, again->order) << land.name << ", " << strategy;
      const auto other =
          simulate(land.space, land.cache, {.strategy = strategy, .seed = 6, .budget = 120});
      ASSERT_TRUE(other);
      if (strategy != "exhaustive") {
        EXPECT_NE(first->order, other->order) << land.name << ", " << strategy;
      }
    }
  }
}

TEST(Landscapes, ResourcesOfTheCodeChangeNothing) {
  // VGPRs, LDS and occupancy are kept beside an evaluation; searching sees static parameters alone.
  for (Landscape land : all_landscapes()) {
    Cache with_facts, permuted;
    for (const Evaluation& one : land.cache.all()) {
      Evaluation a = one, b = one;
      const auto vgprs = static_cast<std::int64_t>(one.point % 256);
      a.facts = {
          {"vgprs", Value(vgprs)}, {"lds_bytes", Value(vgprs * 16)}, {"occupancy", Value(0.25)}};
      const auto other = static_cast<std::int64_t>((one.point * 7919) % 256);
      b.facts = {{"vgprs", Value(other)},
                 {"lds_bytes", Value(65536 - other)},
                 {"occupancy", Value(other % 2 == 0 ? 1.0 : 0.1)}};
      with_facts.add(std::move(a));
      permuted.add(std::move(b));
    }
    for (const std::string strategy : {"guided", "phases"}) {
      const auto first = simulate(land.space, with_facts, {.strategy = strategy}),
                 second = simulate(land.space, permuted, {.strategy = strategy});
      ASSERT_TRUE(first && second);
      EXPECT_EQ(first->order, second->order);
      EXPECT_EQ(first->model.pruned, second->model.pruned);
    }
  }
}

TEST(Landscapes, LowConfidenceIsSaidAndStillLeavesConfigurationsOut) {
  for (const Landscape& land : all_landscapes()) {
    for (const std::string strategy : {"guided", "phases"}) {
      const auto run = simulate(land.space, land.cache, {.strategy = strategy});
      ASSERT_TRUE(run);
      EXPECT_LT(run->order.size(), land.space.size()) << land.name << ", " << strategy;
      if (land.name == "rugged: nothing to learn") {
        EXPECT_TRUE(run->model.low_confidence) << strategy;
      }
      if (land.name == "smooth: degree 2") {
        EXPECT_FALSE(run->model.low_confidence) << strategy;
      }
    }
  }
}

TEST(Landscapes, TheRecordedOneOfTheExampleIsWonTooByTheDefaultStrategy) {
  const auto text = read_text_file(RPL_CACHE);
  ASSERT_TRUE(text) << text.error().message;
  const auto file = read_cache(*text);
  ASSERT_TRUE(file) << file.error().message;
  const auto race = race_against_random(file->space, file->cache, {}, kSeeds);
  ASSERT_TRUE(race);
  std::printf(
      "[   seen   ] tiled matmul on the emulated device: %zu configurations, random %g, guided "
      "%g\n",
      race->points, race->random_median, race->median);
  EXPECT_LT(race->median, race->random_median);
}

TEST(Landscapes, FailuresAreAnsweredWithoutATimeAndNeverWin) {
  const Landscape land = all_landscapes()[2];
  const auto run = simulate(land.space, land.cache, {});
  ASSERT_TRUE(run && run->best);
  EXPECT_TRUE(land.cache.find(*run->best)->ok);
  EXPECT_GT(land.cache.failures(), land.space.size() / 20);
}

}  // namespace
}  // namespace rpl::tune
