// SPDX-License-Identifier: MIT
#include "engine/tune/run/work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using ::testing::HasSubstr;

Space blocks() {
  return *Space::product({Parameter{"BLOCK", {16, 32}}, Parameter{"MODE", {"a", "b c"}}}, {});
}
const Record kConfiguration{{"BLOCK", Value(16)}, {"MODE", Value("b c")}};

TEST(Work, PutsValuesForNamesInBraces) {
  EXPECT_EQ(expanded("--bm {BLOCK}", kConfiguration), "--bm 16");
  EXPECT_EQ(expanded("{BLOCK}x{BLOCK}{MODE}", kConfiguration), "16x16b c");
  EXPECT_EQ(expanded("{BINARY} -n", kConfiguration, "/tmp/app"), "/tmp/app -n");
  EXPECT_EQ(expanded("{\"json\": {BLOCK}}", kConfiguration), "{\"json\": 16}");
  EXPECT_EQ(expanded("{OTHER} { } {", kConfiguration), "{OTHER} { } {");
}

TEST(Work, IsReadAsItWasWritten) {
  Work work{.command = {"./app", "{BLOCK}"},
            .source = "a.hip",
            .flags = {"-O2"},
            .target = "host",
            .pattern = "(.*)",
            .check = {"true"},
            .runs = 3,
            .timeout_s = 9};
  const auto again = work_from(to_value(work));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_value(*again), to_value(work));
  EXPECT_EQ(work_from(Value(Record{{"command", Value("x")}})).error().code, Errc::corrupt);
  EXPECT_EQ(to_value(work).find("objective"), nullptr)
      << "as tunings were kept before there was one";
  work.objective = "application";
  EXPECT_EQ(work_from(to_value(work))->objective, "application");
}

TEST(Work, TakesTheApplicationsTimeOfAWholeRecordedProgramAlone) {
  Work work{.command = {"./app", "{BLOCK}"}, .target = "emu", .objective = "application"};
  EXPECT_TRUE(check_work(work, blocks()));
  work.kernel = "gemm";
  EXPECT_EQ(check_work(work, blocks()).error().code, Errc::usage);
  work.kernel.clear();
  work.target = "host";
  EXPECT_EQ(check_work(work, blocks()).error().code, Errc::usage);
  work.target = "emu";
  work.objective = "watts";
  EXPECT_EQ(check_work(work, blocks()).error().code, Errc::usage);
}

TEST(Work, RefusesWhatCannotRun) {
  const auto refusal = [](const Work& work) {
    const auto status = check_work(work, blocks());
    EXPECT_FALSE(status);
    return status ? std::string() : status.error().message;
  };
  EXPECT_TRUE(check_work({.command = {"./app", "{BLOCK}", "{MODE}"}}, blocks()));
  // The older tool's templates take some of its keys.
  EXPECT_TRUE(check_work({.command = {"./app", "{BLOCK}"}}, blocks()));
  EXPECT_THAT(refusal({}), HasSubstr("nothing to run"));
  EXPECT_THAT(refusal({.command = {"./app", "{BLOK}"}}), HasSubstr("{BLOK} is not a parameter"));
  EXPECT_THAT(refusal({.command = {"./app", "{BINARY}"}}), HasSubstr("BINARY"));
  EXPECT_THAT(refusal({.command = {"./app"}, .source = "a.hip", .capture = "c"}),
              HasSubstr("captured dispatch"));
  EXPECT_THAT(refusal({.command = {"./app"}, .workgroup = "{BLOCK}"}), HasSubstr("--workgroup"));
  EXPECT_THAT(refusal({.command = {"./app"}, .pattern = "took [0-9]+"}), HasSubstr("no group"));
  EXPECT_THAT(refusal({.command = {"./app"}, .pattern = "("}), HasSubstr("regular expression"));
  EXPECT_THAT(refusal({.command = {"./app"}, .runs = 0}), HasSubstr("--runs"));
}

TEST(Work, HasADigestOfWhatDecidesAboutTimes) {
  const testing_support::TempDir folder;
  Work work{.command = {"{BINARY}"}, .source = folder.write("a.hip", "one")};
  const std::string digest = digest_of(work);
  work.target = "local";
  work.cwd = "/elsewhere";
  EXPECT_EQ(digest_of(work), digest);
  folder.write("a.hip", "two");
  EXPECT_NE(digest_of(work), digest);
}

}  // namespace
}  // namespace rpl::tune
