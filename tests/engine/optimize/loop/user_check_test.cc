// SPDX-License-Identifier: MIT
#include "engine/optimize/store/user_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/document/bound.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::Contains;

using ::testing::EndsWith;
using ::testing::Not;
using ::testing::StartsWith;

CheckSubject subject() {
  Optimization optimization;
  optimization.kernel = "softmax";
  optimization.architecture = "gfx942";
  optimization.source = "/home/me/a file.hip";
  optimization.capture = "/home/me/frozen";
  optimization.folder = "/session/o1";
  Proposal proposal;
  proposal.number = 3;
  proposal.title = "unroll \"it\"; $HOME";
  proposal.folder = "/session/p3";
  return check_subject(Stage::verify, optimization, proposal);
}

TEST(UserCheck, FindsEveryPathInItsEnvironment) {
  const testing_support::TempDir folder;
  CheckSubject asked = subject();
  asked.program = "/session/program 1";
  const auto verdict =
      run_check_command("env | grep ^RPL_CHECK_ | sort > '" + (folder / "seen") + "'", asked);
  ASSERT_TRUE(verdict.has_value()) << verdict.error().message;
  EXPECT_FALSE(verdict->has_value());
  EXPECT_EQ(
      *read_text_file(folder / "seen"),
      "RPL_CHECK_ARCH=gfx942\nRPL_CHECK_BASE_OBJECT=/session/o1/base.co\nRPL_CHECK_BASE_SOURCE=/"
      "session/o1/base.hip\n"
      "RPL_CHECK_CANDIDATE_OBJECT=/session/p3/candidate.co\nRPL_CHECK_CANDIDATE_SOURCE=/session/p3/"
      "candidate.hip\nRPL_CHECK_CAPTURE=/home/me/frozen\n"
      "RPL_CHECK_KERNEL=softmax\nRPL_CHECK_PROGRAM=/session/program "
      "1\nRPL_CHECK_PROPOSAL=p3\nRPL_CHECK_SOURCE=/home/me/a file.hip\nRPL_CHECK_STAGE=verify\n"
      "RPL_CHECK_TITLE=unroll \"it\"; $HOME\n");
}

TEST(UserCheck, WithoutAnApplicationThereIsNoneNotEvenAnOuterOne) {
  EXPECT_THAT(check_environment(subject()), Contains("RPL_CHECK_PROGRAM"));
  EXPECT_THAT(check_environment(subject()), Not(Contains(StartsWith("RPL_CHECK_PROGRAM="))));
  EXPECT_TRUE(to_value(subject()).find("program")->is_null());
  CheckSubject nameless = subject();
  nameless.title.clear();
  EXPECT_THAT(check_environment(nameless), Contains("RPL_CHECK_TITLE"));
  EXPECT_THAT(check_environment(nameless), Not(Contains(StartsWith("RPL_CHECK_TITLE="))));
  EXPECT_EQ(*to_value(subject()).find("candidate_object"), Value("/session/p3/candidate.co"));
}

TEST(UserCheck, TheLastLineOfStderrIsTheReason) {
  const auto verdict =
      run_check_command("echo fine; printf 'first\\nrow 7 is off\\n\\n' >&2; exit 9", subject());
  ASSERT_TRUE(verdict.has_value() && verdict->has_value());
  EXPECT_EQ((*verdict)->rule, "check-cmd");
  EXPECT_THAT((*verdict)->message, EndsWith("' ended with status 9: row 7 is off"));
  EXPECT_EQ((*run_check_command("exit 2", subject()))->message, "'exit 2' ended with status 2");
  EXPECT_EQ((*run_check_command("kill -9 $$", subject()))->message,
            "'kill -9 $$' ended with status 137");
  EXPECT_EQ((*run_check_command("printf '%2000d' 1 >&2; exit 1", subject()))->message.substr(0, 20),
            "'printf '%2000d' 1 >");
}

}  // namespace
}  // namespace rpl
