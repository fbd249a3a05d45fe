// SPDX-License-Identifier: MIT
// Launches that follow from captured ones: in words and back, and as sizes.
#include "engine/capture/launch_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::HasSubstr;

TEST(LaunchPlan, IsReadBackAsItWasWritten) {
  for (const LaunchPlan& plan :
       {LaunchPlan{}, LaunchPlan{.x = {.workgroup = 256}},
        LaunchPlan{.x = {.workgroup = 64, .items = 64}}, LaunchPlan{.x = {.items = 1, .per = 4}},
        LaunchPlan{.x = {.items = 3, .per = 2}},
        LaunchPlan{.x = {.workgroup = 128, .per = 2}, .dynamic_lds_bytes = 512},
        LaunchPlan{.dynamic_lds_bytes = 0},
        LaunchPlan{.x = {.workgroup = 32}, .y = {.workgroup = 8}},
        LaunchPlan{.y = {.workgroup = 4, .per = 4}, .z = {.workgroup = 2, .items = 2}}}) {
    const auto read = launch_plan_from(to_text(plan));
    ASSERT_TRUE(read.has_value()) << to_text(plan);
    EXPECT_EQ(*read, plan) << to_text(plan);
  }
  EXPECT_EQ(to_text({.x = {.items = 2, .per = 8}}), "work-items x 1/4");
  EXPECT_EQ(to_text({.x = {.workgroup = 32}, .y = {.workgroup = 8, .per = 4}}),
            "workgroup 32x8, work-items along y x 1/4");
}

TEST(LaunchPlan, RefusesTextThatIsNone) {
  for (const std::string_view text :
       {"workgroup", "workgroup 0", "workgroup 2048", "workgroup 64 ", "workgroup 64,", "items 4",
        "work-items x 0", "work-items x 1/0", "work-items x 99999999", "work-items x /4",
        "dynamic LDS", "dynamic LDS -1", "workgroup 64, , ", "workgroup 0x0", "workgroup 64x64",
        "workgroup 8x8x2x2", "workgroup 8x"}) {
    EXPECT_FALSE(launch_plan_from(text).has_value()) << text;
  }
}

Capture launched(std::uint32_t grid, std::uint32_t workgroup) {
  Capture out;
  out.grid = {grid, 3, 1};
  out.workgroup = {workgroup, 1, 1};
  out.dynamic_lds_bytes = 64;
  return out;
}

TEST(LaunchPlan, MakesWholeWorkgroups) {
  const auto same = launch_size(launched(1000, 64));
  ASSERT_TRUE(same.has_value());
  EXPECT_EQ(same->grid[0], 1000U) << "as it was captured, though not whole";
  const auto wider = launch_size(launched(1000, 64), {.x = {.workgroup = 256}});
  ASSERT_TRUE(wider.has_value());
  EXPECT_EQ(wider->grid[0], 1024U);
  EXPECT_EQ(wider->grid[1], 3U);
  EXPECT_EQ(wider->workgroup[0], 256U);
  EXPECT_EQ(wider->dynamic_lds_bytes, 64U);
  const auto fewer = launch_size(launched(1000, 64), {.x = {.per = 4}, .dynamic_lds_bytes = 512});
  ASSERT_TRUE(fewer.has_value());
  EXPECT_EQ(fewer->grid[0], 256U);
  EXPECT_EQ(fewer->dynamic_lds_bytes, 512U);
}

TEST(LaunchPlan, HasAShapeForEachAxis) {
  Capture square;
  square.grid = {100, 50, 3};
  square.workgroup = {8, 8, 1};
  const auto flat = launch_size(square, {.x = {.workgroup = 64}, .y = {.workgroup = 1, .per = 4}});
  ASSERT_TRUE(flat.has_value());
  EXPECT_EQ(flat->grid, (std::array<std::uint32_t, 3>{128, 13, 3}));
  EXPECT_EQ(flat->workgroup, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_FALSE(launch_size(square, {.x = {.workgroup = 256}}).has_value()) << "8 along y are left";
}

TEST(LaunchPlan, KnowsWhatCannotBeLaunched) {
  const auto huge = launch_size(launched(1U << 31, 64), {.x = {.items = 64}});
  ASSERT_FALSE(huge.has_value());
  EXPECT_THAT(huge.error().message, HasSubstr("work-items along x"));
  Capture square = launched(1024, 16);
  square.workgroup = {16, 16, 1};
  const auto large = launch_size(square, {.x = {.workgroup = 256}});
  ASSERT_FALSE(large.has_value());
  EXPECT_THAT(large.error().message, HasSubstr("4096 work-items"));
}

}  // namespace
}  // namespace rpl
