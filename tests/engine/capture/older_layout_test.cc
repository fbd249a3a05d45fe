// SPDX-License-Identifier: MIT
// The layout of older capture tools: no capture.json, no names, no hashes, names with and without ".kd".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::replaced;
using testing_support::TempDir;

class OlderLayout : public testing::TestWithParam<const char*> {};

TEST_P(OlderLayout, IsReadAndArgumentsAreFound) {
  const TempDir folder;
  const Capture ours = test::small_capture();
  ASSERT_TRUE(write_capture(folder / "c", ours).has_value());
  std::filesystem::remove(folder / "c/capture.json");
  std::filesystem::remove_all(folder / "c/post");
  folder.write(
      "c/dispatch.json",
      R"({"mangled_name":")" + std::string(GetParam()) +
          R"(","agent_name":"gfx942","isa_name":"amdgcn-amd-amdhsa--gfx942:sramecc-:xnack-",)"
          R"("wavefront_size":64,"kernel_object":68721063680,"grid":[256,1,1],"block":[256,1,1],)"
          R"("group_segment_size":16,"private_segment_size":0,"kernarg_size":)" +
          std::to_string(ours.kernarg.size()) + R"(,"dispatch_index":0})");
  std::string rows;
  for (const auto& region : ours.regions) {
    rows += fmt::format(R"({}{{"base":{},"size":{},"is_pool":true,"is_vmem":false,)"
                        R"("contains_kernarg":false,"handle":0,"access":0}})",
                        rows.empty() ? "" : ",", region.base, region.size);
  }
  folder.write("c/memory_regions.json", R"({"regions":[)" + rows + "]}");
  const auto read = read_capture(folder / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->kernel, "vector_add");
  EXPECT_EQ(read->architecture, "gfx942");
  EXPECT_EQ(read->dynamic_lds_bytes, 16U);
  EXPECT_FALSE(read->has_after);
  EXPECT_TRUE(read->tool.empty());
  ASSERT_EQ(read->arguments.size(), 4U);
  EXPECT_TRUE(read->arguments[2].buffer);
  EXPECT_EQ(read->arguments[2].region, 2U);
  EXPECT_FALSE(read->arguments[3].buffer);
  EXPECT_EQ(read->regions[2].name, "argument 3");
}

INSTANTIATE_TEST_SUITE_P(Names, OlderLayout, testing::Values("vector_add.kd", "vector_add"),
                         [](const auto& name) { return fmt::format("Name{}", name.index); });

}  // namespace
}  // namespace rpl
