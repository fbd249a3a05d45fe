// SPDX-License-Identifier: MIT
#include "engine/store/database.h"

#include <filesystem>

#include "engine/base/interrupt.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

constexpr std::array kSteps = {Migration{"CREATE TABLE a (x INTEGER) STRICT"},
                               Migration{"ALTER TABLE a ADD COLUMN y TEXT"}};
constexpr std::int32_t kOurs = 0x72706c31;

TEST(Database, BindsAndReadsBackEveryType) {
  Database database = *Database::open_memory();
  Statement statement = *database.prepare("SELECT ?1, ?2, ?3, ?4, ?5");
  ASSERT_TRUE(
      statement.bind(std::int64_t{-7}, 2.5, "text", nullptr, std::optional<std::string>("set")));
  ASSERT_TRUE(*statement.step());
  EXPECT_EQ(statement.int64(0), -7);
  EXPECT_EQ(statement.real(1), 2.5);
  EXPECT_EQ(statement.text(2), "text");
  EXPECT_TRUE(statement.is_null(3));
  EXPECT_EQ(statement.text(4), "set");
}

TEST(Database, EmptyTextIsNotNull) {
  Database database = *Database::open_memory();
  Statement statement = *database.prepare("SELECT ?1");
  ASSERT_TRUE(statement.bind(std::string_view()));
  ASSERT_TRUE(*statement.step());
  EXPECT_FALSE(statement.is_null(0));
}

TEST(Database, TransactionRollsBackUnlessCommitted) {
  Database database = *Database::open_memory();
  ASSERT_TRUE(database.execute("CREATE TABLE t (x)"));
  {
    const auto lost = Transaction::begin(database);
    ASSERT_TRUE(lost);
    ASSERT_TRUE(database.execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(**database.scalar("SELECT count(*) FROM t"), 0);
  auto kept = Transaction::begin(database);
  ASSERT_TRUE(database.execute("INSERT INTO t VALUES (1)"));
  ASSERT_TRUE(kept->commit());
  EXPECT_EQ(**database.scalar("SELECT count(*) FROM t"), 1);
}

TEST(Database, MigratesAnOlderFileAndOnlyOnce) {
  const TempDir folder;
  const std::string path = folder / "a.db";
  ASSERT_TRUE(Database::open(path)->migrate(std::span(kSteps).first(1), kOurs));
  Database database = *Database::open(path);
  ASSERT_TRUE(database.migrate(kSteps, kOurs));
  ASSERT_TRUE(database.migrate(kSteps, kOurs));
  EXPECT_EQ(**database.scalar("PRAGMA user_version"), 2);
  EXPECT_TRUE(database.execute("INSERT INTO a VALUES (1, 'y')"));
}

TEST(Database, RefusesANewerFileAndAnotherProgramsFile) {
  Database newer = *Database::open_memory();
  ASSERT_TRUE(newer.migrate(kSteps, kOurs));
  EXPECT_EQ(newer.migrate(std::span(kSteps).first(1), kOurs).error().code, Errc::unsupported);
  Database foreign = *Database::open_memory();
  ASSERT_TRUE(foreign.execute("CREATE TABLE theirs (x)"));
  EXPECT_EQ(foreign.migrate(kSteps, kOurs).error().code, Errc::corrupt);
}

TEST(Database, DoubleQuotedTextIsNoLiteral) {
  Database database = *Database::open_memory();
  EXPECT_FALSE(database.prepare("SELECT \"no such column\""));
}

TEST(Database, WhoIsInterruptedLeavesTheLogToTheNext) {
  const TempDir folder;
  const std::string path = folder / "a.db", log = path + "-wal";
  {
    Database database = *Database::open(path);
    ASSERT_TRUE(database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (7)"));
    interrupt::raise();
  }
  interrupt::clear();
  EXPECT_TRUE(std::filesystem::exists(log));
  {
    Database database = *Database::open(path);
    EXPECT_EQ(*database.scalar("SELECT x FROM t"), 7);
  }
  EXPECT_FALSE(std::filesystem::exists(log));
}

TEST(Database, LongQueriesEndWhenInterrupted) {
  Database database = *Database::open_memory();
  interrupt::raise();
  const auto result = database.scalar(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n");
  interrupt::clear();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::interrupted);
}

}  // namespace
}  // namespace rpl
