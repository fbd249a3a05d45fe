// SPDX-License-Identifier: MIT
#include "engine/device/cycle/register_use.h"

#include <gtest/gtest.h>

namespace rpl::cycle {
namespace {

RegisterRange v(std::uint16_t first, std::uint16_t count = 1) { return {first, count}; }
RegisterRange s(std::uint16_t first, std::uint16_t count = 1) {
  return {static_cast<std::uint16_t>(kFirstScalar + first), count};
}
using Ranges = std::vector<RegisterRange>;

TEST(RegisterUse, IsReadFromTheText) {
  RegisterUse use = register_use_of("v_fma_f32 v5, -v1, |v2|, v5");
  EXPECT_EQ(use.writes, (Ranges{v(5)}));
  EXPECT_EQ(use.reads, (Ranges{v(1), v(2), v(5)}));
  use = register_use_of("v_fmac_f32_e32 v4, s3, v2");
  EXPECT_EQ(use.writes, (Ranges{v(4)}));
  EXPECT_EQ(use.reads, (Ranges{v(4), s(3), v(2)}));
  use = register_use_of("global_load_dwordx4 v[0:3], v4, s[2:3] offset:16");
  EXPECT_EQ(use.writes, (Ranges{v(0, 4)}));
  EXPECT_EQ(use.reads, (Ranges{v(4), s(2, 2)}));
  use = register_use_of("v_add_co_u32_e32 v1, vcc, s0, v1");
  EXPECT_EQ(use.writes, (Ranges{v(1), {kVcc, 2}}));
  use = register_use_of("v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]");
  EXPECT_EQ(use.writes, (Ranges{{kFirstAccumulation, 16}}));
}

TEST(RegisterUse, KnowsWhatWritesNothing) {
  EXPECT_TRUE(register_use_of("global_store_dword v4, v1, s[2:3]").writes.empty());
  EXPECT_TRUE(register_use_of("ds_write_b32 v0, v1").writes.empty());
  EXPECT_TRUE(register_use_of("s_cmp_lt_i32 s0, s1").writes.empty());
  EXPECT_TRUE(register_use_of("global_atomic_add v0, v1, s[2:3]").writes.empty());
  EXPECT_EQ(register_use_of("global_atomic_add v0, v1, v2, s[2:3] sc0").writes, (Ranges{v(0)}));
  EXPECT_TRUE(register_use_of("s_endpgm").reads.empty());
  EXPECT_FALSE(register_range("v600"));
  EXPECT_FALSE(register_range("v[3:1]"));
  EXPECT_FALSE(register_range("0x40"));
  EXPECT_FALSE(register_range("off"));
}

}  // namespace
}  // namespace rpl::cycle
