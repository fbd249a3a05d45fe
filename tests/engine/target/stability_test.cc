// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/target/emu/host_runs.h"
#include "engine/target/stability.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using ::testing::HasSubstr;

TEST(Stability, OneRunSaysNothing) {
  const double one[] = {5.0};
  const Stability found = stability_of(one);
  EXPECT_EQ(found.runs, 1U);
  EXPECT_EQ(found.mean, 5.0);
  EXPECT_FALSE(found.stddev || found.cv || found.kind);
  EXPECT_EQ(stability_advice(found, "runtime_ms"), "");
}

TEST(Stability, IsTheSampleDeviationOverTheMean) {
  const double samples[] = {9.0, 10.0, 11.0};  // squares 1 + 0 + 1 over 2
  const Stability found = stability_of(samples);
  EXPECT_DOUBLE_EQ(*found.stddev, 1.0);
  EXPECT_DOUBLE_EQ(*found.cv, 0.1);
}

TEST(Stability, HasThreeClassesWithTheirLimitsInside) {
  const auto kind = [](double deviation) {
    const double samples[] = {100 - deviation, 100, 100 + deviation};
    return *stability_of(samples).kind;
  };
  EXPECT_EQ(kind(0), StabilityClass::stable);
  EXPECT_EQ(kind(5), StabilityClass::stable);
  EXPECT_EQ(kind(5.01), StabilityClass::moderate);
  EXPECT_EQ(kind(10), StabilityClass::moderate);
  EXPECT_EQ(kind(10.01), StabilityClass::unstable);
}

TEST(Stability, AdviceIsForUnstableRunsAlone) {
  const double wild[] = {1, 3}, calm[] = {10, 10.1};
  EXPECT_THAT(stability_advice(stability_of(wild), "runtime_ms"),
              testing::AllOf(HasSubstr("runtime_ms differs by 70.7 %"), HasSubstr("--runs 10")));
  EXPECT_EQ(stability_advice(stability_of(calm), "runtime_ms"), "");
  std::vector<double> many(20, 1.0);
  many[0] = 9;
  EXPECT_THAT(stability_advice(stability_of(many), "runtime_ms"),
              HasSubstr("take the smallest run"));
}

TEST(Stability, OfTheVirtualClockItIsTheProgramsDoing) {
  const double samples[] = {1, 2, 3};
  const std::string advice = stability_advice(stability_of(samples), "runtime_ms", true);
  EXPECT_NE(advice.find("fix its seeds and sizes"), std::string::npos);
  EXPECT_EQ(advice.find("clocks:"), std::string::npos);
}

TEST(Stability, NoTimeHasNoSpread) {
  const double nothing[] = {0, 0};
  EXPECT_FALSE(stability_of(nothing).cv);
}

/// Timed from outside, without emulated devices.
Result<ProfileRun> timed(std::vector<std::string> argv, std::string cwd = {}) {
  const testing_support::TempDir folder;
  return profile_from_outside({.argv = std::move(argv),
                               .folder = folder.path(),
                               .cwd = std::move(cwd),
                               .runs = 3,
                               .from_outside = true},
                              std::nullopt);
}

TEST(HostRuns, MeasureTheWholeProcess) {
  const auto runs = timed({"sh", "-c", "sleep 0.02; echo out"});
  ASSERT_TRUE(runs.has_value()) << runs.error().message;
  ASSERT_EQ(runs->runtime_ms.size(), 3U);
  for (const double wall : runs->runtime_ms) EXPECT_GE(wall, 20.0);
  EXPECT_EQ(runs->exit.out.text, "out\n");
  EXPECT_EQ(runs->record.target, TargetKind::local);
}

TEST(HostRuns, StartInTheFolderThatIsAskedFor) {
  const auto runs = timed({"./sh", "-c", "pwd"}, "/bin");
  ASSERT_TRUE(runs.has_value()) << runs.error().message;
  EXPECT_THAT(runs->exit.out.text, testing::EndsWith("/bin\n"));
}

TEST(HostRuns, EndWithTheFirstThatFails) {
  const auto runs = timed({"sh", "-c", "exit 3"});
  ASSERT_TRUE(runs.has_value());
  EXPECT_EQ(runs->runtime_ms.size(), 1U);
  EXPECT_TRUE(runs->failed);
  EXPECT_EQ(runs->exit.code, 3);
  EXPECT_EQ(timed({"no-such-program"}).error().code, Errc::not_found);
}

}  // namespace
}  // namespace rpl::profile
