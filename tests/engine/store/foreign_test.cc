// SPDX-License-Identifier: MIT
#include "engine/store/foreign.h"

#include <sys/stat.h>

#include <fstream>
#include <set>

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::TempDir;

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string make_database(const TempDir& folder, std::string_view pragma = "", int rows = 1000) {
  const std::string path = folder / "a.db";
  Database database = *Database::create_plain(path);
  EXPECT_TRUE(database.execute(
      fmt::format("{}; CREATE TABLE t (x INTEGER, y TEXT DEFAULT 'pad pad pad pad')", pragma)));
  EXPECT_TRUE(
      database.execute(fmt::format("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                                   "WHERE i < {}) INSERT INTO t(x) SELECT i FROM n",
                                   rows)));
  return path;
}

std::int64_t rows_of(ForeignDatabase& database) {
  return **database.database().scalar("SELECT count(*) FROM t");
}

struct Refused {
  const char* name;
  std::string content;
  Errc code;
  const char* message;
};

TEST(ForeignDatabase, SaysPreciselyWhatIsWrongWithAFile) {
  const TempDir folder;
  const std::string whole = bytes_of(make_database(folder));
  const std::vector<Refused> cases = {
      {"empty.db", "", Errc::corrupt, "is empty (0 bytes)"},
      {"text.db", "hello, this is not a database at all\n", Errc::corrupt,
       "is not a SQLite database"},
      {"noise.db", std::string(4096, '\x9d'), Errc::corrupt, "is not a SQLite database"},
      {"header.db", whole.substr(0, 60), Errc::corrupt, "is cut short: 60 bytes"},
      {"magic.db", whole.substr(0, 7), Errc::corrupt, "is cut short: 7 bytes"},
      {"half.db", whole.substr(0, whole.size() / 2), Errc::corrupt, "is cut short"},
  };
  for (const Refused& refused : cases) {
    SCOPED_TRACE(refused.name);
    const auto opened = ForeignDatabase::open(folder.write(refused.name, refused.content));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, refused.code);
    EXPECT_THAT(opened.error().message, HasSubstr(refused.message));
    EXPECT_THAT(opened.error().message, HasSubstr(refused.name));
  }
}

TEST(ForeignDatabase, TellsMissingFilesFromFolders) {
  const TempDir folder;
  EXPECT_EQ(ForeignDatabase::open(folder / "none.db").error().code, Errc::not_found);
  const auto opened = ForeignDatabase::open(folder.path());
  EXPECT_EQ(opened.error().code, Errc::io);
  EXPECT_THAT(opened.error().message, HasSubstr("is a folder"));
}

TEST(ForeignDatabase, NothingAppearsBesideTheFileWhileItIsOpen) {
  for (const char* pragma : {"", "PRAGMA journal_mode=WAL", "PRAGMA journal_mode=PERSIST"}) {
    SCOPED_TRACE(pragma);
    const TempDir folder;
    const std::string path = make_database(folder, pragma);
    const auto before = files_in(folder.path());
    const std::string bytes = bytes_of(path);
    const auto opened = ForeignDatabase::open(path);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(rows_of(**opened), 1000);
    EXPECT_EQ(files_in(folder.path()), before);
    EXPECT_EQ(bytes_of(path), bytes);
    EXPECT_THAT((*opened)->note(), IsEmpty());
  }
}

TEST(ForeignDatabase, NeitherItNorWhatLiesBesideItIsAPipe) {
  for (const char* side : {"", "-wal", "-journal", "-shm"}) {
    const TempDir folder;
    const std::string path = make_database(folder), name = path + side;
    std::filesystem::remove(name);
    ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
    const auto opened = ForeignDatabase::open(path);
    ASSERT_FALSE(opened.has_value()) << side;
    EXPECT_EQ(opened.error().message, name + " is a pipe, not a file");
  }
}

TEST(ForeignDatabase, FollowsNoLinkBesideIt) {
  const TempDir folder;
  const std::string path = make_database(folder);
  std::filesystem::create_symlink("/etc/passwd", path + "-wal");
  const auto opened = ForeignDatabase::open(path);
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().message, HasSubstr("-wal is a symbolic link, and is not followed"));
}

TEST(ForeignDatabase, CannotBeWritten) {
  const TempDir folder;
  const auto opened = ForeignDatabase::open(make_database(folder));
  EXPECT_FALSE((*opened)->database().execute("DELETE FROM t"));
}

/// A copy of a database whose writer is in the middle of things, side files included.
std::string copy_in_use(const TempDir& from, const TempDir& to) {
  for (const std::string& name : files_in(from.path())) {
    if (!name.ends_with("-shm")) std::filesystem::copy_file(from / name, to / name);
  }
  return to / "a.db";
}

TEST(ForeignDatabase, RecoversAWriteAheadLogInAPrivateCopy) {
  const TempDir folder, killed;
  make_database(folder, "PRAGMA journal_mode=WAL");
  Database writer = *Database::create_plain(folder / "a.db");
  ASSERT_TRUE(writer.execute("PRAGMA wal_autocheckpoint=0; INSERT INTO t(x) VALUES (1), (2), (3)"));
  const std::string path = copy_in_use(folder, killed);
  const auto before = files_in(killed.path());
  const std::string bytes = bytes_of(path);
  std::string copy;
  {
    const auto opened = ForeignDatabase::open(path);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(rows_of(**opened), 1003);
    EXPECT_THAT((*opened)->note(), HasSubstr("recovered in a private copy"));
    copy = (*opened)->opened_path();
    struct stat status{};
    ASSERT_EQ(::stat(std::filesystem::path(copy).parent_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
  }
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(copy).parent_path()));
  EXPECT_EQ(files_in(killed.path()), before);
  EXPECT_EQ(bytes_of(path), bytes);
}

TEST(ForeignDatabase, RollsBackAHotJournalInAPrivateCopy) {
  const TempDir folder, killed;
  make_database(folder, "PRAGMA page_size=1024", 20000);
  Database writer = *Database::create_plain(folder / "a.db");
  // A cache of few pages makes the transaction spill into the file before it ends.
  ASSERT_TRUE(
      writer.execute("PRAGMA cache_size=5; BEGIN; UPDATE t SET y = 'changed changed changed'; "
                     "DELETE FROM t WHERE x > 100"));
  const std::string path = copy_in_use(folder, killed);
  ASSERT_TRUE(std::filesystem::exists(path + "-journal"));
  const auto opened = ForeignDatabase::open(path);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(rows_of(**opened), 20000);
  EXPECT_EQ(**(*opened)->database().scalar("SELECT count(*) FROM t WHERE y LIKE 'changed%'"), 0);
  EXPECT_THAT((*opened)->note(), HasSubstr("hot journal"));
}

TEST(ForeignDatabase, OpensPathsWithCharactersThatUrisReserve) {
  const TempDir folder;
  const std::string odd = folder / "a %41?#&.db";
  std::filesystem::rename(make_database(folder), odd);
  const auto opened = ForeignDatabase::open(odd);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(rows_of(**opened), 1000);
}

TEST(ForeignDatabase, ListsTablesAndColumns) {
  const TempDir folder;
  const auto opened = ForeignDatabase::open(make_database(folder));
  EXPECT_THAT(*(*opened)->tables(), testing::ElementsAre("t"));
  EXPECT_THAT(*(*opened)->columns("t"), testing::ElementsAre("x", "y"));
  EXPECT_THAT(*(*opened)->columns("none"), IsEmpty());
}

/// One step of a query is what cannot be stopped: it stays short.
TEST(ForeignDatabase, NoStepOfAQueryIsLong) {
  const TempDir folder;
  const auto opened = ForeignDatabase::open(make_database(folder));
  ASSERT_TRUE(opened);
  Database& database = (*opened)->database();
  const auto ran = [&](const char* sql) -> Status {
    Statement statement = TRY(database.prepare(sql));
    return statement.run();
  };
  for (const char* sql : {"select length(replace(hex(zeroblob(300000000)), '0', 'abcd'))",
                          "select length(replace(hex(zeroblob(30000000)), '0', 'abcd'))",
                          "select zeroblob(100000000)"})
    EXPECT_FALSE(ran(sql)) << sql;
  // In the product of the lengths this would take days.
  EXPECT_TRUE(ran("select instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1')"));
  EXPECT_TRUE(
      ran("select length(replace(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1', ''))"));
}

/// Debian's SQLite lets a query ask for the address of a tokenizer, and put another address in its place.
TEST(ForeignDatabase, NoQueryTellsOrSetsAnAddress) {
  const TempDir folder;
  const auto opened = ForeignDatabase::open(make_database(folder));
  ASSERT_TRUE(opened);
  for (const char* sql : {"select hex(fts3_tokenizer('simple'))", "select FTS3_Tokenizer(?)",
                          "select fts3_tokenizer('simple', x'4141414141414141')",
                          "select fts3_tokenizer('simple', ?)"}) {
    const auto prepared = (*opened)->database().prepare(sql);
    ASSERT_FALSE(prepared) << sql;
  }
  // Our own databases may be asked about by nobody else, and answer neither.
  Database own = *Database::open_memory();
  Statement asks = *own.prepare("select fts3_tokenizer('simple')");
  const auto row = asks.step();
  EXPECT_TRUE(!row || asks.text(0).empty());
}

TEST(ForeignDatabase, SearchingTextIsAsInSqlite) {
  const TempDir folder;
  const auto opened = ForeignDatabase::open(make_database(folder));
  ASSERT_TRUE(opened);
  Database own = *Database::open_memory();
  for (const char* sql :
       {"select instr('abcabc', 'ca')", "select instr('abc', 'x')", "select instr('abc', '')",
        "select instr('\xc3\xa4\xc3\xb6x', 'x')", "select instr(x'0102', x'02')",
        "select instr(null, 'x')", "select instr(12345, 34)", "select replace('aXbX', 'X', 'yy')",
        "select replace('abc', '', 'x')", "select replace('abc', 'b', '')",
        "select replace(null, 'b', 'c')", "select replace(121, 1, 3)",
        "select typeof(replace('abc', '', 'x'))"}) {
    Statement ours = *(*opened)->database().prepare(sql), theirs = *own.prepare(sql);
    ASSERT_TRUE(*ours.step() && *theirs.step());
    EXPECT_EQ(ours.type(0), theirs.type(0)) << sql;
    EXPECT_EQ(ours.text(0), theirs.text(0)) << sql;
  }
}

}  // namespace
}  // namespace rpl
