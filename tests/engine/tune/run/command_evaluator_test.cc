// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/target/emu/emulated_target.h"
#include "engine/tune/run/executors.h"
#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::TempDir;

class CommandEvaluator : public ::testing::Test {
 protected:
  EmulatedTarget target;
  Evaluation evaluated(Work work, std::size_t point = 1) {
    work.target = "host";
    const auto evaluator = make_evaluator(space, work, target, folder / "work");
    EXPECT_TRUE(evaluator) << evaluator.error().message;
    auto one = (*evaluator)->evaluate(point);
    EXPECT_TRUE(one) << one.error().message;
    return one ? *one : Evaluation();
  }

  const TempDir folder;
  const Space space = *Space::product({Parameter{"N", {1, 2, 3}}}, {});
};

TEST_F(CommandEvaluator, TimesTheWholeProcess) {
  const Evaluation one = evaluated({.command = {"sh", "-c", "exit 0"}, .runs = 3});
  EXPECT_TRUE(one.ok) << one.reason;
  EXPECT_EQ(one.samples_ns.size(), 3U);
  EXPECT_EQ(one.time_source, "host");
  EXPECT_EQ(one.verified, "exit status");
}

TEST_F(CommandEvaluator, TakesTheTimeThatTheProgramPrints) {
  const Evaluation one =
      evaluated({.command = {"echo", "took {N}.5 ms"}, .pattern = "took ([0-9.]+) ms"});
  EXPECT_TRUE(one.ok) << one.reason;
  EXPECT_THAT(one.samples_ns, ElementsAre(2.5e6));
  EXPECT_EQ(one.time_source, "program");
}

TEST_F(CommandEvaluator, RunsWhereTheTuningBegan) {
  std::filesystem::permissions(folder.write("there/app", "#!/bin/sh\n. ./times\n"),
                               std::filesystem::perms::owner_all);
  folder.write("there/times", "echo took 7 ms\n");
  const Evaluation one =
      evaluated({.command = {"./app"}, .pattern = "took ([0-9.]+) ms", .cwd = folder / "there"});
  EXPECT_TRUE(one.ok) << one.reason;
  EXPECT_THAT(one.samples_ns, ElementsAre(7e6));
}

TEST_F(CommandEvaluator, KnowsWhatWasEndedFromOutside) {
  EXPECT_TRUE(evaluated({.command = {"sh", "-c", "kill -TERM $$"}}).stopped);
  EXPECT_TRUE(evaluated({.command = {"sh", "-c", "sh -c 'kill -TERM $$'; exit $?"}}).stopped);
  EXPECT_FALSE(evaluated({.command = {"sh", "-c", "kill -SEGV $$"}}).stopped);
  EXPECT_FALSE(evaluated({.command = {"sh", "-c", "exit 3"}}).stopped);
}

TEST_F(CommandEvaluator, RecordsWhyAConfigurationFails) {
  const Evaluation status =
      evaluated({.command = {"sh", "-c", "echo no room for {N} >&2; exit 3"}});
  EXPECT_FALSE(status.ok);
  EXPECT_EQ(status.stage, "run");
  EXPECT_EQ(status.reason, "exit status 3: no room for 2");
  EXPECT_TRUE(status.samples_ns.empty());
  EXPECT_EQ(evaluated({.command = {"sleep", "60"}, .timeout_s = 1}).stage, "time");
  EXPECT_THAT(evaluated({.command = {"echo", "nothing"}, .pattern = "took ([0-9]+)"}).reason,
              HasSubstr("printed nothing like"));
  EXPECT_THAT(evaluated({.command = {"echo", "took 0"}, .pattern = "took ([0-9]+)"}).reason,
              HasSubstr("not a time"));
  EXPECT_THAT(evaluated({.command = {"./absent-{N}"}}).stage, "run");
}

TEST_F(CommandEvaluator, AsksTheUsersCheckBeforeATimeCounts) {
  const std::vector<std::string> check{"sh", "-c", "grep -q 'result 2' \"$RPL_OUTPUT\""};
  EXPECT_TRUE(evaluated({.command = {"echo", "result {N}"}, .check = check}, 1).ok);
  const Evaluation wrong = evaluated({.command = {"echo", "result {N}"}, .check = check}, 2);
  EXPECT_EQ(wrong.stage, "verify");
  EXPECT_THAT(wrong.reason, HasSubstr("status 1"));
}

TEST_F(CommandEvaluator, FailsAsAWholeWhereNothingCanRun) {
  const auto evaluator = make_evaluator(space, {.command = {"/no/such/program"}, .target = "host"},
                                        target, folder / "work");
  ASSERT_TRUE(evaluator);
  const auto one = (*evaluator)->evaluate(0);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, Errc::not_found);
}

TEST_F(CommandEvaluator, MeasuresTheWinnerAgainInterleaved) {
  const auto evaluator = make_evaluator(space,
                                        {.command = {"sh", "-c", "echo took {N}0.$(( $$ % 7 )) ms"},
                                         .target = "host",
                                         .pattern = "took ([0-9.]+) ms"},
                                        target, folder / "work");
  ASSERT_TRUE(evaluator);
  const auto found = confirm(**evaluator, 2, 0, 6, {});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->decision.verdict, Verdict::improved);
  EXPECT_NEAR(found->decision.ratio, 3, 0.2);
  EXPECT_EQ(found->samples.processes.size(), 6U);
  EXPECT_NE(found->samples.processes[0][0].a_first, found->samples.processes[0][1].a_first);
  const auto same = confirm(**evaluator, 1, 1, 6, {});
  ASSERT_TRUE(same);
  EXPECT_NE(same->decision.verdict, Verdict::improved);
}

}  // namespace
}  // namespace rpl::tune
