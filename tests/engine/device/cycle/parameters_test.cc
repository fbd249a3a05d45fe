// SPDX-License-Identifier: MIT
#include "engine/device/cycle/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/arch/resolve.h"

namespace rpl::cycle {
namespace {

using testing::HasSubstr;

TEST(Parameters, AreThereForEveryEmulatedGpu) {
  for (const char* gpu : {"MI210", "MI250X", "MI300X", "MI300A", "MI325X"}) {
    const auto p = builtin_parameters(gpu);
    ASSERT_TRUE(p.has_value()) << p.error().message;
    EXPECT_EQ((*p)->name, std::string("rpl-cycle/0.5 ") + gpu);
    EXPECT_GT((*p)->hbm_bandwidth, 0);
    EXPECT_GE((*p)->l2_bandwidth, (*p)->hbm_bandwidth);
  }
}

TEST(Parameters, OfAnArchitectureAreThoseOfItsUsualProduct) {
  EXPECT_EQ((*builtin_parameters("gfx90a"))->product, "MI250X");
  EXPECT_EQ((*builtin_parameters("gfx942"))->product, "MI300X");
}

TEST(Parameters, SayWhatIsMissingAndWhatWasChanged) {
  EXPECT_THAT(builtin_parameters("gfx1100").error().message, HasSubstr("the cycle model needs"));
  EXPECT_THAT(builtin_parameters("MI9000").error().message, HasSubstr("MI9000"));
  arch::Catalogue catalogue = arch::Catalogue::builtin();
  auto file = arch::parse_arch_file("mine.arch", "arch = gfx942\ncycle.latency.hbm = 900\n",
                                    arch::Origin::user);
  ASSERT_TRUE(file.has_value()) << file.error().message;
  catalogue.add(std::move(*file), arch::Origin::user);
  const auto changed = parameters_named(catalogue, "MI300X");
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(changed->hbm_latency, 900U);
  EXPECT_EQ(changed->name, "rpl-cycle/0.5 MI300X, changed");
}

TEST(Parameters, OutOfBoundsNameFileAndLine) {
  const auto file =
      arch::parse_arch_file("mine.arch", "arch = gfx942\ncycle.issue = 0\n", arch::Origin::user);
  ASSERT_FALSE(file.has_value());
  EXPECT_THAT(file.error().message, HasSubstr("mine.arch:2: cycle.issue is 0, not from 1 to 64"));
}

}  // namespace
}  // namespace rpl::cycle
