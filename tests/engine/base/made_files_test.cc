// SPDX-License-Identifier: MIT
#include "engine/base/made_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/output_file.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::TempDir;

TEST(MadeFiles, WhatThePersonWroteIsNotReplaced) {
  const TempDir folder;
  const std::string path = folder.write("notes.csv", "mine\n");
  const Status written = write_named_file(path, "rpl\n");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::denied);
  EXPECT_THAT(written.error().message, HasSubstr("notes.csv is there already"));
  EXPECT_THAT(written.error().hint, HasSubstr("--force"));
  EXPECT_EQ(folder.read("notes.csv"), "mine\n");
}

TEST(MadeFiles, WhatWasMadeIsMadeAgainUntilSomebodyChangesIt) {
  const TempDir folder;
  const std::string path = folder / "out.csv";
  ASSERT_TRUE(write_named_file(path, "one\n"));
  ASSERT_TRUE(write_named_file(path, "two\n"));
  EXPECT_EQ(folder.read("out.csv"), "two\n");
  // Also under another name, and of the same size.
  std::filesystem::rename(path, folder / "kept.csv");
  ASSERT_TRUE(write_named_file(folder / "kept.csv", "six\n"));
  folder.write("kept.csv", "own\nwords\n");
  const Status again = write_named_file(folder / "kept.csv", "new\n");
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("was changed since rpl made it"));
}

TEST(MadeFiles, AnEmptyFileHoldsNothingToLose) {
  const TempDir folder;
  EXPECT_TRUE(write_named_file(folder.write("empty", ""), "x"));
}

TEST(MadeFiles, ReplacingIsForOneThreadAndOneWhile) {
  const TempDir folder;
  const std::string path = folder.write("notes.csv", "mine\n");
  {
    const ReplaceScope replaces(true);
    const ReplaceScope within(false);
    EXPECT_TRUE(check_replaceable(path));
  }
  EXPECT_FALSE(check_replaceable(path));
  const ReplaceScope not_asked(false);
  EXPECT_FALSE(check_replaceable(path));
}

TEST(MadeFiles, TheProgramsOwnFilesAreItsOwn) {
  const TempDir folder;
  EXPECT_TRUE(write_file(folder.write("session", "before"), std::string_view("after")));
  EXPECT_EQ(folder.read("session"), "after");
}

TEST(MadeFiles, ALargeFileThatIsInterruptedAtItsEndDoesNotAppear) {
  const TempDir folder;
  OutputFile file = OutputFile::create(folder / "large").value();
  for (int i = 0; i < 24; ++i)
    ASSERT_TRUE(file.write(OutputBytes::raw(std::string(std::size_t{1} << 20, 'x'))));
  {
    const interrupt::ForNow stopped;
    const Status done = file.commit();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Errc::interrupted);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "large"));
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(std::filesystem::file_size(folder / "large"), std::uint64_t{24} << 20);
}

}  // namespace
}  // namespace rpl
