// SPDX-License-Identifier: MIT
#include "engine/tune/search/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/tune/search/simulate.h"
#include "tests/engine/tune/search/landscapes.h"

namespace rpl::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Space line_of(std::size_t count) {
  Parameter parameter{"N", {}};
  for (std::size_t i = 0; i < count; ++i)
    parameter.values.emplace_back(static_cast<std::int64_t>(i));
  return *Space::product({parameter}, {});
}

/// All that a strategy asks for when N = 7 is fastest.
std::vector<std::size_t> order_of(const Space& space, const SearchOptions& options,
                                  std::size_t batch = 1) {
  auto search = Search::start(space, options);
  EXPECT_TRUE(search) << search.error().message;
  std::vector<std::size_t> out;
  for (auto points = search->ask(batch); !points.empty(); points = search->ask(batch)) {
    EXPECT_LE(points.size(), batch);
    for (const std::size_t point : points) {
      out.push_back(point);
      search->tell(point, 100.0 + std::abs(static_cast<double>(point) - 7));
    }
  }
  return out;
}

TEST(Search, MeasuresTheDefaultFirst) {
  Space space = line_of(20);
  ASSERT_TRUE(space.set_default({{"N", Value(12)}}));
  for (const std::string& strategy : strategy_names())
    EXPECT_EQ(order_of(space, {.strategy = strategy}).front(), 12U) << strategy;
}

TEST(Search, NeverMeasuresAConfigurationTwice) {
  const Space space = line_of(40);
  for (const std::string& strategy : strategy_names()) {
    for (const std::size_t batch : {1U, 7U}) {
      const auto order = order_of(space, {.strategy = strategy, .budget = 40}, batch);
      EXPECT_EQ(std::set(order.begin(), order.end()).size(), order.size()) << strategy;
    }
  }
}

TEST(Search, MeasuresAllOfThreeAndLessOfMore) {
  for (const std::string& strategy : strategy_names()) {
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 12U, 40U}) {
      const auto order = order_of(line_of(count), {.strategy = strategy});
      if (count <= 3 || strategy == "exhaustive") {
        EXPECT_EQ(order.size(), count) << strategy;
      } else {
        EXPECT_LT(order.size(), count) << strategy << " of " << count;
      }
    }
  }
}

TEST(Search, EveryStrategyCanMeasureEverythingWhenTheBudgetAllows) {
  const Space space = line_of(30);
  for (const std::string strategy : {"random", "local", "exhaustive"})
    EXPECT_EQ(order_of(space, {.strategy = strategy, .budget = 30}).size(), 30U) << strategy;
}

TEST(Search, KeepsToItsBudget) {
  const Space space = line_of(30);
  for (const std::string& strategy : strategy_names())
    EXPECT_EQ(order_of(space, {.strategy = strategy, .budget = 9}, 4).size(), 9U) << strategy;
}

TEST(Search, GivesTheBestSoFarAfterEachAnswer) {
  const Space space = line_of(5);
  auto search = Search::start(space, {.strategy = "exhaustive"});
  ASSERT_TRUE(search);
  const std::optional<double> times[] = {std::nullopt, 5.0, 7.0, 4.0, std::nullopt};
  for (const auto& time : times) search->tell(search->ask(1).at(0), time);
  EXPECT_THAT(search->curve(), ElementsAre(std::nullopt, 5.0, 5.0, 4.0, 4.0));
  EXPECT_EQ(search->best(), 3U);
}

TEST(Search, PhasesPrunesWhatItsModelFindsSlow) {
  const Space space = line_of(60);
  auto search = Search::start(space, {.strategy = "phases", .seed = 1});
  ASSERT_TRUE(search);
  std::vector<std::size_t> order;
  for (auto points = search->ask(1); !points.empty(); points = search->ask(1)) {
    order.push_back(points[0]);
    search->tell(points[0], std::exp(0.1 * static_cast<double>(points[0])));
  }
  // A fifth of the space and the default come first; of the rest only what is within 1.75 times the best is confirmed.
  EXPECT_GT(search->model().pruned, 35U);
  EXPECT_LT(order.size(), 25U);
  EXPECT_FALSE(search->model().low_confidence);
  EXPECT_EQ(search->best(), 0U);
}

TEST(Search, ALargerPruneFactorPrunesLess) {
  const auto land = testing_support::all_landscapes()[0];
  const auto strict =
      simulate(land.space, land.cache,
               {.strategy = "phases", .prune_factor = 1.0, .budget = land.space.size()});
  const auto loose =
      simulate(land.space, land.cache,
               {.strategy = "phases", .prune_factor = 3.0, .budget = land.space.size()});
  ASSERT_TRUE(strict && loose);
  EXPECT_LT(strict->order.size(), loose->order.size());
}

TEST(Search, AnswersFromAKilledRunGiveTheSameSearch) {
  const auto land = testing_support::all_landscapes()[4];
  const auto whole = simulate(land.space, land.cache, {.budget = 150});
  ASSERT_TRUE(whole);
  // A run that was killed after 60 evaluations left those; asking again answers from them, then goes on.
  auto search = Search::start(land.space, {.budget = 150});
  std::vector<std::size_t> order;
  for (auto points = search->ask(1); !points.empty(); points = search->ask(1)) {
    order.push_back(points[0]);
    search->tell(points[0], land.times[points[0]]);
  }
  EXPECT_EQ(order, whole->order);
}

TEST(Search, RefusesWhatMakesNoSense) {
  const Space space = line_of(5);
  EXPECT_THAT(Search::start(space, {.strategy = "magic"}).error().hint,
              HasSubstr("guided, phases, random"));
  EXPECT_EQ(Search::start(space, {.seed_fraction = 0}).error().code, Errc::usage);
  EXPECT_EQ(Search::start(space, {.seed_fraction = 1.5}).error().code, Errc::usage);
  EXPECT_EQ(Search::start(space, {.prune_factor = 0.5}).error().code, Errc::usage);
  EXPECT_EQ(Search::start(space, {.budget = 0}).error().code, Errc::usage);
}

TEST(Search, SurvivesASpaceWhereEverythingFails) {
  const Space space = line_of(20);
  for (const std::string& strategy : strategy_names()) {
    auto search = Search::start(space, {.strategy = strategy});
    for (auto points = search->ask(3); !points.empty(); points = search->ask(3)) {
      for (const std::size_t point : points) search->tell(point, std::nullopt);
    }
    EXPECT_FALSE(search->best()) << strategy;
  }
}

TEST(Simulate, NamesWhatTheCacheLacks) {
  const Space space = line_of(5);
  const auto run = simulate(space, Cache(), {});
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("N=0"));
}

TEST(Simulate, FindsTheParameterThatMatters) {
  const auto space = Space::product({Parameter{"BIG", {1, 2, 4, 8}}, Parameter{"SMALL", {0, 1, 2}},
                                     Parameter{"NONE", {"a", "b"}}},
                                    {});
  ASSERT_TRUE(space);
  Cache cache;
  for (std::size_t point = 0; point < space->size(); ++point) {
    const auto at = space->places(point);
    Evaluation one{.point = point, .ok = true};
    one.samples_ns = {1000.0 * std::exp(-1.0 * at[0] + 0.1 * at[1])};
    cache.add(std::move(one));
  }
  const auto found = importance_of(*space, cache);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].parameter, "BIG");
  EXPECT_GT(found[0].share, 0.9);
  EXPECT_EQ(found[0].best_value, Value(8));
  EXPECT_EQ(found[1].parameter, "SMALL");
  EXPECT_EQ(found[1].best_value, Value(0));
  EXPECT_NEAR(found[2].share, 0, 0.01);
}

TEST(Simulate, RacesAgainstRandomSearch) {
  const auto land = testing_support::all_landscapes()[0];
  const auto race = race_against_random(land.space, land.cache, {}, 11);
  ASSERT_TRUE(race);
  EXPECT_LT(race->median, race->random_median);
  EXPECT_GE(race->curve.front(), race->curve.back());
  EXPECT_EQ(race->curve.front(), race->random_curve.front());
}

TEST(Simulate, TakesThePartOfASpaceThatACacheHas) {
  const Space space = line_of(10);
  Cache cache;
  for (const std::size_t point : {8U, 2U, 5U}) {
    Evaluation one{.point = point, .ok = true};
    one.samples_ns = {static_cast<double>(point)};
    cache.add(std::move(one));
  }
  const CacheFile part = cached_part(space, cache);
  EXPECT_EQ(part.space.size(), 3U);
  EXPECT_EQ(part.space.label(0), "N=2");
  ASSERT_NE(part.cache.find(2), nullptr);
  EXPECT_EQ(part.cache.find(2)->time_ns(), 8.0);
}

}  // namespace
}  // namespace rpl::tune
