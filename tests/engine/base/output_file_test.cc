// SPDX-License-Identifier: MIT
#include "engine/base/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/base/interrupt.h"
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

TEST(OutputFile, ThatSomebodyNamedCanBeStoppedWhileItIsWritten) {
  const testing_support::TempDir folder;
  const std::string piece(std::size_t{1} << 20, 'x');
  const auto written = [&](OutputFile::Place place) {
    auto file = OutputFile::create(folder / "out.bin", place).value();
    interrupt::raise();
    Status status;
    for (int i = 0; i < 8 && status; ++i) status = file.write(OutputBytes::raw(piece));
    interrupt::clear();
    return status;
  };
  const Status named = written(OutputFile::Place::named);
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().code, Errc::interrupted);
  // What the program keeps for itself it keeps: what an interrupted run had done, for one.
  EXPECT_TRUE(written(OutputFile::Place::own));
  EXPECT_FALSE(fs::exists(folder / "out.bin"));
}

TEST(OutputFile, GoesNeitherThroughALinkNorIntoAPipeOrASocket) {
  const testing_support::TempDir dir;
  const std::string path = dir / "out.txt", link = dir / "link";
  std::ofstream(path) << "old";
  fs::create_symlink(path, link);
  const auto linked = OutputFile::create(link);
  ASSERT_FALSE(linked.has_value());
  EXPECT_EQ(linked.error().code, Errc::denied);
  EXPECT_EQ(linked.error().message, link + " is a symbolic link; it is not written through");
  EXPECT_EQ(content(path), "old");
  fs::create_symlink(dir / "nowhere", dir / "dangling");
  EXPECT_FALSE(OutputFile::create(dir / "dangling").has_value());
  ASSERT_EQ(::mkfifo((dir / "p").c_str(), 0600), 0);
  const auto pipe = OutputFile::create(dir / "p");
  ASSERT_FALSE(pipe.has_value());
  EXPECT_EQ(pipe.error().message, (dir / "p") + " is a pipe, not a file");
  EXPECT_FALSE(OutputFile::create("/dev/full").has_value());
}

TEST(OutputFile, WritesIntoWhatIsOpenAlready) {
  const testing_support::TempDir dir;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  {
    auto file = OutputFile::create("/dev/fd/" + std::to_string(ends[1]));
    ASSERT_TRUE(file && file->write("through") && file->commit());
  }
  ::close(ends[1]);
  char got[16];
  ASSERT_EQ(::read(ends[0], got, sizeof(got)), 7);
  EXPECT_EQ(std::string_view(got, 7), "through");
  ::close(ends[0]);
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
