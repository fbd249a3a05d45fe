// SPDX-License-Identifier: MIT
#include "engine/base/files.h"

#include <gtest/gtest.h>

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
