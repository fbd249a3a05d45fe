// SPDX-License-Identifier: MIT
// MODE: rounding, denormals, IEEE, DX10_CLAMP, output modifiers, and the register index.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "tests/engine/device/execute/one_instruction.h"

namespace rpl::emu {
namespace {

constexpr std::uint32_t kFlush32 = kUsualMode & ~0x30U, kFlush64 = kUsualMode & ~0xc0U;

TEST(Mode, FloatsRoundEachWay) {
  constexpr int kHost[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  std::mt19937 random(5);
  for (std::uint32_t rounding = 0; rounding < 4; ++rounding) {
    LaneValues a{}, b{}, c{};
    for (unsigned i = 0; i < kLanes; ++i) {
      a[i] = (random() & 0x807fffffU) | 0x3f800000U;
      b[i] = (random() & 0x807fffffU) | 0x41000000U;
      c[i] = (random() & 0x807fffffU) | 0x3e000000U;
    }
    const std::uint32_t mode = kUsualMode | rounding;
    const auto sum = run({.name = "v_add_f32", .mode = mode}, a, b),
               product = run({.name = "v_mul_f32", .mode = mode}, a, b),
               fma = run({.name = "v_fma_f32", .mode = mode}, a, b, c);
    for (unsigned i = 0; i < kLanes; ++i) {
      const auto of = [i](const LaneValues& v) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(v[i]));
      };
      volatile float x = of(a), y = of(b), z = of(c);
      std::fesetround(kHost[rounding]);
      volatile float s = x + y, p = x * y, f = std::fma(x, y, z);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(of(sum), s);
      EXPECT_EQ(of(product), p);
      EXPECT_EQ(of(fma), f);
    }
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
}

TEST(Mode, TheSizesRoundApart) {
  // Doubles round up, floats to nearest, and whole numbers as their instruction says.
  const std::uint32_t doubles_up = kUsualMode | 1U << 2;
  const auto one = std::bit_cast<std::uint64_t>(1.0), tiny = std::bit_cast<std::uint64_t>(0x1p-60);
  EXPECT_EQ(run_one({.name = "v_add_f64", .mode = doubles_up}, one, tiny), one + 1);
  EXPECT_EQ(run_one({.name = "v_add_f32", .mode = doubles_up}, bits(1.0f), bits(0x1p-30f)),
            bits(1.0f));
  EXPECT_EQ(run_one({.name = "v_rndne_f64", .mode = doubles_up}, std::bit_cast<std::uint64_t>(2.5)),
            std::bit_cast<std::uint64_t>(2.0));
  EXPECT_EQ(run_one({.name = "v_cvt_f32_f64", .mode = kUsualMode | 1U}, one + 1),
            bits(std::nextafter(1.0f, 2.0f)));
}

/// The result of an instruction of two registers; nothing where it has no semantics. `rounds_by`: as of Wave.
std::optional<LaneValues> result_of(const isa::Opcode& opcode, const Probe& probe,
                                    const std::array<LaneValues, 3>& sources,
                                    std::uint64_t rounds_by = 0) {
  OneInstruction one(probe.arch, probe.mode);
  one.program.stateful = true;
  one.wave.rounds_by = rounds_by;
  for (unsigned i = 0; i < 3; ++i) one.set(2 * i, sources[i]);
  one.wave.set_pair(isa::kVccLo, 0x123456789abcdefU);
  if (!one.run(long_words(opcode, probe))) return std::nullopt;
  return one.get(8, true);
}

/// Numbers near each other, with ties, zeros, denormals, infinities and NaNs among them.
LaneValues drawn_numbers(std::mt19937_64& random, bool wide) {
  LaneValues out{};
  for (std::uint64_t& one : out) {
    const std::uint64_t drawn = random();
    if (drawn % 16 == 0) {
      one = wide ? random() : random() & 0xffffffffU;
    } else if (wide) {
      one = (drawn & 0x800fffffffffffffU) | (0x3feULL + (drawn >> 60)) << 52;
    } else {
      one = (drawn & 0x807fffffU) | (0x7eU + (drawn >> 60)) << 23;
    }
  }
  return out;
}

TEST(Mode, WhatIsDrawnRoundsAsModeWould) {
  std::mt19937_64 random(7);
  std::size_t asked = 0, both_ways = 0;
  for (const isa::Arch arch : {isa::Arch::gfx90a, isa::Arch::gfx942, isa::Arch::gfx950}) {
    for (const isa::Opcode& opcode : isa::opcodes()) {
      const bool is_long =
          opcode.encoding == isa::Encoding::vop3 || opcode.encoding == isa::Encoding::vop3p;
      if (!is_long || (opcode.archs & isa::traits(arch).instructions) == 0 ||
          !opcode.operands.starts_with("D") || opcode.name().find("mfma") != std::string::npos)
        continue;
      const bool wide = opcode.name().find("f64") != std::string::npos;
      const std::array<LaneValues, 3> sources{
          drawn_numbers(random, wide), drawn_numbers(random, wide), drawn_numbers(random, wide)};
      const std::string name(opcode.name());
      const auto up =
          result_of(opcode, {.name = name, .mode = kUsualMode | 5U, .arch = arch}, sources);
      const auto down =
          result_of(opcode, {.name = name, .mode = kUsualMode | 10U, .arch = arch}, sources);
      if (!up || !down) continue;
      ++asked;
      bool saw_up = false, saw_down = false;
      for (std::uint64_t seed = 1; seed < 9; ++seed) {
        const auto found =
            result_of(opcode, {.name = name, .arch = arch}, sources, seed * 0x9e3779b97f4a7c15U);
        EXPECT_TRUE(found == up || found == down) << name << " on " << isa::traits(arch).name;
        saw_up = saw_up || found == up;
        saw_down = saw_down || found == down;
      }
      if (up != down) both_ways += saw_up && saw_down;
    }
  }
  EXPECT_GT(asked, 500U);
  EXPECT_GT(both_ways, 100U);
}

TEST(Mode, DenormalsAreFlushedBySize) {
  const std::uint32_t denormal = 0x00012345, minus = 0x80012345;
  EXPECT_EQ(run_one({.name = "v_add_f32"}, denormal, 0), denormal);
  EXPECT_EQ(run_one({.name = "v_add_f32", .mode = kFlush32}, denormal, 0), 0U);
  EXPECT_EQ(run_one({.name = "v_mul_f32", .mode = kFlush32}, minus, bits(1.0f)), 0x80000000U);
  EXPECT_EQ(run_one({.name = "v_mul_f32", .mode = kFlush32}, bits(0x1p-100f), bits(0x1p-40f)), 0U);
  EXPECT_EQ(run_one({.name = "v_max_f32", .mode = kFlush32}, denormal, 0), 0U);
  EXPECT_EQ(run_one({.name = "v_cmp_lt_f32", .mode = kFlush32}, 0, denormal), 0U);
  EXPECT_EQ(run_one({.name = "v_cmp_lt_f32", .mode = kFlush64}, 0, denormal), 1U);
  EXPECT_EQ(run_one({.name = "v_add_f16", .mode = kFlush64}, 0x0123, 0), 0U);
  EXPECT_EQ(run_one({.name = "v_add_f16", .mode = kFlush32}, 0x0123, 0), 0x0123U);
  EXPECT_EQ(run_one({.name = "v_pk_add_f16", .mode = kFlush64}, 0x01233c00, 0x81230000),
            0x00003c00U);
  EXPECT_EQ(run_one({.name = "v_add_f64", .mode = kFlush64}, 0x123, 0), 0U);
  // Only reading, only writing.
  const std::uint32_t reads = kFlush32 | 1U << 4, writes = kFlush32 | 2U << 4;
  EXPECT_EQ(run_one({.name = "v_mul_f32", .mode = reads}, denormal, bits(0x1p20f)),
            bits(std::bit_cast<float>(denormal) * 0x1p20f));
  EXPECT_EQ(run_one({.name = "v_add_f32", .mode = reads}, denormal, 0), 0U);
  EXPECT_EQ(run_one({.name = "v_mul_f32", .mode = writes}, bits(0x1p-100f), bits(0x1p-40f)),
            bits(0x1p-140f));
  EXPECT_EQ(run_one({.name = "v_mul_f32", .mode = writes}, denormal, bits(0x1p20f)), 0U);
  // Moves are not arithmetic.
  EXPECT_EQ(run_one({.name = "v_mov_b32", .mode = kFlush32}, denormal), denormal);
  EXPECT_EQ(run_one({.name = "v_cmp_class_f32", .mode = kFlush32}, denormal, 1U << 7), 1U);
}

// The approximated functions and the unfused multiply-add flush whatever MODE says.
TEST(Mode, SomeAlwaysFlush) {
  EXPECT_EQ(run_one({.name = "v_rcp_f32"}, 0x00012345), bits(HUGE_VALF));
  EXPECT_EQ(run_one({.name = "v_rcp_f32"}, bits(0x1p127f)), 0U);
  EXPECT_EQ(run_one({.name = "v_sqrt_f32"}, 0x80012345), 0x80000000U);
  EXPECT_EQ(run_one({.name = "v_log_f32"}, 0x00012345), bits(-HUGE_VALF));
  EXPECT_EQ(run_one({.name = "v_exp_f32"}, bits(-130.0f)), 0U);
  EXPECT_EQ(run_one({.name = "v_mad_f32", .arch = isa::Arch::gfx90a}, 0x00012345, bits(1.0f), 0),
            0U);
}

TEST(Mode, IeeeAndClampOfNans) {
  const std::uint32_t signalling = 0x7f800001, quiet = 0x7fc00001, one = bits(1.0f);
  const std::uint32_t no_ieee = kUsualMode & ~0x200U, no_dx10 = kUsualMode & ~0x100U;
  EXPECT_EQ(run_one({.name = "v_min_f32"}, signalling, one), quiet);
  EXPECT_EQ(run_one({.name = "v_max_f32"}, one, signalling), quiet);
  EXPECT_EQ(run_one({.name = "v_max_f32"}, one, quiet), one);
  EXPECT_EQ(run_one({.name = "v_min_f32", .mode = no_ieee}, signalling, one), one);
  EXPECT_EQ(run_one({.name = "v_add_f32", .clamp = true}, quiet, one), 0U);
  EXPECT_EQ(run_one({.name = "v_add_f32", .clamp = true, .mode = no_dx10}, quiet, one), quiet);
}

TEST(Mode, OutputModifiersNeedFlushedDenormalsAndNoIeee) {
  const std::uint32_t one = bits(1.0f), allowed = kFlush32 & ~0x200U;
  EXPECT_EQ(run_one({.name = "v_add_f32", .output_modifier = 1}, one, one), bits(2.0f));
  EXPECT_EQ(run_one({.name = "v_add_f32", .output_modifier = 1, .mode = kFlush32}, one, one),
            bits(2.0f));
  EXPECT_EQ(run_one({.name = "v_add_f32", .output_modifier = 1, .mode = allowed}, one, one),
            bits(4.0f));
  EXPECT_EQ(run_one({.name = "v_add_f32", .output_modifier = 3, .mode = allowed}, one, one), one);
}

TEST(Mode, OverflowingHalvesAndSmallFloats) {
  const std::uint32_t saturating = kUsualMode | kHalfOverflowBit;
  EXPECT_EQ(run_one({.name = "v_add_f16"}, 0x7bff, 0x7bff), 0x7c00U);
  EXPECT_EQ(run_one({.name = "v_add_f16", .mode = saturating}, 0x7bff, 0x7bff), 0x7bffU);
  EXPECT_EQ(run_one({.name = "v_cvt_pk_fp8_f32"}, bits(1000.0f), bits(-1000.0f)), 0x8080U);
  EXPECT_EQ(
      run_one({.name = "v_cvt_pk_fp8_f32", .mode = saturating}, bits(1000.0f), bits(-1000.0f)),
      0xff7fU);
}

// hwreg(1, offset, size) of s_getreg and s_setreg.
std::uint32_t mode_part(unsigned offset, unsigned size) {
  return 1U | offset << 6 | (size - 1) << 11;
}

TEST(Mode, RegistersAreReadAndWritten) {
  OneInstruction one(isa::Arch::gfx90a);
  const std::uint32_t set_denormals[] = {0xba000000U | mode_part(4, 2), 0};
  EXPECT_TRUE(one.run(set_denormals));
  EXPECT_EQ(one.wave.mode, kFlush32);
  one.wave.sgprs[7] = 3;
  const std::uint32_t set_from_sgpr[] = {0xb9000000U | 7U << 16 | mode_part(2, 2)};
  EXPECT_TRUE(one.run(set_from_sgpr));
  EXPECT_EQ(one.wave.mode, kFlush32 | 0xcU);
  const std::uint32_t get[] = {0xb8800000U | 9U << 16 | mode_part(0, 10)};
  EXPECT_TRUE(one.run(get));
  EXPECT_EQ(one.wave.sgprs[9], kFlush32 | 0xcU);
  const std::uint32_t get_unknown[] = {0xb8800000U | 9U << 16 | 7U | 31U << 11};
  EXPECT_FALSE(one.run(get_unknown));
}

TEST(Mode, TheRegisterIndexMovesOperands) {
  OneInstruction one(isa::Arch::gfx90a);
  one.program.stateful = true;
  for (unsigned i = 0; i < 16; ++i) one.set(i, all_lanes(100 + i));
  one.wave.sgprs[4] = 3;
  const std::uint32_t on[] = {0xbf110000U | 1U << 8 | 4U}, off[] = {0xbf9c0000U};
  const std::uint32_t move[] = {0x7e000200U | 20U << 17 | 258U};  // v_mov_b32 v20, v2
  EXPECT_TRUE(one.run(on));
  EXPECT_TRUE(one.run(move));
  EXPECT_EQ(one.get(20, false)[0], 105U);
  const std::uint32_t destinations[] = {0xbf9d0000U | 8U};
  EXPECT_TRUE(one.run(destinations));
  EXPECT_TRUE(one.run(move));
  EXPECT_EQ(one.get(23, false)[63], 102U);
  one.wave.sgprs[4] = 200;
  const std::uint32_t far[] = {0xbe803200U | 4U};
  EXPECT_TRUE(one.run(far));
  EXPECT_FALSE(one.run(move));
  EXPECT_TRUE(one.run(off));
  EXPECT_TRUE(one.run(move));
  EXPECT_EQ(one.get(20, false)[7], 102U);
}

// One product to an element; MODE's denormal bits of f32 count, its rounding does not.
TEST(Mode, MatricesOfFloatsFlushDenormals) {
  const std::uint32_t words[] = {0xd3c20008,
                                 0x04120500};  // v_mfma_f32_4x4x1_16b_f32 v[8:11], v0, v2, v[4:7]
  const auto product = [&](std::uint32_t mode, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    OneInstruction one(isa::Arch::gfx942, mode);
    for (unsigned i = 0; i < 4; ++i) one.set(4 + i, all_lanes(c));
    one.set(0, all_lanes(a));
    one.set(2, all_lanes(b));
    EXPECT_TRUE(one.run(words));
    return static_cast<std::uint32_t>(one.get(11, false)[63]);
  };
  const std::uint32_t denormal = 0x00012345, minus = 0x80012345, one = bits(1.0f);
  EXPECT_EQ(product(kUsualMode, denormal, one, 0), denormal);
  EXPECT_EQ(product(kUsualMode, 0, one, minus), minus);
  EXPECT_EQ(product(kFlush32, denormal, bits(0x1p40f), 0), 0U);
  EXPECT_EQ(product(kFlush32, 0, one, denormal), 0U);
  EXPECT_EQ(product(kFlush32, bits(0x1p-100f), bits(-0x1p-40f), 0x80000000U), 0x80000000U);
  EXPECT_EQ(product(kFlush64, denormal, one, 0), denormal);
  const std::uint32_t reads = kFlush32 | 1U << 4, writes = kFlush32 | 2U << 4;
  EXPECT_EQ(product(reads, denormal, bits(0x1p20f), 0),
            bits(std::bit_cast<float>(denormal) * 0x1p20f));
  EXPECT_EQ(product(reads, denormal, one, 0), 0U);
  EXPECT_EQ(product(writes, denormal, bits(0x1p20f), 0), 0U);
  EXPECT_EQ(product(writes, bits(0x1p-100f), bits(0x1p-40f), 0), bits(0x1p-140f));
  for (std::uint32_t rounding = 0; rounding < 4; ++rounding)
    EXPECT_EQ(product(kUsualMode | rounding, bits(0x1p-30f), one, one), one);
}

TEST(Mode, LdsAddsFloatsToNearestAndFlushesDenormals) {
  const std::uint32_t words[] = {0xd86a0000, 0x08000200};  // ds_add_rtn_f32 v8, v0, v2
  const auto sum = [&](std::uint32_t mode, std::uint32_t before, std::uint32_t added) {
    OneInstruction one(isa::Arch::gfx942, mode);
    std::vector<std::byte> lds(4);
    std::memcpy(lds.data(), &before, 4);
    one.machine.lds = lds;
    one.wave.set_pair(isa::kExecLo, 1);
    one.set(2, all_lanes(added));
    EXPECT_TRUE(one.run(words));
    EXPECT_EQ(one.get(8, false)[0], before) << "what was there comes back as it was";
    std::uint32_t after;
    std::memcpy(&after, lds.data(), 4);
    return after;
  };
  const std::uint32_t denormal = 0x00012345, minus = 0x80012345, one = bits(1.0f);
  EXPECT_EQ(sum(kUsualMode, denormal, 0), denormal);
  EXPECT_EQ(sum(kFlush32, denormal, 0), 0U);
  EXPECT_EQ(sum(kFlush32, minus, 0x80000000U), 0x80000000U);
  EXPECT_EQ(sum(kFlush32, bits(0x1p-126f), bits(-0x1.8p-126f)), 0x80000000U);
  EXPECT_EQ(sum(kFlush64, denormal, 0), denormal);
  const std::uint32_t reads = kFlush32 | 1U << 4, writes = kFlush32 | 2U << 4,
                      smallest = bits(0x1p-126f);
  EXPECT_EQ(sum(reads, smallest, minus), 0U);
  EXPECT_EQ(sum(writes, smallest, minus), smallest);
  EXPECT_EQ(sum(writes, smallest, bits(-0x1.8p-126f)), bits(-0x1p-127f));
  for (std::uint32_t rounding = 0; rounding < 4; ++rounding)
    EXPECT_EQ(sum(kUsualMode | rounding, one, bits(0x1p-30f)), one);
}

}  // namespace
}  // namespace rpl::emu
