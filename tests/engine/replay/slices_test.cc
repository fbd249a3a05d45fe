// SPDX-License-Identifier: MIT
// Replays of captures of several dispatches.
#include "tests/engine/capture/slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine/device/cycle/memory_state.h"
#include "engine/device/cycle/parameters.h"
#include "engine/replay/executed_sum.h"
#include "tests/engine/replay/on_double.h"

namespace rpl {
namespace {

using test::slice_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

ReplayRun replayed(const ReplayJob& job) {
  auto run = replay_once(job);
  EXPECT_TRUE(run.has_value()) << run.error().message;
  return run ? std::move(*run) : ReplayRun{};
}

/// One dispatch of a slice as a capture of its own.
Capture alone(const Capture& slice, std::size_t index) {
  const DispatchView one = dispatch_view(slice, index);
  Capture out = slice;
  out.kernarg = one.kernarg;
  out.arguments = one.arguments;
  out.then.clear();
  return out;
}

class SliceOf : public testing::TestWithParam<std::size_t> {};

TEST_P(SliceOf, DispatchesIsThemOneAfterTheOther) {
  const Capture slice = slice_of(GetParam());
  for (const emu::Mode mode : {emu::Mode::functional, emu::Mode::counted, emu::Mode::modelled}) {
    const ReplayRun run = replayed({.capture = &slice, .execute = {.mode = mode}});
    EXPECT_EQ(compare_with_post_image(slice, run.memory)->match, ImageMatch::matched);
    const Capture first = alone(slice, 0);
    const ReplayRun one = replayed({.capture = &first, .execute = {.mode = mode}});
    EXPECT_EQ(run.executed.counts.instructions, GetParam() * one.executed.counts.instructions);
    EXPECT_EQ(run.executed.counts.waves, GetParam() * one.executed.counts.waves);
    EXPECT_EQ(run.executed.counts.load_bytes, GetParam() * one.executed.counts.load_bytes);
    EXPECT_EQ(run.executed.grid_workgroups, GetParam() * one.executed.grid_workgroups);
    EXPECT_FALSE(run.executed.sampled());
  }
}

INSTANTIATE_TEST_SUITE_P(Two, SliceOf, testing::Values(2, 12));

TEST(Slice, ModelledTimesAreThoseOfTheDispatchesWithTheCachesOfTheRun) {
  const Capture slice = slice_of(12);
  const ReplayRun run = replayed({.capture = &slice, .execute = {.mode = emu::Mode::modelled}});
  ASSERT_EQ(run.each_ns.size(), 12U);
  ASSERT_TRUE(run.executed.modelled.has_value());
  EXPECT_DOUBLE_EQ(run.executed.modelled->time_ns,
                   std::accumulate(run.each_ns.begin(), run.each_ns.end(), 0.0));
  emu::ExecuteOptions options{.mode = emu::Mode::modelled};
  const cycle::Parameters* const parameters = cycle::builtin_parameters("gfx942").value();
  options.memory_state = std::make_shared<cycle::MemoryState>(*parameters);
  MemoryImage memory;
  std::uint64_t cycles = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    const Capture one = alone(slice, i);
    ReplayRun each = replayed({.capture = &one, .memory = memory, .execute = options});
    EXPECT_EQ(run.each_ns[i], each.executed.modelled->time_ns) << i;
    cycles += each.executed.modelled->cycles;
    memory = std::move(each.memory);
  }
  EXPECT_EQ(run.executed.modelled->cycles, cycles);
  const Capture first = alone(slice, 0);
  EXPECT_EQ(replayed({.capture = &first, .execute = {.mode = emu::Mode::modelled}})
                .executed.modelled->time_ns,
            run.each_ns[0])
      << "the first finds what a single dispatch finds";
}

FusionPlan second_alone(std::size_t arguments) {
  FusionPlan out{.kernel = "vector_add", .arguments = {}};
  for (std::size_t i = 0; i < arguments; ++i) out.arguments.push_back({1, i});
  return out;
}

TEST(Slice, OneDispatchTakesThePlaceOfTheFirstTwo) {
  const Capture slice = slice_of(3), first = alone(slice, 0), second = alone(slice, 1);
  const std::size_t count = slice.arguments.size();
  Capture two = slice;
  two.then.resize(1);
  EXPECT_EQ(replayed({.capture = &two, .fusion = second_alone(count)}).memory,
            replayed({.capture = &second}).memory);
  EXPECT_EQ(
      replayed({.capture = &slice, .fusion = second_alone(count)}).executed.counts.instructions,
      2 * replayed({.capture = &first}).executed.counts.instructions);
}

TEST(Slice, AFusedKernelGetsWhatItsParametersTake) {
  const Capture slice = slice_of(2), first = alone(slice, 0);
  const auto refusal = [](const Capture& capture, FusionPlan plan) {
    const auto run = replay_once({.capture = &capture, .fusion = std::move(plan)});
    return run ? "ran" : run.error().message;
  };
  EXPECT_THAT(refusal(first, second_alone(4)), testing::HasSubstr("holds one"));
  EXPECT_THAT(refusal(slice, second_alone(3)), testing::HasSubstr("of which 3 get a value"));
  FusionPlan swapped = second_alone(4);
  std::swap(swapped.arguments[0], swapped.arguments[3]);
  EXPECT_THAT(refusal(slice, swapped), testing::HasSubstr("cannot take argument 4"));
}

TEST(Slice, AnotherBuildRunsEveryDispatch) {
  const Capture slice = slice_of(3);
  const ReplayRun run =
      replayed({.capture = &slice, .object = isa::example("vector_add", "gfx90a")});
  EXPECT_EQ(compare_with_post_image(slice, run.memory)->match, ImageMatch::matched);
}

TEST(Slice, TheBudgetHoldsForTheSum) {
  const Capture slice = slice_of(3);
  const std::uint64_t all = replayed({.capture = &slice}).executed.counts.instructions;
  EXPECT_TRUE(replay_once({.capture = &slice, .execute = {.max_instructions = all}}).has_value());
  const auto cut = replay_once({.capture = &slice, .execute = {.max_instructions = all - 1}});
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error().code, Errc::limit);
  EXPECT_THAT(cut.error().message, StartsWith("dispatch 3 of 3: vector_add: stopped after"));
  const auto spent = replay_once({.capture = &slice, .execute = {.max_instructions = all / 3}});
  ASSERT_FALSE(spent.has_value());
  EXPECT_EQ(spent.error().code, Errc::limit);
  EXPECT_EQ(spent.error().message,
            fmt::format("dispatch 2 of 3: vector_add: stopped after {} wave-instructions of the "
                        "dispatches before it",
                        all / 3));
}

TEST(Slice, AFaultNamesDispatchKernelAndRegion) {
  Capture slice = slice_of(2);
  // Far behind the last region.
  const std::uint64_t nowhere = slice.regions[2].base + (1U << 24);
  std::memcpy(slice.then[0].kernarg.data() + 16, &nowhere, sizeof(nowhere));
  const auto run = replay_once({.capture = &slice});
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().code, Errc::verification_failed);
  EXPECT_THAT(run.error().message, StartsWith("dispatch 2 of 2: vector_add"));
}

TEST(Slice, AKernelOfAnotherShapeIsRefusedBeforeAnythingRuns) {
  Capture slice = slice_of(2);
  slice.then[0].workgroup = {2048, 1, 1};
  const auto run = replay_once({.capture = &slice});
  ASSERT_FALSE(run.has_value());
  EXPECT_THAT(run.error().message, StartsWith("dispatch 2 of 2: 'vector_add' allows workgroups"));
}

TEST(Slice, SeriesHaveTheTimeOfEachDispatch) {
  const Capture slice = slice_of(2);
  const auto series = replay_emulated(
      {.capture = &slice, .iterations = 2, .execute = {.mode = emu::Mode::modelled}});
  ASSERT_TRUE(series.has_value()) << series.error().message;
  EXPECT_EQ(series->image.match, ImageMatch::matched);
  EXPECT_EQ(series->last_equals_first, true);
  ASSERT_EQ(series->each_ns.size(), 2U);
  EXPECT_DOUBLE_EQ(series->raw_ns[0], series->each_ns[0] + series->each_ns[1]);
  const Capture one = alone(slice, 0);
  EXPECT_TRUE(replay_emulated({.capture = &one, .execute = {.mode = emu::Mode::modelled}})
                  ->each_ns.empty());
}

TEST(Slice, WhatTakesOneDispatchRefuses) {
  const auto slice = std::make_shared<const Capture>(slice_of(2));
  EXPECT_EQ(launch_of(slice, nullptr, {}).error().code, Errc::unsupported);
  test::OnDouble device({.arch = slice->architecture});
  const auto series = device.run({.capture = slice.get()});
  ASSERT_FALSE(series.has_value());
  EXPECT_EQ(series.error().code, Errc::unsupported);
  EXPECT_THAT(series.error().message, HasSubstr("a replay on a GPU takes one dispatch"));
}

TEST(ExecutedSum, RacesOfLaterDispatchesNameTheirProgram) {
  const auto program = [](const char* kernel) {
    auto out = std::make_shared<emu::Program>();
    out->kernel = kernel;
    return out;
  };
  emu::Executed sum, later;
  sum.program = program("first");
  sum.races.emplace_back();
  later.program = program("second");
  later.races.emplace_back();
  double longest_ns = 0;
  add_dispatch(sum, std::move(later), nullptr, longest_ns);
  ASSERT_EQ(sum.races.size(), 2U);
  EXPECT_EQ(sum.races[0].program, nullptr);
  ASSERT_NE(sum.races[1].program, nullptr);
  EXPECT_EQ(sum.races[1].program->kernel, "second");
  EXPECT_EQ(sum.program->kernel, "first");
}

TEST(ExecutedSum, TheClassIsThatOfTheLongestDispatch) {
  const auto taking = [](double ns, cycle::TimeClass time_class, double memory) {
    emu::Executed out;
    out.modelled.emplace();
    out.modelled->time_ns = ns;
    out.modelled->time_class = time_class;
    out.modelled->shared.memory = memory;
    return out;
  };
  emu::Executed sum = taking(100, cycle::TimeClass::lds, 0.5);
  double longest_ns = 100;
  add_dispatch(sum, taking(90, cycle::TimeClass::l2, 0), nullptr, longest_ns);
  EXPECT_EQ(sum.modelled->time_class, cycle::TimeClass::lds);
  add_dispatch(sum, taking(110, cycle::TimeClass::memory, 1), nullptr, longest_ns);
  EXPECT_EQ(sum.modelled->time_class, cycle::TimeClass::memory);
  EXPECT_DOUBLE_EQ(sum.modelled->time_ns, 300);
  EXPECT_NEAR(sum.modelled->shared.memory, (50.0 + 110.0) / 300, 1e-12);
}

}  // namespace
}  // namespace rpl
