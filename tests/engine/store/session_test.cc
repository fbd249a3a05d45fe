// SPDX-License-Identifier: MIT
#include "engine/store/session.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

std::unique_ptr<Session> open_in(const TempDir& folder) {
  auto session = Session::open(folder / ".rpl", {"0.1.0", {"rpl", "-q"}});
  EXPECT_TRUE(session) << session.error().message;
  return std::move(*session);
}

NewSessionEvent asked(std::string line) {
  return {SessionEventKind::asked, std::move(line), Value()};
}

NewSessionEvent answered(std::int64_t about, std::int64_t exit) {
  return {SessionEventKind::answered, "",
          Value(Record{{"exit", Value(exit)},
                       {"elapsed_ns", Value(std::int64_t{1500})},
                       {"schema", Value("rpl.critpath/1")}}),
          about};
}

/// Opens the session in a child that appends until it is killed, telling us through a pipe what was kept.
std::int64_t appended_until_killed(const TempDir& folder, int events_before_kill) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto session = Session::open(folder / ".rpl", {"0.1.0", {}});
    for (std::int64_t i = 0; session; ++i) {
      const auto id = (*session)->append(asked("line " + std::to_string(i)));
      if (!id || write(ends[1], &*id, sizeof *id) != sizeof *id) _exit(1);
    }
    _exit(1);
  }
  close(ends[1]);
  std::int64_t id = 0, reported = 0;
  while (read(ends[0], &id, sizeof id) == sizeof id) {
    reported = id;
    if (--events_before_kill == 0) kill(child, SIGKILL);
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return reported;
}

TEST(Session, IsForItsOwnerAlone) {
  const TempDir folder;
  const auto session = open_in(folder);
  ASSERT_TRUE(session->append(asked("a line")).has_value());
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(folder / ".rpl").permissions(), fs::perms::owner_all);
  for (const auto& file : fs::directory_iterator(folder / ".rpl"))
    EXPECT_EQ(file.status().permissions(), fs::perms::owner_read | fs::perms::owner_write)
        << file.path();
}

TEST(Session, LeavesTheFolderThatIsThereAsItIs) {
  const TempDir folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder / ".rpl");
  const auto before = fs::status(folder / ".rpl").permissions();
  EXPECT_NE(open_in(folder), nullptr);
  EXPECT_EQ(fs::status(folder / ".rpl").permissions(), before);
}

TEST(Session, JoinsAnswersToTheirQuestions) {
  const TempDir folder;
  auto session = open_in(folder);
  const auto question = session->append(asked("critpath"));
  ASSERT_TRUE(question);
  ASSERT_TRUE(session->append(answered(*question, 0)));
  ASSERT_TRUE(session->append(asked("slack")));
  const auto log = session->log(10);
  ASSERT_TRUE(log);
  ASSERT_EQ(log->size(), 2U);
  EXPECT_EQ((*log)[0].event.what, "critpath");
  EXPECT_EQ((*log)[0].exit, 0);
  EXPECT_EQ((*log)[0].elapsed_ns, 1500);
  EXPECT_EQ((*log)[0].schema, "rpl.critpath/1");
  EXPECT_FALSE((*log)[1].exit);
}

TEST(Session, LogShowsTheLastOldestFirst) {
  const TempDir folder;
  auto session = open_in(folder);
  for (const char* line : {"one", "two", "three"}) ASSERT_TRUE(session->append(asked(line)));
  const auto log = session->log(2);
  ASSERT_TRUE(log);
  ASSERT_EQ(log->size(), 2U);
  EXPECT_EQ((*log)[0].event.what, "two");
  EXPECT_EQ((*log)[1].event.what, "three");
}

TEST(Session, CountsRunsOnlyWhenTheyWrote) {
  const TempDir folder;
  ASSERT_TRUE(open_in(folder)->append(asked("one")));
  ASSERT_TRUE(open_in(folder)->append(asked("two")));
  const auto facts = open_in(folder)->facts();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->runs, 2);
  EXPECT_EQ(facts->events, 2);
  EXPECT_EQ(facts->unanswered, 2);
  EXPECT_EQ(facts->schema_version, 1);
  EXPECT_LE(*facts->first_unix_ns, *facts->last_unix_ns);
}

TEST(Session, RefusesToChangeOrDeleteEvents) {
  const TempDir folder;
  ASSERT_TRUE(open_in(folder)->append(asked("one")));
  auto database = Database::open(folder / ".rpl/session.db");
  ASSERT_TRUE(database);
  EXPECT_FALSE(database->execute("UPDATE event SET what = 'two'"));
  EXPECT_FALSE(database->execute("DELETE FROM event"));
  EXPECT_EQ(open_in(folder)->facts()->events, 1);
}

TEST(Session, RefusesForeignAndNewerFiles) {
  const TempDir folder;
  std::filesystem::create_directories(folder / "foreign");
  ASSERT_TRUE(Database::open(folder / "foreign/session.db")->execute("CREATE TABLE t(x)"));
  EXPECT_EQ(Session::open(folder / "foreign", {}).error().code, Errc::corrupt);

  ASSERT_TRUE(open_in(folder)->append(asked("one")));
  ASSERT_TRUE(Database::open(folder / ".rpl/session.db")->execute("PRAGMA user_version=99"));
  EXPECT_EQ(Session::open(folder / ".rpl", {}).error().code, Errc::unsupported);
}

TEST(Session, NamesTheFolderThatCannotBeWritten) {
  const TempDir folder;
  folder.write("file", "");
  const auto session = Session::open(folder / "file/inside", {});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, Errc::io);
  EXPECT_NE(session.error().message.find("file/inside"), std::string::npos);
}

TEST(Session, KeepsAnswersWhileInterrupted) {
  const TempDir folder;
  auto session = open_in(folder);
  interrupt::raise();
  EXPECT_TRUE(session->append(asked("while true do end")));
  interrupt::clear();
}

TEST(Session, HoldsEverythingReportedBeforeAKill) {
  const TempDir folder;
  for (const int events : {1, 2, 7, 40, 300}) {
    const std::int64_t reported = appended_until_killed(folder, events);
    ASSERT_GT(reported, 0);
    std::int64_t last = 0;
    ASSERT_TRUE(open_in(folder)->each_event([&](const SessionEvent& event) {
      EXPECT_EQ(event.id, last + 1);
      last = event.id;
      return true;
    }));
    EXPECT_GE(last, reported);
  }
}

TEST(Session, TakesAppendsFromSeveralProcessesAtOnce) {
  const TempDir folder;
  constexpr int kProcesses = 6, kEvents = 25;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    auto session = Session::open(folder / ".rpl", {});
    bool kept = session.has_value();
    for (int n = 0; kept && n < kEvents; ++n) kept = (*session)->append(asked("x")).has_value();
    _exit(kept ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(open_in(folder)->facts()->events, kProcesses * kEvents);
}

}  // namespace
}  // namespace rpl
