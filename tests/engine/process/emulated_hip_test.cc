// SPDX-License-Identifier: MIT
#include "engine/process/emulated_hip.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

TEST(EmulatedHip, IsWhereItsVariableSaysWhenTheFileIsThere) {
  const testing_support::TempDir folder;
  folder.write("own/include/mine.h", "");
  ::setenv("RPL_EMULATED_HIP", (folder / "own").c_str(), 1);
  EXPECT_EQ(emulated_hip_folder("include/mine.h"), folder / "own");
  ::unsetenv("RPL_EMULATED_HIP");
  EXPECT_EQ(emulated_hip_folder("include/mine.h"), std::nullopt);
}

TEST(Companion, LiesBesideAProgramThatWasBuiltAndInThePrefixOfOneThatIsInstalled) {
  const testing_support::TempDir folder;
  folder.write("named/a.so", "");
  folder.write("build/tool/a.so", "");
  folder.write("usr/bin/rpl", "");
  folder.write("usr/lib/rpl/tool/a.so", "");
  folder.write("usr/share/rpl/scripts/a.lua", "");
  const auto found = [&](const std::string& program, const std::string& name,
                         const std::string& file) {
    return companion_folder_of(folder / program, "RPL_TEST_COMPANION", name, file);
  };
  EXPECT_EQ(found("build", "tool", "a.so"), folder / "build/tool");
  EXPECT_EQ(found("usr/bin", "tool", "a.so"), folder / "usr/lib/rpl/tool");
  EXPECT_EQ(found("usr/bin", "scripts", "a.lua"), folder / "usr/share/rpl/scripts");
  EXPECT_EQ(found("usr/bin", "tool", "b.so"), std::nullopt);
  // What the variable names comes first, and what is not in there is looked for in the other places.
  ::setenv("RPL_TEST_COMPANION", (folder / "named").c_str(), 1);
  EXPECT_EQ(found("build", "tool", "a.so"), folder / "named");
  EXPECT_EQ(found("usr/bin", "scripts", "a.lua"), folder / "usr/share/rpl/scripts");
  ::unsetenv("RPL_TEST_COMPANION");
}

TEST(Companion, ThatIsGoneIsBuiltOrInstalledAgain) {
  // This test lies beside no CMakeCache.txt, as an installed program.
  EXPECT_EQ(companion_command("rpl_amdhip64"), "sudo apt-get install --reinstall rocm-perf-lab");
}

}  // namespace
}  // namespace rpl
