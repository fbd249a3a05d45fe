// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/variation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/device/execute/launch/bounded.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

using testing::HasSubstr;

/// Four workgroups of a kernel of tests/cheats that takes numbers, results and a count.
KernelRun groups(const std::string& kernel, std::uint64_t results) {
  KernelRun run;
  run.object = isa::object_at(
      fmt::format("{}/../../tests/cheats/kernels/objects/groups.gfx942.co", RPL_EXAMPLES));
  run.kernel = kernel;
  run.grid = {1024, 1, 1};
  run.workgroup = {256, 1, 1};
  run.arguments = {words(1000, Fill::Kind::iota), words(results), number(1000)};
  run.options.mode = Mode::functional;
  return run;
}

std::vector<std::uint32_t> results_of(KernelRun run, const Variation& variation) {
  run.options.variation = variation;
  return values_of<std::uint32_t>(run_ok(run).buffers[1]);
}

TEST(Variation, OrdersHoldEveryWorkgroupOnce) {
  EXPECT_TRUE(begin_order({}, 5).empty());
  EXPECT_EQ(begin_order({.order = Variation::Order::descending}, 3),
            (std::vector<std::uint32_t>{2, 1, 0}));
  auto drawn = begin_order({.order = Variation::Order::shuffled, .seed = 4}, 100);
  EXPECT_FALSE(std::ranges::is_sorted(drawn));
  std::ranges::sort(drawn);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(drawn[i], i);
}

TEST(Variation, WhatNobodyWroteDiffersFromFillToFill) {
  const KernelRun lazy = groups("tile_lds_starts_as_zero", 4);
  EXPECT_EQ(results_of(lazy, {}), results_of(groups("tile", 4), {}));
  EXPECT_NE(results_of(lazy, {.fill = 1}), results_of(lazy, {.fill = 2}));
  EXPECT_EQ(results_of(lazy, {.fill = 1}), results_of(lazy, {.fill = 1}));
  const KernelRun honest = groups("tile", 4);
  EXPECT_EQ(results_of(honest, {.fill = 1}), results_of(honest, {}));
}

TEST(Variation, HonestKernelsGiveTheSameInEveryOrder) {
  for (const char* kernel : {"tile", "prefix", "total", "tile_ok_interleaved"}) {
    const KernelRun run = groups(kernel, 1000);
    const auto plain = results_of(run, {});
    for (std::uint64_t seed = 1; seed < 4; ++seed)
      EXPECT_EQ(
          results_of(run, {.order = Variation::Order::shuffled, .side_by_side = 3, .seed = seed}),
          plain)
          << kernel;
    EXPECT_EQ(results_of(run, {.order = Variation::Order::descending}), plain) << kernel;
  }
}

TEST(Variation, WavesThatChangeAtMemoryOperationsLoseUpdates) {
  const KernelRun racy = groups("bins_plain", 64);
  const auto plain = results_of(groups("bins", 64), {});
  bool differs = false;
  for (std::uint64_t seed = 1; seed < 6; ++seed)
    differs = differs || results_of(racy, {.side_by_side = 4, .seed = seed}) != plain;
  EXPECT_TRUE(differs);
}

/// The sums of 100 rows of 64 numbers.
std::vector<float> row_sums(const Variation& variation,
                            const BufferArgument& numbers = rpl::emu::floats(6400,
                                                                             Fill::Kind::random,
                                                                             3)) {
  KernelRun run;
  run.object = isa::object_at(
      fmt::format("{}/../../tests/cheats/kernels/objects/loops.gfx942.co", RPL_EXAMPLES));
  run.kernel = "summed";
  run.grid = {128, 1, 1};
  run.workgroup = {64, 1, 1};
  run.arguments = {numbers, rpl::emu::floats(100), number(100), number(64)};
  run.options = {.mode = Mode::functional, .variation = variation};
  return values_of<float>(run_ok(run).buffers[1]);
}

TEST(Variation, RoundingMovesSumsByWhatTheyHaveOfError) {
  const auto nearest = row_sums({}), up = row_sums({.rounding = Rounding::up}),
             down = row_sums({.rounding = Rounding::down});
  const auto first = row_sums({.random_rounding = 1}), second = row_sums({.random_rounding = 2});
  ASSERT_EQ(nearest.size(), 100U);
  std::size_t apart = 0, drawn_apart = 0;
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    EXPECT_LE(down[i], nearest[i]);
    EXPECT_GE(up[i], nearest[i]);
    // 64 additions, each off by one step of the largest sum at most: |sum| < 64.
    EXPECT_LE(up[i] - down[i], 64 * 2 * 64 * 0x1p-24F);
    EXPECT_LE(down[i], first[i]);
    EXPECT_GE(up[i], first[i]);
    apart += up[i] != down[i] ? 1 : 0;
    drawn_apart += first[i] != second[i] ? 1 : 0;
  }
  EXPECT_GT(apart, 90U);
  EXPECT_GT(drawn_apart, 50U);
  EXPECT_EQ(row_sums({.random_rounding = 1}), first);
}

// Sums of ones are exact in every mode: only moving them shows what another order could be off by.
TEST(Variation, ExactResultsMoveOnlyWhenAsked) {
  const BufferArgument ones = rpl::emu::floats(6400, Fill::Kind::one);
  const auto plain = row_sums({}, ones);
  EXPECT_EQ(row_sums({.random_rounding = 1}, ones), plain);
  const auto moved = row_sums({.random_rounding = 1, .moved_results = true}, ones);
  std::size_t apart = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    // 64 additions that round by one step and move by one, of sums of 64 at most.
    EXPECT_NEAR(moved[i], plain[i], 64 * 2 * 64 * 0x1p-23F);
    apart += moved[i] != plain[i] ? 1 : 0;
  }
  EXPECT_GT(apart, 50U);
  EXPECT_EQ(row_sums({.random_rounding = 1, .moved_results = true}, ones), moved);
}

std::vector<Race> grid_races_of(const std::string& kernel, std::uint64_t results) {
  KernelRun run = groups(kernel, results);
  run.options.find_grid_races = true;
  auto executed = run_ok(run).executed;
  for (const Race& race : executed.races)
    EXPECT_THAT(sentence_of(race, *executed.program), HasSubstr("nothing that orders them"));
  return std::move(executed.races);
}

TEST(GridRaces, PlainUpdatesOfSeveralWorkgroupsRaceAndAtomicsDoNot) {
  const auto races = grid_races_of("total_lost_updates", 1);
  ASSERT_FALSE(races.empty());
  EXPECT_TRUE(races.front().across);
  EXPECT_FALSE(races.front().lds);
  EXPECT_NE(races.front().first_wave, races.front().second_wave);
  EXPECT_FALSE(grid_races_of("total_first_group_begins", 1).empty());
  EXPECT_TRUE(grid_races_of("total_ok_privatised", 1).empty());
  EXPECT_TRUE(grid_races_of("prefix", 1000).empty());
}

/// How many races between workgroups a kernel has whose last workgroup adds up what all of them left.
std::size_t races_of_last_workgroup(const std::string& architecture, const std::string& kernel) {
  KernelRun run = groups(kernel, 4);
  run.object = isa::object_at(
      fmt::format("{}/../../tests/cheats/third/objects/shared.{}.co", RPL_EXAMPLES, architecture));
  run.arguments = {words(1000, Fill::Kind::iota), words(4), words(1), words(1), number(1000)};
  run.options.find_grid_races = true;
  return run_ok(run).executed.races.size();
}

TEST(GridRaces, FencesOfTheDeviceOrderAndThoseOfAWorkgroupDoNot) {
  for (const std::string architecture : {"gfx90a", "gfx942"}) {
    EXPECT_EQ(races_of_last_workgroup(architecture, "summed"), 0U) << architecture;
    EXPECT_GT(races_of_last_workgroup(architecture, "summed_fence_of_workgroup"), 0U)
        << architecture;
    EXPECT_GT(races_of_last_workgroup(architecture, "summed_no_fence"), 0U) << architecture;
  }
}

TEST(Path, SaysWhatRanAndWhichSideWasTaken) {
  KernelRun run = groups("tile", 4);
  run.options.watch_path = true;
  const Executed executed = run_ok(run).executed;
  ASSERT_NE(executed.path, nullptr);
  EXPECT_EQ(executed.path->ran.size(), executed.program->ops.size());
  EXPECT_TRUE(executed.path->ran[executed.program->entry]);
  EXPECT_FALSE(executed.path->written_pages.empty());
  EXPECT_EQ(executed.path->trace, 0U) << "nobody asked";
}

TEST(Path, TracesWhereOperationsGoAndSaysTheSameOfTheWay) {
  KernelRun run = groups("tile", 4);
  run.options.watch_path = true;
  const Path plain = *run_ok(run).executed.path;
  run.options.trace_path = true;
  const Path traced = *run_ok(run).executed.path;
  EXPECT_EQ(plain.ran, traced.ran);
  EXPECT_EQ(plain.chosen, traced.chosen);
  EXPECT_EQ(plain.written_pages.size(), traced.written_pages.size());
  // Other contents, the same way.
  KernelRun other = run;
  other.arguments[0] = words(1000, Fill::Kind::random, 5);
  EXPECT_EQ(run_ok(other).executed.path->trace, traced.trace);
  // A histogram's contents are addresses.
  KernelRun bins = groups("bins", 64), other_bins = bins;
  for (KernelRun* one : {&bins, &other_bins})
    one->options.watch_path = one->options.trace_path = true;
  other_bins.arguments[0] = words(1000, Fill::Kind::random, 5);
  EXPECT_NE(run_ok(bins).executed.path->trace, run_ok(other_bins).executed.path->trace);
}

KernelRun of_second_set(const std::string& source, const std::string& kernel, std::uint32_t items,
                        std::vector<Argument> arguments) {
  KernelRun run;
  run.object = isa::object_at(
      fmt::format("{}/../../tests/cheats/second/objects/{}.gfx942.co", RPL_EXAMPLES, source));
  run.kernel = kernel;
  run.grid = {items, 1, 1};
  run.workgroup = {std::min(items, 256U), 1, 1};
  run.arguments = std::move(arguments);
  run.options.watch_path = true;
  return run;
}

TEST(Path, KnowsBarriersOfSomeLanesFromLanesThatHaveLeft) {
  const auto split = [](const std::string& kernel, std::int32_t count) {
    const KernelRun run =
        of_second_set("tiles", kernel, 256,
                      {words(256, Fill::Kind::random, 3), words(1), words(1), number(count)});
    return run_ok(run).executed.path->split_barrier.has_value();
  };
  EXPECT_FALSE(split("highest", 200));
  EXPECT_TRUE(split("highest_barrier_of_some", 200));
  EXPECT_FALSE(split("highest_barrier_of_some", 256));
}

TEST(Path, SaysWhetherAConstantBoundHeldAnythingBack) {
  const auto sides = [](std::int32_t columns) {
    const Executed executed =
        run_ok(of_second_set("rows", "totals_most", 64,
                             {rpl::emu::floats(2100, Fill::Kind::random, 3), rpl::emu::floats(64),
                              number(1), number(columns)}))
            .executed;
    const auto& ops = executed.program->ops;
    for (std::size_t at = executed.program->entry; at < ops.size(); ++at)
      if (executed.path->ran[at] && bound_of(ops[at])) return int{executed.path->chosen[at]};
    return -1;
  };
  EXPECT_EQ(sides(100), 1);
  EXPECT_EQ(sides(2100), 2);
  EXPECT_EQ(sides(2000), 0);
}

TEST(Variation, SumsByAtomicsRoundAtRandomToo) {
  const auto sums = [](const Variation& variation) {
    KernelRun run =
        of_second_set("grids", "weighed", 1024,
                      {rpl::emu::floats(1024, Fill::Kind::random, 3),
                       words(256, Fill::Kind::random, 4), rpl::emu::floats(16), number(1024)});
    run.options = {.mode = Mode::functional, .variation = variation};
    return values_of<float>(run_ok(run).buffers[2]);
  };
  const auto plain = sums({});
  EXPECT_NE(sums({.random_rounding = 1}), plain);
  EXPECT_EQ(sums({.random_rounding = 1}), sums({.random_rounding = 1}));
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_NEAR(sums({.random_rounding = 1})[i], plain[i], 1e-4);
}

}  // namespace
}  // namespace rpl::emu
