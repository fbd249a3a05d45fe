// SPDX-License-Identifier: MIT
#include "engine/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

TEST(Files, ReadWhatWasWritten) {
  const testing_support::TempDir folder;
  const std::string path = folder.path() + "/a";
  const std::string content("one\0two\n", 8);
  ASSERT_TRUE(write_file(path, content));
  EXPECT_EQ(read_text_file(path), content);
  const auto bytes = read_binary_file(path);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(as_text(*bytes), content);
}

TEST(Files, ReadFilesWithoutASize) {
  const auto text = read_text_file("/proc/self/maps");
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("[stack]"), std::string::npos);
}

TEST(Files, NameWhatIsMissing) {
  const auto text = read_text_file("/nowhere/at/all");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, Errc::not_found);
  EXPECT_NE(text.error().message.find("/nowhere/at/all"), std::string::npos);
  EXPECT_EQ(read_text_file("/proc").error().code, Errc::io);
}

TEST(Files, KeepPermissions) {
  const testing_support::TempDir folder;
  const std::string path = folder.path() + "/script";
  ASSERT_TRUE(write_file(path, "old"));
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  ASSERT_TRUE(write_file(path, "new"));
  struct stat facts{};
  ASSERT_EQ(::stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0755U);
  EXPECT_EQ(read_text_file(path), "new");
}

TEST(Files, FoldersAreMadeAtAnyDepth) {
  const testing_support::TempDir folder;
  ASSERT_TRUE(make_folder(folder.path() + "/a/b/c"));
  ASSERT_TRUE(make_folder(folder.path() + "/a/b/c"));
  ASSERT_TRUE(write_file(folder.path() + "/file", "x"));
  EXPECT_EQ(make_folder(folder.path() + "/file/d").error().code, Errc::io);
}

}  // namespace
}  // namespace rpl
