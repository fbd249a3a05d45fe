// SPDX-License-Identifier: MIT
// Vector instructions that gfx950 has and its forerunners lack, each beside what the ISA document defines.

#include "tests/engine/device/execute/one_instruction.h"
#include "tests/engine/device/execute/small_oracle.h"

namespace rpl::emu::later_vector {
namespace {

constexpr isa::Arch kArch = isa::Arch::gfx950;
constexpr std::uint32_t kNan = 0x7fc00000U;

std::uint32_t low_run(const std::string& name, std::uint64_t a, std::uint64_t b = 0,
                      std::uint64_t c = 0) {
  return static_cast<std::uint32_t>(run_one({.name = name, .arch = kArch}, a, b, c));
}

TEST(LaterVector, PrngShiftsAndFeedsBack) {
  EXPECT_EQ(low_run("v_prng_b32", 1), 2U);
  EXPECT_EQ(low_run("v_prng_b32", 0x80000000U), 197U);
  EXPECT_EQ(low_run("v_prng_b32", 0xc0000001U), (0x80000002U ^ 197U));
}

TEST(LaterVector, Bitop3TakesEveryTruthTable) {
  const isa::Opcode* opcode = find_by_name("v_bitop3_b32", kArch, {isa::Encoding::vop3});
  ASSERT_NE(opcode, nullptr);
  small_oracle::Random random(1);
  for (unsigned table = 0; table < 256; ++table) {
    OneInstruction one(kArch);
    const std::uint32_t a = random(), b = random(), c = random();
    one.set(0, all_lanes(a));
    one.set(2, all_lanes(b));
    one.set(4, all_lanes(c));
    Probe probe;
    probe.output_modifier = table >> 6;
    probe.abs = table >> 3 & 7U;
    probe.neg = table & 7U;
    ASSERT_TRUE(one.run(long_words(*opcode, probe)));
    std::uint32_t wanted = 0;
    for (unsigned i = 0; i < 32; ++i)
      wanted |= (table >> ((a >> i & 1U) << 2 | (b >> i & 1U) << 1 | (c >> i & 1U)) & 1U) << i;
    EXPECT_EQ(one.get(8, false)[63], wanted) << table;
  }
}

TEST(LaterVector, ShortBitop3ChoosesHalvesAndKeepsTheOther) {
  Probe probe{.name = "v_bitop3_b16", .op_sel = 0b1001, .before = 0x11112222, .arch = kArch};
  probe.neg = 0b100;  // table 0xc4 and so on would do; this one is of a single bit
  probe.abs = 0b000;
  probe.output_modifier = 0b11;
  const unsigned table = 3U << 6 | 4U;
  const std::uint32_t a = 0xf0f0ffff, b = 0xffffaaaa, c = 0x0000cccc;
  std::uint32_t wanted = 0;
  for (unsigned i = 0; i < 16; ++i)
    wanted |= (table >> ((a >> (16 + i) & 1U) << 2 | (b >> i & 1U) << 1 | (c >> i & 1U)) & 1U) << i;
  EXPECT_EQ(run_one(probe, a, b, c), (std::uint64_t{wanted} << 16 | 0x2222U));
}

TEST(LaterVector, ShiftedBytesSaturate) {
  EXPECT_EQ(low_run("v_ashr_pk_i8_i32", 0x7f00U, 0xffff8000U, 8), 0x807fU);
  EXPECT_EQ(low_run("v_ashr_pk_i8_i32", 0x8000U, 0xffff7f00U, 8), 0x807fU);
  EXPECT_EQ(low_run("v_ashr_pk_u8_i32", 0x12345U, 0xfffffff0U, 4), 0x00ffU);
  EXPECT_EQ(low_run("v_ashr_pk_u8_i32", 0xfe0U, 0x10U, 4), 0x01feU);
  EXPECT_EQ(
      run_one({.name = "v_ashr_pk_u8_i32", .op_sel = 8, .before = 0x77, .arch = kArch}, 3, 4, 0),
      0x04030077U);
}

TEST(LaterVector, BfloatsComeFromAndGoToFloats) {
  EXPECT_EQ(low_run("v_cvt_f32_bf16", 0x3fc0), bits(1.5F));
  EXPECT_EQ(run_one({.name = "v_cvt_f32_bf16", .neg = 1, .arch = kArch}, 0x3fc0), bits(-1.5F));
  EXPECT_EQ(run_one({.name = "v_cvt_f32_bf16", .abs = 1, .arch = kArch}, 0xbfc0), bits(1.5F));
  EXPECT_EQ(low_run("v_cvt_pk_bf16_f32", bits(1.5F), bits(-2.0F)), 0xc0003fc0U);
  // Ties go to the even one.
  EXPECT_EQ(low_run("v_cvt_pk_bf16_f32", 0x3f808000U, 0x3f818000U), 0x3f823f80U);
  EXPECT_EQ(low_run("v_cvt_pk_bf16_f32", 0x7f800001U, 0x7f7fffffU), 0x7f807fc0U);
  EXPECT_EQ(low_run("v_cvt_pk_f16_f32", bits(1.0F), bits(65520.0F)), 0x7c003c00U);
  EXPECT_EQ(
      run_one({.name = "v_cvt_pk_f16_f32", .mode = kUsualMode | kHalfOverflowBit, .arch = kArch},
              bits(1e6F), bits(HUGE_VALF)),
      0x7c007bffU);
}

TEST(LaterVector, RandomBitsRoundUpOrDown) {
  // 1 + 2^-9 lies a quarter of the way to the next bfloat16 and half of a step of f16 above 1 + 2^-10 * 2.
  small_oracle::Random random(2);
  unsigned up = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto found = run_one({.name = "v_cvt_sr_bf16_f32", .before = 0x12340000U, .arch = kArch},
                               bits(1.001953125F), random());
    EXPECT_EQ(found >> 16, 0x1234U);
    EXPECT_TRUE((found & 0xffffU) == 0x3f80 || (found & 0xffffU) == 0x3f81);
    up += found & 1U;
  }
  EXPECT_NEAR(up, 1000, 120);
  EXPECT_EQ(run_one({.name = "v_cvt_sr_f16_f32", .op_sel = 8, .before = 0x5678, .arch = kArch},
                    bits(-0.5F), ~0U),
            0xb8005678U);
  EXPECT_EQ(
      run_one({.name = "v_cvt_sr_f16_f32", .arch = kArch}, bits(1.0F + 0x1p-11F), 0x80000000U) &
          0xffffU,
      0x3c01U);
  EXPECT_EQ(
      run_one({.name = "v_cvt_sr_f16_f32", .arch = kArch}, bits(1.0F + 0x1p-11F), 0x7fffffffU) &
          0xffffU,
      0x3c00U);
}

TEST(LaterVector, MinimaAndMaximaLetNansThrough) {
  EXPECT_EQ(low_run("v_minimum3_f32", bits(3.0F), bits(-1.0F), bits(2.0F)), bits(-1.0F));
  EXPECT_EQ(low_run("v_maximum3_f32", bits(3.0F), bits(-1.0F), bits(5.0F)), bits(5.0F));
  EXPECT_EQ(low_run("v_minimum3_f32", bits(3.0F), kNan, bits(2.0F)), kNan);
  EXPECT_EQ(low_run("v_maximum3_f32", bits(3.0F), bits(2.0F), 0x7f800001U), 0x7fc00001U);
  EXPECT_EQ(low_run("v_minimum3_f32", bits(0.0F), bits(-0.0F), bits(0.0F)), bits(-0.0F));
  EXPECT_EQ(low_run("v_maximum3_f32", bits(-0.0F), bits(0.0F), bits(-0.0F)), bits(0.0F));
  EXPECT_EQ(low_run("v_pk_minimum3_f16", 0x3c004000U, 0x7e00bc00U, 0x40003c00U), 0x7e00bc00U);
  EXPECT_EQ(low_run("v_pk_maximum3_f16", 0x3c004000U, 0xc000bc00U, 0x42003c00U), 0x42004000U);
}

TEST(LaterVector, DotsOfBfloatsAddToFloats) {
  // 1.5 * 2 + -3 * 0.5 + 10
  EXPECT_EQ(low_run("v_dot2_f32_bf16", 0xc0403fc0U, 0x3f004000U, bits(10.0F)), bits(11.5F));
  EXPECT_EQ(run_one({.name = "v_dot2_f32_bf16", .neg = 1, .arch = kArch}, 0xc0403fc0U, 0x3f004000U,
                    bits(10.0F)),
            bits(5.5F));
  EXPECT_EQ(run_one({.name = "v_dot2c_f32_bf16", .before = bits(10.0F), .arch = kArch}, 0xc0403fc0U,
                    0x3f004000U),
            bits(11.5F));
}

TEST(LaterVector, SwapsOfRowsExchangeTwoRegisters) {
  for (const unsigned row : {16U, 32U}) {
    const isa::Opcode* opcode = find_by_name("v_permlane" + std::to_string(row) + "_swap_b32",
                                             kArch, {isa::Encoding::vop3});
    ASSERT_NE(opcode, nullptr);
    OneInstruction one(kArch);
    LaneValues source{}, destination{};
    for (unsigned i = 0; i < kLanes; ++i) {
      source[i] = i;
      destination[i] = 100 + i;
    }
    one.set(0, source);
    one.set(8, destination);
    ASSERT_TRUE(one.run(long_words(*opcode, {})));
    const auto a = one.get(0, false), d = one.get(8, false);
    for (unsigned i = 0; i < kLanes; ++i) {
      EXPECT_EQ(a[i], (i & row) == 0 ? 100 + i + row : i) << row << " lane " << i;
      EXPECT_EQ(d[i], (i & row) == 0 ? 100 + i : i - row) << row << " lane " << i;
    }
  }
}

TEST(LaterVector, SwapsLeaveInactiveLanesAlone) {
  const isa::Opcode* opcode = find_by_name("v_permlane32_swap_b32", kArch, {isa::Encoding::vop3});
  for (const unsigned op_sel : {0U, 1U, 2U}) {
    OneInstruction one(kArch);
    one.set(0, all_lanes(1));
    one.set(8, all_lanes(2));
    one.wave.set_pair(isa::kExecLo, 0xffffffffU);  // the lower half
    ASSERT_TRUE(one.run(long_words(*opcode, {.name = "", .op_sel = op_sel})));
    EXPECT_EQ(one.get(0, false)[0], op_sel == 0 ? 1U : op_sel == 1 ? 2U : 0U);
    EXPECT_EQ(one.get(8, false)[32], 2U);
  }
}

TEST(LaterVector, ModifiersWithoutAMeaningAreRefused) {
  const isa::Opcode* opcode = find_by_name("v_pk_fmac_f16", kArch, {isa::Encoding::vop3});
  ASSERT_NE(opcode, nullptr);
  OneInstruction one(kArch);
  EXPECT_TRUE(one.run(long_words(*opcode, {})));
  EXPECT_FALSE(one.run(long_words(*opcode, {.name = "", .neg = 1})));
  const isa::Opcode* align = find_by_name("v_alignbit_b32", kArch, {isa::Encoding::vop3});
  EXPECT_TRUE(one.run(long_words(*align, {})));
  EXPECT_FALSE(one.run(long_words(*align, {.name = "", .op_sel = 1})));
}

}  // namespace
}  // namespace rpl::emu::later_vector
