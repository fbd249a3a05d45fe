// SPDX-License-Identifier: MIT
#include "engine/base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rpl {
namespace {

TEST(ScratchFolder, GoesWithItsObjectAndAllThatIsInIt) {
  std::string path;
  {
    auto made = ScratchFolder::make("test");
    ASSERT_TRUE(made.has_value()) << made.error().message;
    const ScratchFolder moved = std::move(*made);
    path = moved.path();
    EXPECT_NE(path.find("/rpl-test-"), std::string::npos);
    std::filesystem::create_directory(path + "/inner");
    std::ofstream(path + "/inner/file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path + "/inner/file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// Whose room is given back by a process of its own, which holds nothing else open and is no child that anybody waits for.
TEST(ScratchFolder, ALargeFileIsGoneAtOnce) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd reads(ends[0]);
  UniqueFd writes(ends[1]);
  std::string path;
  {
    const ScratchFolder folder = ScratchFolder::make("test").value();
    path = folder.path();
    std::ofstream(path + "/large") << "text";
    std::filesystem::resize_file(path + "/large", std::uintmax_t{100} << 20);
    std::filesystem::create_symlink("/dev/zero", path + "/link");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  EXPECT_EQ(errno, ECHILD);
  writes.reset();
  char none = 0;
  EXPECT_EQ(::read(reads.get(), &none, 1), 0) << "the end of what we wrote to comes";
}

TEST(ScratchFolder, SaysWhereItCannotBeMade) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  const auto made = ScratchFolder::make("test");
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, Errc::io);
}

}  // namespace
}  // namespace rpl
