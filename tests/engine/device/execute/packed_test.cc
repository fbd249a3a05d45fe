// SPDX-License-Identifier: MIT
// Packed arithmetic and dot products, element by element beside the host.
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "tests/engine/device/execute/one_instruction.h"

namespace rpl::emu {
namespace {

using i64 = std::int64_t;
using u32 = std::uint32_t;

struct Generator {
  std::mt19937 random{11};
  LaneValues operator()() {
    LaneValues values;
    for (auto& value : values) {
      value = static_cast<u32>(random());
      // Some at the ends of the range.
      if (random() % 4 == 0) value = (value & 0x00010001U) * 0x7fffU;
    }
    return values;
  }
};

i64 short_at(u32 dword, bool high, bool is_signed) {
  const auto part = static_cast<std::uint16_t>(dword >> (high ? 16 : 0));
  return is_signed ? i64{static_cast<std::int16_t>(part)} : i64{part};
}

struct PackedShort {
  const char* name;
  bool is_signed;
  i64 (*function)(i64, i64, i64);
};

const PackedShort kPackedShorts[] = {
    {"v_pk_mad_i16", true, [](i64 a, i64 b, i64 c) { return a * b + c; }},
    {"v_pk_mad_u16", false, [](i64 a, i64 b, i64 c) { return a * b + c; }},
    {"v_pk_mul_lo_u16", false, [](i64 a, i64 b, i64) { return a * b; }},
    {"v_pk_add_i16", true, [](i64 a, i64 b, i64) { return a + b; }},
    {"v_pk_sub_i16", true, [](i64 a, i64 b, i64) { return a - b; }},
    {"v_pk_add_u16", false, [](i64 a, i64 b, i64) { return a + b; }},
    {"v_pk_sub_u16", false, [](i64 a, i64 b, i64) { return a - b; }},
    {"v_pk_lshlrev_b16", false, [](i64 a, i64 b, i64) { return b << a % 16 & 0xffff; }},
    {"v_pk_lshrrev_b16", false, [](i64 a, i64 b, i64) { return b >> a % 16; }},
    {"v_pk_ashrrev_i16", true, [](i64 a, i64 b, i64) { return b >> (a & 15); }},
    {"v_pk_max_i16", true, [](i64 a, i64 b, i64) { return std::max(a, b); }},
    {"v_pk_min_i16", true, [](i64 a, i64 b, i64) { return std::min(a, b); }},
    {"v_pk_max_u16", false, [](i64 a, i64 b, i64) { return std::max(a, b); }},
    {"v_pk_min_u16", false, [](i64 a, i64 b, i64) { return std::min(a, b); }},
};

TEST(Packed, ShortsWithEverySelectionAndSaturation) {
  Generator values;
  for (const PackedShort& one : kPackedShorts) {
    for (unsigned select = 0; select < 64; ++select) {
      Probe probe{.name = one.name, .op_sel = select & 7, .op_sel_hi = select >> 3};
      probe.clamp = select % 3 == 0;
      const LaneValues a = values(), b = values(), c = values(), found = run(probe, a, b, c);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        u32 expected = 0;
        for (unsigned half = 0; half < 2; ++half) {
          const unsigned from = half == 0 ? probe.op_sel : probe.op_sel_hi;
          const auto part = [&](const LaneValues& v, unsigned i) {
            return short_at(static_cast<u32>(v[lane]), (from >> i & 1) != 0, one.is_signed);
          };
          i64 result = one.function(part(a, 0), part(b, 1), part(c, 2));
          if (probe.clamp)
            result = std::clamp(result, one.is_signed ? i64{-32768} : i64{0},
                                one.is_signed ? i64{32767} : i64{65535});
          expected |= static_cast<u32>(result & 0xffff) << 16 * half;
        }
        ASSERT_EQ(found[lane], expected) << one.name << " " << select;
      }
    }
  }
}

// The halves of a packed operation are what the plain one computes of them.
TEST(Packed, HalvesAreThePlainOperationTwice) {
  Generator values;
  struct Pair {
    const char *packed, *plain;
  };
  for (const Pair pair : {Pair{"v_pk_add_f16", "v_add_f16"}, Pair{"v_pk_mul_f16", "v_mul_f16"},
                          Pair{"v_pk_min_f16", "v_min_f16"}, Pair{"v_pk_max_f16", "v_max_f16"},
                          Pair{"v_pk_fma_f16", "v_fma_legacy_f16"}}) {
    for (unsigned select = 0; select < 64; ++select) {
      Probe probe{.name = pair.packed, .op_sel = select & 7, .op_sel_hi = select >> 3};
      probe.neg = select * 5 & 7;
      probe.abs = select * 3 & 7;
      probe.clamp = select % 5 == 0;
      const LaneValues sources[3] = {values(), values(), values()};
      const LaneValues found = run(probe, sources[0], sources[1], sources[2]);
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned from = half == 0 ? probe.op_sel : probe.op_sel_hi;
        LaneValues parts[3];
        for (unsigned i = 0; i < 3; ++i) {
          for (unsigned lane = 0; lane < kLanes; ++lane)
            parts[i][lane] = sources[i][lane] >> ((from >> i & 1) != 0 ? 16 : 0) & 0xffff;
        }
        const LaneValues expected = run(
            {.name = pair.plain, .neg = half == 0 ? probe.neg : probe.abs, .clamp = probe.clamp},
            parts[0], parts[1], parts[2]);
        for (unsigned lane = 0; lane < kLanes; ++lane)
          ASSERT_EQ(found[lane] >> 16 * half & 0xffff, expected[lane]) << pair.packed << select;
      }
    }
  }
}

TEST(Packed, ConstantsFillOneHalf) {
  constexpr int kOnePointZero = 242, kMinusOne = 193, kThree = 131;
  constexpr std::uint64_t kTwos = 0x40004000;
  // A float constant is in the low half, with zero above; an integer is extended to 32 bits.
  Probe add{.name = "v_pk_add_f16"};
  add.constant[1] = kOnePointZero;
  EXPECT_EQ(run_one(add, kTwos), 0x40004200U);
  add.op_sel_hi = 5;
  EXPECT_EQ(run_one(add, kTwos), 0x42004200U);
  Probe integer{.name = "v_pk_add_u16"};
  integer.constant[1] = kMinusOne;
  EXPECT_EQ(run_one(integer, 0x00050007), 0x00040006U);
  integer.constant[1] = kThree;
  EXPECT_EQ(run_one(integer, 0x00050007), 0x0005000aU);
  integer.op_sel_hi = 5;
  EXPECT_EQ(run_one(integer, 0x00050007), 0x0008000aU);
}

std::uint64_t floats(float low, float high) {
  return std::bit_cast<u32>(low) | std::uint64_t{std::bit_cast<u32>(high)} << 32;
}

TEST(Packed, FloatsWithSelectionAndSigns) {
  const std::uint64_t a = floats(1.5f, -2.0f), b = floats(10.0f, 100.0f), c = floats(0.25f, 7.0f);
  EXPECT_EQ(run_one({.name = "v_pk_fma_f32"}, a, b, c), floats(15.25f, -193.0f));
  EXPECT_EQ(run_one({.name = "v_pk_add_f32"}, a, b), floats(11.5f, 98.0f));
  EXPECT_EQ(run_one({.name = "v_pk_mul_f32", .op_sel = 1, .op_sel_hi = 2}, a, b),
            floats(-20.0f, 150.0f));
  EXPECT_EQ(run_one({.name = "v_pk_mul_f32", .neg = 1, .abs = 2}, a, b), floats(-15.0f, 200.0f));
}

TEST(Packed, MixedPrecision) {
  const u32 halves = 0xc0003c00;  // -2 above, 1 below
  const u32 x = std::bit_cast<u32>(3.0f), y = std::bit_cast<u32>(0.5f);
  const auto mix = [&](unsigned op_sel, unsigned op_sel_hi, unsigned neg, unsigned abs) {
    return std::bit_cast<float>(static_cast<u32>(run_one(
        {.name = "v_fma_mix_f32", .op_sel = op_sel, .op_sel_hi = op_sel_hi, .neg = neg, .abs = abs},
        halves, x, y)));
  };
  EXPECT_EQ(mix(0, 1, 0, 0), 3.5f);
  EXPECT_EQ(mix(1, 1, 0, 0), -5.5f);
  EXPECT_EQ(mix(1, 1, 0, 1), 6.5f);
  EXPECT_EQ(mix(1, 1, 1, 1), -5.5f);
  EXPECT_EQ(mix(0, 1, 4, 0), 2.5f);
  Probe low{.name = "v_fma_mixlo_f16", .op_sel_hi = 1, .before = 0xdeadbeef};
  EXPECT_EQ(run_one(low, halves, x, y), 0xdead4300U);
  low.name = "v_fma_mixhi_f16";
  EXPECT_EQ(run_one(low, halves, x, y), 0x4300beefU);
}

struct DotProduct {
  const char* name;
  unsigned bits;
  bool is_signed;
};

TEST(Packed, DotProductsWrapOrSaturate) {
  Generator values;
  for (const DotProduct dot :
       {DotProduct{"v_dot2_i32_i16", 16, true}, DotProduct{"v_dot2_u32_u16", 16, false},
        DotProduct{"v_dot4_i32_i8", 8, true}, DotProduct{"v_dot4_u32_u8", 8, false},
        DotProduct{"v_dot8_i32_i4", 4, true}, DotProduct{"v_dot8_u32_u4", 4, false}}) {
    for (const bool clamp : {false, true}) {
      const LaneValues a = values(), b = values(), c = values();
      const LaneValues found = run({.name = dot.name, .clamp = clamp}, a, b, c);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        i64 sum =
            dot.is_signed ? i64{static_cast<std::int32_t>(c[lane])} : static_cast<i64>(c[lane]);
        for (unsigned first = 0; first < 32; first += dot.bits) {
          const auto element = [&](std::uint64_t v) {
            const auto part = static_cast<i64>(v >> first & ((1U << dot.bits) - 1));
            return dot.is_signed && part >> (dot.bits - 1) != 0 ? part - (1 << dot.bits) : part;
          };
          sum += element(a[lane]) * element(b[lane]);
        }
        if (clamp)
          sum = std::clamp(sum, dot.is_signed ? -(i64{1} << 31) : i64{0},
                           dot.is_signed ? (i64{1} << 31) - 1 : (i64{1} << 32) - 1);
        ASSERT_EQ(found[lane], static_cast<u32>(sum)) << dot.name;
      }
    }
  }
  EXPECT_EQ(run_one({.name = "v_dot2_f32_f16"}, 0x40003c00, 0x42004400, std::bit_cast<u32>(0.5f)),
            std::bit_cast<u32>(10.5f));
  EXPECT_EQ(run_one({.name = "v_dot4c_i32_i8", .before = 5}, 0x01020304, 0x01010101), 15U);
}

}  // namespace
}  // namespace rpl::emu
