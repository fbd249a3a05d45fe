// SPDX-License-Identifier: MIT
// Waves and workgroups that need each other: turns, deadlocks, races, threads, samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

using testing::HasSubstr;

class Concurrency : public testing::TestWithParam<const char*> {
 protected:
  KernelRun run_of(const std::string& kernel, std::uint32_t workgroups,
                   std::vector<Argument> arguments) const {
    KernelRun run;
    run.object = isa::test_object("concurrent", GetParam());
    run.kernel = kernel;
    run.grid = {workgroups * 256, 1, 1};
    run.workgroup = {256, 1, 1};
    run.arguments = std::move(arguments);
    return run;
  }
};

Error error_of(const KernelRun& run) {
  const auto outcome = run_kernel(run);
  EXPECT_FALSE(outcome.has_value());
  return outcome ? Error{} : outcome.error();
}

TEST_P(Concurrency, AWaveMayWaitForALaterOneOfItsWorkgroup) {
  for (const unsigned threads : {1U, 2U}) {
    KernelRun run = run_of("handed_on", 3, {words(3 * 256)});
    run.options.threads = threads;
    EXPECT_EQ(values_of<std::uint32_t>(run_ok(run).buffers[0]),
              std::vector<std::uint32_t>(3 * 256, 7));
  }
}

TEST_P(Concurrency, AWorkgroupMayWaitForLaterOnes) {
  constexpr std::uint32_t kWorkgroups = 40;
  for (const unsigned threads : {1U, 2U, 3U}) {
    KernelRun run = run_of("grid_barrier", kWorkgroups, {words(1), words(kWorkgroups * 256)});
    run.options.threads = threads;
    EXPECT_EQ(values_of<std::uint32_t>(run_ok(run).buffers[1]),
              std::vector<std::uint32_t>(kWorkgroups * 256, kWorkgroups))
        << threads << " threads";
  }
}

TEST_P(Concurrency, ALockThatNobodyGivesBackIsADeadlock) {
  for (const unsigned threads : {1U, 2U}) {
    KernelRun run = run_of("lock_order", 1, {words(3), words(2)});
    run.workgroup = run.grid = {128, 1, 1};
    run.options.threads = threads;
    const Error error = error_of(run);
    EXPECT_EQ(error.code, Errc::verification_failed);
    EXPECT_THAT(error.message, HasSubstr("lock_order: never ends: wave 0 of workgroup 0"));
    EXPECT_THAT(error.message, HasSubstr("concurrent.hip:60:3 in lock_order"));
    EXPECT_THAT(error.message, HasSubstr("1 more repeat themselves"));
  }
}

TEST_P(Concurrency, ALoopThatOnlyRepeatsItselfNeedsNoBudget) {
  for (const unsigned threads : {1U, 2U}) {
    KernelRun run = run_of("waits_for_nobody", 2, {words(1), words(256)});
    run.options.threads = threads;
    EXPECT_THAT(error_of(run).message, HasSubstr("(concurrent.hip:66:"));
  }
}

TEST_P(Concurrency, TimeThatPassesEndsALoop) {
  ValueArgument ticks;
  ticks.bytes.resize(sizeof(std::uint64_t));
  constexpr std::uint64_t kTicks = 3'000'000;
  std::memcpy(ticks.bytes.data(), &kTicks, sizeof(kTicks));
  KernelRun run = run_of("waits_for_time", 1, {ticks, words(256)});
  run.workgroup = run.grid = {64, 1, 1};
  const KernelOutcome outcome = run_ok(run);
  EXPECT_EQ(values_of<std::uint32_t>(outcome.buffers[1])[0], 1U);
  // Every instruction is counted, also those by which it was seen that the wave does not only repeat itself.
  EXPECT_GE(outcome.executed.counts.instructions, kTicks);
  std::uint64_t counted = 0;
  for (const InstructionCounts& row : outcome.executed.counts.by_instruction)
    counted += row.executed;
  EXPECT_EQ(counted, outcome.executed.counts.instructions);
}

TEST_P(Concurrency, WorkgroupsThatTheDeviceDoesNotHoldCannotBeWaitedFor) {
  // Workgroups of 1024 with 64 KiB of LDS: one on each compute unit.
  for (const unsigned threads : {1U, 2U}) {
    KernelRun run = run_of("grid_barrier", 400, {words(1), words(400 * 256)});
    run.workgroup = {256, 1, 1};
    run.dynamic_lds_bytes = 65536;
    run.options.threads = threads;
    run.options.mode = Mode::functional;
    const Error error = error_of(run);
    EXPECT_EQ(error.code, Errc::verification_failed) << error.message;
    EXPECT_THAT(error.message, HasSubstr("have not begun: the device holds"));
  }
}

TEST_P(Concurrency, ABudgetEndsALoopAndNamesThePlace) {
  for (const unsigned threads : {1U, 2U}) {
    KernelRun run = run_of("counts_on", 1, {words(1)});
    run.workgroup = run.grid = {1, 1, 1};
    run.options.threads = threads;
    run.options.max_instructions = 10'000'000;
    const Error error = error_of(run);
    EXPECT_EQ(error.code, Errc::limit);
    EXPECT_THAT(error.message, HasSubstr("stopped after 10000000 wave-instructions, 0 of 1 "
                                         "workgroups done; wave 0 of workgroup 0 at 0x"));
    EXPECT_THAT(error.message, HasSubstr("(concurrent.hip:73:"));
  }
}

TEST_P(Concurrency, AMissingBarrierIsARaceInLds) {
  for (const bool barrier : {false, true}) {
    KernelRun run = run_of(
        "reversed", 4, {floats(1024, Fill::Kind::random), floats(1024), number(barrier ? 1 : 0)});
    run.options.find_races = true;
    const Executed executed = run_ok(run).executed;
    ASSERT_EQ(executed.races.size(), barrier ? 0U : 1U);
    if (barrier) continue;
    const Race& race = executed.races[0];
    EXPECT_TRUE(race.lds);
    EXPECT_EQ(race.workgroup, 0U);
    EXPECT_TRUE(race.first_writes != race.second_writes);
    const std::string sentence = sentence_of(race, *executed.program);
    EXPECT_THAT(sentence, HasSubstr("LDS byte"));
    EXPECT_THAT(sentence, HasSubstr("(concurrent.hip:7:21 in reversed)"));
    EXPECT_THAT(sentence, HasSubstr("(concurrent.hip:9:41 in reversed)"));
    EXPECT_THAT(sentence, HasSubstr("with no barrier between"));
  }
}

TEST_P(Concurrency, AMissingBarrierIsARaceInGlobalMemory) {
  for (const bool barrier : {false, true}) {
    KernelRun run =
        run_of("folded", 4, {floats(1024, Fill::Kind::random), number(barrier ? 1 : 0)});
    run.options.find_races = true;
    run.options.threads = 2;
    const Executed executed = run_ok(run).executed;
    ASSERT_EQ(executed.races.size(), barrier ? 0U : 1U);
    if (!barrier) {
      EXPECT_FALSE(executed.races[0].lds);
    }
  }
}

TEST_P(Concurrency, AtomicsAndBarriersAreNoRaces) {
  KernelRun run = run_of("counted", 4, {words(1)});
  run.options.find_races = true;
  const KernelOutcome outcome = run_ok(run);
  EXPECT_TRUE(outcome.executed.races.empty());
  EXPECT_EQ(values_of<std::uint32_t>(outcome.buffers[0])[0], 4U * (255U * 256U / 2U));
}

TEST_P(Concurrency, ThreadsGiveTheResultsAndCountsOfOne) {
  std::vector<KernelRun> runs = {matmul(GetParam(), 100, 70, 64),
                                 histogram(GetParam(), 100'003, 40),
                                 run_of("counted", 50, {words(1)})};
  for (KernelRun& run : runs) {
    run.options.threads = 1;
    const KernelOutcome one = run_ok(run);
    run.options.threads = 4;
    const KernelOutcome four = run_ok(run);
    EXPECT_EQ(four.buffers, one.buffers);
    EXPECT_EQ(four.executed.counts.instructions, one.executed.counts.instructions);
    EXPECT_EQ(four.executed.counts.by_class, one.executed.counts.by_class);
    EXPECT_EQ(four.executed.counts.waves, one.executed.counts.waves);
    EXPECT_EQ(four.executed.counts.transactions, one.executed.counts.transactions);
    EXPECT_EQ(four.executed.counts.lds_conflicts, one.executed.counts.lds_conflicts);
  }
}

TEST_P(Concurrency, AFaultOfThreadsIsAFaultOfTheLaunch) {
  KernelRun run = vector_add(GetParam(), 100'000);
  std::get<BufferArgument>(run.arguments[1]).count = 99'000;
  run.options.threads = 4;
  EXPECT_THAT(error_of(run).message, HasSubstr("bytes past the end of argument 2"));
}

TEST_P(Concurrency, ASampleIsSpreadOverTheGridAndSaysSo) {
  KernelRun run = vector_add(GetParam(), 100 * 256);
  run.options.max_waves = 22;
  const KernelOutcome outcome = run_ok(run);
  EXPECT_TRUE(outcome.executed.sampled());
  EXPECT_EQ(outcome.executed.grid_workgroups, 100U);
  EXPECT_EQ(outcome.executed.counts.workgroups, 5U);
  EXPECT_EQ(outcome.executed.counts.waves, 20U);
  const auto out = values_of<float>(outcome.buffers[2]);
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(std::isnan(out[i]), i / 256 % 20 != 0) << i;
  run.options.max_waves = 400;
  EXPECT_FALSE(run_ok(run).executed.sampled());
}

TEST_P(Concurrency, TheCycleModelRunsTheWholeGrid) {
  KernelRun run = vector_add(GetParam(), 1000);
  run.options = {.mode = Mode::modelled, .max_waves = 3};
  EXPECT_EQ(error_of(run).code, Errc::usage);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Concurrency, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::emu
