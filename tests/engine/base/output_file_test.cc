// SPDX-License-Identifier: MIT
#include "engine/base/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(OutputFile, AppearsOnlyWhenItIsComplete) {
  const testing_support::TempDir dir;
  const std::string path = dir / "out.txt";
  {
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file && file->write("hello"));
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(file->commit());
  }
  EXPECT_EQ(content(path), "hello");
  EXPECT_EQ(entries(fs::path(path).parent_path()), 1U);
}

TEST(OutputFile, LeavesTheOldFileWhenItIsNotCommitted) {
  const testing_support::TempDir dir;
  const std::string path = dir / "out.txt";
  std::ofstream(path) << "old";
  {
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file && file->write("new"));
  }
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(entries(fs::path(path).parent_path()), 1U);
}

TEST(OutputFile, WritesThroughALinkAndIntoADevice) {
  const testing_support::TempDir dir;
  const std::string path = dir / "out.txt", link = dir / "link";
  std::ofstream(path) << "old";
  fs::create_symlink(path, link);
  auto file = OutputFile::create(link);
  ASSERT_TRUE(file && file->write("new") && file->commit());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(path), "new");
  auto device = OutputFile::create("/dev/null");
  ASSERT_TRUE(device && device->write("gone") && device->commit());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(OutputFile, NamesThePlaceThatRefused) {
  for (const char* path : {"/nosuch/folder/file", "/tmp"}) {
    const auto file = OutputFile::create(path);
    ASSERT_FALSE(file.has_value());
    EXPECT_EQ(file.error().code, Errc::io);
    EXPECT_NE(file.error().message.find(path), std::string::npos);
  }
}

}  // namespace
}  // namespace rpl
