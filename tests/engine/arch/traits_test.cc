// SPDX-License-Identifier: MIT
// The table of the architectures that are emulated, and the files about their GPUs.
#include "engine/isa/traits/architecture.h"

#include <gmock/gmock.h>

#include <set>

#include "engine/arch/resolve.h"

namespace rpl::isa {
namespace {

using ::testing::ElementsAre;

TEST(Traits, AgreeWithTheArchitectureFiles) {
  for (const Arch arch : architectures()) {
    const Traits& row = traits(arch);
    const auto gpu = arch::resolve(arch::Catalogue::builtin(), row.name, {});
    ASSERT_TRUE(gpu) << row.name << " has no file in engine/arch/data";
    EXPECT_EQ(gpu->whole("wave_size"), row.wave_size) << row.name;
    EXPECT_EQ(gpu->whole("max_workgroup_size"), row.max_workgroup) << row.name;
    EXPECT_EQ(gpu->whole("lds_bytes"), row.lds_bytes) << row.name;
    EXPECT_EQ(gpu->whole("lds_workgroup_bytes"), row.lds_bytes) << row.name;
    EXPECT_EQ(gpu->whole("lds_banks"), row.lds_banks) << row.name;
    EXPECT_EQ(gpu->whole("vgpr_granule.wave64"), row.vgpr_granule) << row.name;
    EXPECT_EQ(gpu->whole("sgpr_granule"), row.sgpr_granule) << row.name;
    EXPECT_EQ(gpu->number("bandwidth.lds"), row.lds_cycle_bytes) << row.name;
  }
}

TEST(Traits, EachHasAProductThatStandsForIt) {
  const arch::Catalogue& files = arch::Catalogue::builtin();
  for (const Arch arch : architectures()) {
    const auto product = files.usual_product(to_string(arch));
    const auto found = files.named(product);
    ASSERT_TRUE(found) << to_string(arch);
    EXPECT_EQ(found->arch, to_string(arch));
  }
  EXPECT_EQ(files.usual_product("gfx942"), "MI300X");
  EXPECT_EQ(files.usual_product("gfx90a"), "MI250X");
  EXPECT_EQ(files.usual_product("gfx950"), "MI350X");
  EXPECT_EQ(files.usual_product("gfx906"), "");
  for (const arch::Identity& identity : files.all())
    EXPECT_EQ(arch::Catalogue::builtin_usual_product(identity.arch),
              files.usual_product(identity.arch))
        << identity.arch;
}

TEST(Traits, AreThoseOfDifferentArchitectures) {
  std::set<std::uint32_t> machines;
  for (const Traits& row : kTraits) {
    EXPECT_TRUE(machines.insert(row.machine).second) << row.name;
    EXPECT_EQ(find_architecture(row.name), static_cast<Arch>(&row - kTraits.data()));
    EXPECT_NE(row.instructions, 0) << row.name;
    EXPECT_GT(row.memory_request_bytes, 0U) << row.name;
  }
  EXPECT_FALSE(find_architecture("gfx1100"));
  EXPECT_FALSE(find_architecture(""));
}

TEST(Traits, NamesAreListedForPeople) {
  EXPECT_EQ(usual_architecture(), "gfx942");
  EXPECT_EQ(architecture_names(), "gfx90a, gfx942 or gfx950");
  EXPECT_STREQ(kArchitectureNames, architecture_names().c_str());
  EXPECT_EQ(architecture_names(" nor ", "--"), "--gfx90a, --gfx942 nor --gfx950");
  EXPECT_THAT(by_preference(), ElementsAre(Arch::gfx942, Arch::gfx950, Arch::gfx90a));
  EXPECT_EQ(first_with(&Traits::has_host_trap_sampling), "gfx90a");
  EXPECT_EQ(first_with(&Traits::has_stochastic_sampling), "gfx942");
}

TEST(Traits, RdnaIsToldByTheMajorVersion) {
  for (const char* target : {"gfx1010", "gfx1100", "gfx1201", "gfx10-3-generic"})
    EXPECT_TRUE(is_rdna(target)) << target;
  for (const char* target : {"gfx90a", "gfx906", "gfx942", "gfx9-4-generic", "", "gfx", "x86_64"})
    EXPECT_FALSE(is_rdna(target)) << target;
}

}  // namespace
}  // namespace rpl::isa
