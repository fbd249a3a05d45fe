// SPDX-License-Identifier: MIT
#include "engine/arch/occupancy.h"

#include <gmock/gmock.h>

#include "gpus.h"

namespace rpl::arch {
namespace {

using ::testing::HasSubstr;

struct Vector {
  const char* gpu;
  KernelResources kernel;
  std::uint32_t workgroups, waves;
  double occupancy;
  Limiter limiter;
};

// The vectors of the reference, each checked there by hand against the algorithm.
TEST(Occupancy, GivesTheReferenceVectors) {
  const Vector vectors[] = {
      {"gfx942", {128, 128, {}, 96, 0, 256}, 2, 8, 0.25, Limiter::vgprs},
      {"gfx942", {4, 4, {}, 16, 0, 256}, 8, 32, 1.0, Limiter::wave_slots},
      {"gfx942", {64, 0, {}, 112, 33000, 256}, 1, 4, 0.125, Limiter::lds},
      {"gfx950", {0, 0, 264, 112, 116224, 256}, 1, 4, 0.125, Limiter::vgprs},
      {"gfx90a", {96, 0, {}, 96, 16384, 1024}, 1, 16, 0.5, Limiter::vgprs},
      {"gfx908", {64, 64, {}, 96, 0, 256}, 4, 16, 0.4, Limiter::vgprs},
  };
  for (const Vector& vector : vectors) {
    const auto found = occupancy(gpu_named(vector.gpu), vector.kernel);
    ASSERT_TRUE(found) << vector.gpu << ": " << found.error().message;
    EXPECT_EQ(found->workgroups, vector.workgroups) << vector.gpu;
    EXPECT_EQ(found->waves, vector.waves) << vector.gpu;
    EXPECT_DOUBLE_EQ(found->occupancy, vector.occupancy) << vector.gpu;
    EXPECT_EQ(found->limiter, vector.limiter) << vector.gpu;
  }
}

/// Waves on a compute unit; 0 where no workgroup fits.
std::uint32_t waves(const Gpu& gpu, const KernelResources& kernel) {
  const auto found = occupancy(gpu, kernel);
  return found ? found->waves : 0;
}

// The table of LLVM for gfx9: scalar registers against waves of a SIMD.
TEST(Occupancy, ScalarRegistersLimitAsLlvmSays) {
  const Gpu gpu = gpu_named("gfx906");
  const auto of = [&](std::uint32_t sgprs) {
    return waves(gpu, {.arch_vgprs = 24, .sgprs = sgprs, .workgroup_size = 64}) / 4;
  };
  EXPECT_EQ(of(80), 10U);
  EXPECT_EQ(of(96), 8U);
  EXPECT_EQ(of(112), 7U);
  EXPECT_EQ(of(0), 10U) << "unknown does not limit";
}

TEST(Occupancy, OneRegisterLessAtAStepMakesTheDifference) {
  const Gpu gpu = gpu_named("gfx942");
  const auto of = [&](std::uint32_t vgprs) {
    return waves(gpu, {.arch_vgprs = vgprs, .workgroup_size = 256}) / 4;
  };
  EXPECT_EQ(of(64), 8U);
  EXPECT_EQ(of(65), 7U);
  EXPECT_EQ(of(128), 4U);
  EXPECT_EQ(of(129), 3U);
  EXPECT_EQ(of(512), 1U);
  EXPECT_EQ(of(513), 0U) << "more than a wave can have";
}

TEST(Occupancy, MoreOfAResourceNeverGivesMoreWaves) {
  for (const Identity& identity : Catalogue::builtin().all()) {
    const Gpu gpu = gpu_named(identity.product);
    for (const std::uint32_t workgroup : {64U, 192U, 256U, 640U, 1024U}) {
      std::uint32_t before = UINT32_MAX;
      for (std::uint32_t vgprs = 0; vgprs <= 520; ++vgprs) {
        const std::uint32_t now = waves(gpu, {.arch_vgprs = vgprs, .workgroup_size = workgroup});
        ASSERT_LE(now, before) << gpu.title() << " vgprs " << vgprs;
        before = now;
      }
      before = UINT32_MAX;
      for (std::uint32_t lds = 0; lds <= 164000; lds += 41) {
        const std::uint32_t now =
            waves(gpu, {.arch_vgprs = 16, .lds_bytes = lds, .workgroup_size = workgroup});
        ASSERT_LE(now, before) << gpu.title() << " lds " << lds;
        before = now;
      }
      before = UINT32_MAX;
      for (std::uint32_t sgprs = 1; sgprs <= 128; ++sgprs) {
        const std::uint32_t now =
            waves(gpu, {.arch_vgprs = 16, .sgprs = sgprs, .workgroup_size = workgroup});
        ASSERT_LE(now, before) << gpu.title() << " sgprs " << sgprs;
        before = now;
      }
    }
  }
}

TEST(Occupancy, LargerWorkgroupsNeverMeanMoreOfThem) {
  for (const Identity& identity : Catalogue::builtin().all()) {
    const Gpu gpu = gpu_named(identity.product);
    for (const std::uint32_t vgprs : {8U, 40U, 96U, 128U, 250U}) {
      std::uint32_t before = UINT32_MAX;
      for (std::uint32_t size = 1; size <= 1025; ++size) {
        const auto found =
            occupancy(gpu, {.arch_vgprs = vgprs, .lds_bytes = 2048, .workgroup_size = size});
        const std::uint32_t now = found ? found->workgroups : 0;
        ASSERT_LE(now, before) << gpu.title() << " vgprs " << vgprs << " workgroup " << size;
        if (found) {
          ASSERT_LE(found->waves, found->wave_slots);
        }
        before = now;
      }
    }
  }
}

TEST(Occupancy, TheNextStepDoesWhatItSays) {
  const Gpu gpu = gpu_named("gfx942");
  const auto found = occupancy(gpu, {.arch_vgprs = 132, .sgprs = 96, .workgroup_size = 256});
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->steps.empty());
  EXPECT_EQ(found->steps[0].text, "VGPR 132 -> 128 gives 4 waves per SIMD instead of 3");
  EXPECT_EQ(found->steps[0].waves,
            waves(gpu, {.arch_vgprs = 128, .sgprs = 96, .workgroup_size = 256}));
}

TEST(Occupancy, AStepChangesAllThatStandsInTheWay) {
  const auto found =
      occupancy(gpu_named("gfx950"),
                {.total_vgprs = 264, .sgprs = 112, .lds_bytes = 116224, .workgroup_size = 256});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->limiter_text(), "vgprs and lds");
  ASSERT_FALSE(found->steps.empty());
  EXPECT_EQ(found->steps[0].text,
            "VGPR 264 -> 256 and LDS 116224 -> 81920 gives 2 waves per SIMD instead of 1");
}

TEST(Occupancy, SmallerWorkgroupsFillWhatLargeOnesLeave) {
  const auto found = occupancy(gpu_named("gfx90a"), {.arch_vgprs = 96, .workgroup_size = 1024});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->steps.size(), 2U);
  EXPECT_THAT(found->steps[0].text, HasSubstr("VGPR 96 -> 64"));
  EXPECT_EQ(found->steps[1].text, "workgroup 1024 -> 256 gives 5 waves per SIMD instead of 4");
}

TEST(Occupancy, FullSlotsNeedNoStep) {
  const auto found = occupancy(gpu_named("gfx942"), {.arch_vgprs = 32, .workgroup_size = 256});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->limiter_text(), "wave slots");
  EXPECT_TRUE(found->steps.empty());
}

TEST(Occupancy, BarriersLimitSmallWorkgroups) {
  const auto found = occupancy(gpu_named("gfx908"), {.arch_vgprs = 24, .workgroup_size = 128});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->limiter, Limiter::barriers);
  EXPECT_EQ(found->waves, 32U);
  EXPECT_EQ(waves(gpu_named("gfx908"), {.arch_vgprs = 24, .workgroup_size = 64}), 40U)
      << "a workgroup of one wave needs none";
}

TEST(Occupancy, WavesOf32And64ShareTheRegistersOfRdna) {
  const Gpu gpu = gpu_named("gfx1100");
  const KernelResources wave32{.arch_vgprs = 120, .workgroup_size = 64};
  KernelResources wave64 = wave32;
  wave64.wave_size = 64;
  EXPECT_EQ(waves(gpu, wave32), 24U) << "1536 / 120 = 12 on each of two SIMDs";
  EXPECT_EQ(waves(gpu, wave64), 12U) << "768 / 120 = 6";
  EXPECT_EQ(waves(gpu, {.arch_vgprs = 256, .workgroup_size = 32}), 10U) << "1536 / 264 = 5";
}

TEST(Occupancy, AWgpHasTwoComputeUnits) {
  const auto found =
      occupancy(gpu_named("gfx1030"), {.arch_vgprs = 64, .workgroup_size = 1024, .wgp_mode = true});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->compute_units, 2U);
  EXPECT_EQ(found->wave_slots, 64U);
  EXPECT_EQ(found->waves, 64U);
}

TEST(Occupancy, WhatCannotRunIsAnError) {
  const Gpu gpu = gpu_named("gfx942");
  for (const KernelResources& kernel :
       {KernelResources{.arch_vgprs = 512, .workgroup_size = 1024},
        KernelResources{.lds_bytes = 65537, .workgroup_size = 64},
        KernelResources{.sgprs = UINT32_MAX, .workgroup_size = 64},
        KernelResources{.arch_vgprs = UINT32_MAX, .accum_vgprs = UINT32_MAX, .workgroup_size = 64},
        KernelResources{.workgroup_size = 2048}}) {
    const auto found = occupancy(gpu, kernel);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Errc::corrupt);
  }
  EXPECT_EQ(occupancy(gpu, {}).error().code, Errc::usage);
  EXPECT_EQ(occupancy(Gpu{}, {.workgroup_size = 64}).error().code, Errc::not_found);
}

TEST(Occupancy, AGridFillsNoMoreThanItHas) {
  const Gpu gpu = gpu_named("MI300X");
  const auto found = occupancy(gpu, {.arch_vgprs = 32, .workgroup_size = 256});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(*grid_cap(gpu, *found, 304), 304 * 4 / (304.0 * 32));
  EXPECT_DOUBLE_EQ(*grid_cap(gpu, *found, 1U << 20U), 1.0);
  EXPECT_FALSE(grid_cap(gpu_named("gfx942"), *found, 304));
}

}  // namespace
}  // namespace rpl::arch
