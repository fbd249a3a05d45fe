// SPDX-License-Identifier: MIT
#include "engine/trace/import/open.h"

#include "engine/store/database.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing_support::TempDir;

void generate(const std::string& path, unsigned process = 0) {
  test::GenerateOptions options;
  options.path = path;
  options.first_process = process;
  ASSERT_TRUE(test::generate_rocpd(options));
}

Error failure(const std::string& path) { return open_trace(std::span(&path, 1)).error(); }

TEST(OpenTrace, MergesTheFilesOfAFolder) {
  const TempDir folder;
  std::filesystem::create_directories(folder / "host/.hidden");
  generate(folder / "host/1_results.db");
  generate(folder / "host/2_results.db", 1);
  generate(folder / "host/.hidden/3_results.db", 2);
  folder.write("host/notes.txt", "not a recording");
  const auto trace = *open_trace(std::vector{folder.path()});
  EXPECT_EQ(trace->size(), 2000U);
  EXPECT_EQ(trace->entities().files.size(), 2U);
  EXPECT_EQ(trace->entities().processes[1].file, 1U);
}

TEST(OpenTrace, NotesOtherDatabasesInAFolder) {
  const TempDir folder;
  generate(folder / "a.db");
  ASSERT_TRUE(Database::create_plain(folder / "b.db")->execute("CREATE TABLE t (x)"));
  const auto trace = *open_trace(std::vector{folder.path()});
  EXPECT_EQ(trace->size(), 1000U);
  EXPECT_THAT(trace->entities().notes,
              Contains(HasSubstr("b.db is a SQLite database but no recording")));
}

TEST(OpenTrace, SaysWhatAFileIsWhenItIsNoRecording) {
  const TempDir folder;
  ASSERT_TRUE(Database::create_plain(folder / "b.db")->execute("CREATE TABLE t (x)"));
  ASSERT_TRUE(
      Database::create_plain(folder / "c.db")->execute("CREATE TABLE compute_metadata (x)"));
  EXPECT_EQ(failure(folder / "b.db").code, Errc::unsupported);
  EXPECT_THAT(failure(folder / "c.db").message, HasSubstr("rocprof-compute"));
  EXPECT_EQ(failure(folder / "none.db").code, Errc::not_found);
  EXPECT_EQ(failure(folder.write("d.txt", "x,y\n1,2\n")).code, Errc::unsupported);
}

TEST(OpenTrace, AFolderWithoutRecordingsIsNotFound) {
  const TempDir folder;
  EXPECT_EQ(failure(folder.path()).code, Errc::not_found);
  EXPECT_EQ(open_trace({}).error().code, Errc::usage);
}

TEST(OpenTrace, AColumnsMemoryIsAtMost28BytesADispatch) {
  const TempDir folder;
  generate(folder / "a.db");
  const auto trace = *open_trace(std::vector{folder / "a.db"});
  EXPECT_LE(trace->column_bytes(), 28 * trace->size());
}

}  // namespace
}  // namespace rpl
