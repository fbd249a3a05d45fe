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
  // What the named folder lacks is looked for in the other places: headers come with every build.
  const auto headers = emulated_hip_folder("include/hip/hip_runtime.h");
  ::unsetenv("RPL_EMULATED_HIP");
  ASSERT_TRUE(headers.has_value());
  EXPECT_NE(*headers, folder / "own");
  EXPECT_TRUE(std::filesystem::exists(*headers + "/include/hip/hip_runtime.h"));
  EXPECT_EQ(emulated_hip_folder("include/mine.h"), std::nullopt);
}

}  // namespace
}  // namespace rpl
