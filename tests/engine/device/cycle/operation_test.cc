// SPDX-License-Identifier: MIT
#include "engine/device/cycle/operation.h"

#include <gtest/gtest.h>

namespace rpl::cycle {
namespace {

class Operations : public testing::Test {
 protected:
  [[nodiscard]] Operation of(std::string_view text, const char* gpu = "MI300X") const {
    return operation_of(text, **builtin_parameters(gpu));
  }
};

TEST_F(Operations, NameTheirUnit) {
  EXPECT_EQ(of("v_add_f32_e32 v1, v2, v3").unit, Unit::valu);
  EXPECT_EQ(of("v_exp_f32_e32 v1, v2").unit, Unit::transcendental);
  EXPECT_EQ(of("v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]").unit, Unit::matrix);
  EXPECT_EQ(of("s_load_dwordx2 s[4:5], s[0:1], 0x0").unit, Unit::smem);
  EXPECT_EQ(of("buffer_load_dwordx4 v[0:3], v4, s[4:7], 0 offen").unit, Unit::vmem);
  EXPECT_EQ(of("global_store_dword v0, v1, s[0:1]").unit, Unit::vmem);
  EXPECT_EQ(of("ds_read_b128 v[0:3], v4").unit, Unit::lds);
  EXPECT_EQ(of("s_cbranch_scc1 282").unit, Unit::branch);
  EXPECT_EQ(of("s_barrier").unit, Unit::barrier);
  EXPECT_EQ(of("s_endpgm").unit, Unit::end);
  EXPECT_EQ(of("s_add_u32 s0, s1, s2").unit, Unit::salu);
}

TEST_F(Operations, CostWhatTheArchitectureFileSays) {
  EXPECT_EQ(of("v_exp_f32_e32 v1, v2").issue, 16);
  EXPECT_EQ(of("v_exp_f32_e32 v1, v2", "MI350X").issue, 8);
  EXPECT_EQ(of("v_mul_lo_u32 v1, v2, v3").issue, 16);
  EXPECT_EQ(of("s_nop 3").busy, 16U);
  EXPECT_EQ(of("v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]").busy, 32U);
  EXPECT_EQ(of("v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]", "MI250X").busy, 64U);
}

TEST_F(Operations, ReadTheCountersOfWaits) {
  const Operation both = of("s_waitcnt vmcnt(3) lgkmcnt(0)");
  EXPECT_EQ(both.unit, Unit::wait);
  EXPECT_EQ(both.wait_vm, 3);
  EXPECT_EQ(both.wait_lgkm, 0);
  EXPECT_EQ(both.wait_exp, Operation::kNoWait);
  EXPECT_EQ(of("s_waitcnt expcnt(0)").wait_exp, 0);
}

TEST_F(Operations, ReadVectorRegisters) {
  const Operation op = of("v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v7, a[0:15]");
  ASSERT_EQ(op.register_count, 4);
  EXPECT_EQ(op.registers[0], (RegisterRange{.first = kFirstAccumulation, .count = 16}));
  EXPECT_EQ(op.registers[1], (RegisterRange{.first = 2, .count = 2}));
  EXPECT_EQ(op.registers[2], (RegisterRange{.first = 7, .count = 1}));
  EXPECT_FALSE(op.registers[0].overlaps(op.registers[1]));
  EXPECT_TRUE(op.registers[0].overlaps(op.registers[3]));
}

// Whatever a trace's listing holds must be read without harm.
TEST_F(Operations, TakeDamagedText) {
  for (const char* text : {"", " ", "v_", "v_mfma", "v_mfma_x",
                           "v_mfma_f32_99999999999x1x1_f16 v[0:", "s_waitcnt vmcnt(", "s_nop",
                           "s_nop 99999999999", "ds_", "v_mov v[9:2]", "global_ v[0:65535]"})
    EXPECT_LE(of(text).register_count, 4) << text;
}

}  // namespace
}  // namespace rpl::cycle
