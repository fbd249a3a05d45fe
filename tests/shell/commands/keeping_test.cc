// SPDX-License-Identifier: MIT
#include "shell/core/session/context.h"
#include "shell/core/session/session_log.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::ShellTest;

class KeepingTest : public ShellTest {
 protected:
  void keep(SessionLog::Create create, std::string in = ".rpl") {
    ASSERT_TRUE(context.log().start({std::move(in), create, {"0.1.0", {}}}));
  }
  bool exists(std::string_view name) { return std::filesystem::exists(folder / name); }
  std::vector<std::string> kept() {
    std::vector<std::string> lines;
    const auto log = context.log().session()->log(100);
    for (const SessionLogLine& line : *log)
      lines.push_back(line.event.kind + " " + line.event.what);
    return lines;
  }
};

TEST_F(KeepingTest, SingleCommandsLeaveNothingBehind) {
  keep(SessionLog::Create::never);
  shown("echo hi");
  context.log().opened("t1", {"a.db"});
  EXPECT_FALSE(exists(".rpl"));
}

TEST_F(KeepingTest, AFolderThatExistsIsWrittenInto) {
  std::filesystem::create_directory(folder / ".rpl");
  keep(SessionLog::Create::never);
  shown("echo hi");
  EXPECT_THAT(kept(), ElementsAre("asked echo hi"));
}

TEST_F(KeepingTest, TheFirstTraceBringsTheFolderWithWhatWasAskedBefore) {
  keep(SessionLog::Create::with_first_trace);
  shown("echo hi");
  EXPECT_EQ(run("nosuch"), 2);
  EXPECT_FALSE(exists(".rpl"));
  context.log().opened("t1", {"a.db"});
  EXPECT_TRUE(exists(".rpl/session.db"));
  EXPECT_THAT(kept(), ElementsAre("asked echo hi", "asked nosuch", "opened a.db"));
  const auto log = context.log().session()->log(3);
  EXPECT_EQ((*log)[0].exit, 0);
  EXPECT_EQ((*log)[1].exit, 2);
}

TEST_F(KeepingTest, WhatWaitsForASessionIsBounded) {
  keep(SessionLog::Create::with_first_trace);
  for (int i = 1; i <= 300; ++i) shown("echo " + std::to_string(i));
  context.log().opened("t1", {"a.db"});
  const auto log = context.log().session()->log(1000);
  // 500 events: of each question itself and its answer.
  ASSERT_EQ(log->size(), 251U);
  EXPECT_EQ(log->front().event.what, "echo 51");
  EXPECT_EQ(log->front().exit, 0) << "its answer is still about it";
  EXPECT_EQ((*log)[249].event.what, "echo 300");
  EXPECT_EQ((*log)[249].exit, 0);
}

TEST_F(KeepingTest, ANamedFolderIsCreatedAtOnce) {
  keep(SessionLog::Create::at_once, "kept");
  EXPECT_TRUE(exists("kept/session.db"));
  shown("set width 100");
  ASSERT_EQ(define("define hi", {"echo hi", "end"}), 0);
  EXPECT_THAT(kept(),
              ElementsAre("asked set width 100", "setting width", "asked define hi", "defined hi"));
}

TEST_F(KeepingTest, ALogThatCannotBeWrittenIsANote) {
  folder.write("file", "");
  ASSERT_FALSE(context.log().start({"file/x", SessionLog::Create::at_once, {}}));
  context.log().opened("t1", {"a.db"});
  EXPECT_THAT(err, HasSubstr("the session is not kept"));
  EXPECT_EQ(shown("echo hi"), "hi\n");
  EXPECT_EQ(err, "") << "said once";
}

TEST_F(KeepingTest, LargeResultsAreCutAndTheRestIsCounted) {
  Document document;
  document.columns = {{"text", Type::string, Unit::none, ""}};
  for (int i = 0; i < 1000; ++i) document.rows.push_back({Value(std::string(1000, 'x'))});
  const Value result(kept_result(document));
  const auto rows = static_cast<std::int64_t>(result.find("rows")->as<List>()->size());
  EXPECT_GT(rows, 10);
  EXPECT_LT(rows, 70);
  EXPECT_EQ(*result.find("rows_left_out"), Value(1000 - rows));
}

TEST_F(KeepingTest, SessionCommandsAnswerWithoutASession) {
  keep(SessionLog::Create::never);
  EXPECT_THAT(shown("session info /l"), HasSubstr("\"events\": 0"));
  EXPECT_THAT(err, HasSubstr("no session in .rpl"));
  EXPECT_THAT(shown("session log"), HasSubstr("(0 rows)"));
  EXPECT_FALSE(exists(".rpl"));
}

TEST_F(KeepingTest, ExportWritesALineForEachEvent) {
  keep(SessionLog::Create::at_once);
  shown("echo hi");
  shown("session export all.jsonl");
  EXPECT_THAT(folder.read("all.jsonl"),
              testing::MatchesRegex("(\\{\"schema\":\"rpl.session.event/1\",[^\n]*\\}\n){3}"));
}

}  // namespace
}  // namespace rpl
