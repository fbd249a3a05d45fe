// SPDX-License-Identifier: MIT
// Conversions, sums of bytes and the odd ones, on values whose results follow from the definition.
#include <bit>
#include <cmath>
#include <random>

#include "engine/device/execute/instructions/byte_float.h"
#include "tests/engine/device/execute/one_instruction.h"

namespace rpl::emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

TEST(Vector, PackingConversions) {
  EXPECT_EQ(run_one({.name = "v_cvt_pkrtz_f16_f32"}, bits(1.0f + 0x1.8p-10f), bits(-1e9f)),
            0xfbff3c01U);
  EXPECT_EQ(run_one({.name = "v_cvt_pknorm_i16_f32"}, bits(-2.0f), bits(0.5f)), 0x40008001U);
  EXPECT_EQ(run_one({.name = "v_cvt_pknorm_u16_f32"}, bits(1.0f), bits(NAN)), 0x0000ffffU);
  EXPECT_EQ(run_one({.name = "v_cvt_pk_u16_u32"}, 70000, 7), 0x0007ffffU);
  EXPECT_EQ(run_one({.name = "v_cvt_pk_i16_i32"}, static_cast<u32>(-70000), 40000), 0x7fff8000U);
  EXPECT_EQ(run_one({.name = "v_cvt_norm_i16_f16"}, 0x3c00), 0x7fffU);
  EXPECT_EQ(run_one({.name = "v_sat_pk_u8_i16"}, 0x01ffff00), 0xff00U);
  EXPECT_EQ(run_one({.name = "v_cvt_pk_u8_f32"}, bits(300.0f), 2, 0x11223344), 0x11ff3344U);
  EXPECT_EQ(run_one({.name = "v_pack_b32_f16", .op_sel = 1, .neg = 2}, 0x12345678, 0x00003c00),
            0xbc001234U);
}

TEST(Vector, FloatsToIntegersWithARoundingOfTheirOwn) {
  EXPECT_EQ(static_cast<std::int32_t>(run_one({.name = "v_cvt_rpi_i32_f32"}, bits(-2.5f))), -2);
  EXPECT_EQ(run_one({.name = "v_cvt_rpi_i32_f32"}, bits(2.5f)), 3U);
  EXPECT_EQ(static_cast<std::int32_t>(run_one({.name = "v_cvt_flr_i32_f32"}, bits(-2.1f))), -3);
  EXPECT_EQ(real(run_one({.name = "v_cvt_off_f32_i4"}, 0x7)), 0.4375f);
  EXPECT_EQ(real(run_one({.name = "v_cvt_off_f32_i4"}, 0xf8)), -0.5f);
}

TEST(Vector, SumsOfDistances) {
  const u32 a = 0x10203040, b = 0x11004050;
  EXPECT_EQ(run_one({.name = "v_sad_u8"}, a, b, 100), 100U + 1 + 0x20 + 0x10 + 0x10);
  EXPECT_EQ(run_one({.name = "v_msad_u8"}, a, b, 100), 100U + 1 + 0x10 + 0x10);
  EXPECT_EQ(run_one({.name = "v_sad_hi_u8"}, a, b, 5), (0x41U << 16) + 5);
  EXPECT_EQ(run_one({.name = "v_sad_u16"}, a, b, 1), 1U + 0xe0 + 0x1010);
  EXPECT_EQ(run_one({.name = "v_sad_u32", .clamp = true}, 0, 5, 0xfffffffe), 0xffffffffU);
  EXPECT_EQ(run_one({.name = "v_lerp_u8"}, 0x01ff0204, 0x02ff0307, 0x00010001), 0x01ff0206U);
  const u64 window = 0x0706050403020100;
  // Bytes 0 to 3 against 1 1 1 1, then 1 to 4 and so on.
  EXPECT_EQ(run_one({.name = "v_qsad_pk_u16_u8"}, window, 0x01010101, 0), 0x000e000a00060004U);
  EXPECT_EQ(run_one({.name = "v_mqsad_pk_u16_u8"}, window, 0x01000001, 0), 0x0007000500030003U);
  EXPECT_EQ(
      run_one({.name = "v_qsad_pk_u16_u8", .clamp = true}, window, 0x01010101, 0xfffffffffffffffe),
      0xffffffffffffffffU);
}

TEST(Vector, SaturatingIntegers) {
  EXPECT_EQ(run_one({.name = "v_add_u32", .clamp = true}, 0xfffffff0, 0x20), 0xffffffffU);
  EXPECT_EQ(run_one({.name = "v_sub_u32", .clamp = true}, 3, 5), 0U);
  EXPECT_EQ(run_one({.name = "v_add_i32", .clamp = true}, 0x7ffffff0, 0x20), 0x7fffffffU);
  EXPECT_EQ(run_one({.name = "v_sub_i32"}, 3, 5), 0xfffffffeU);
  EXPECT_EQ(run_one({.name = "v_add_u16", .clamp = true}, 0xfff0, 0x20), 0xffffU);
  EXPECT_EQ(run_one({.name = "v_mad_i32_i24", .clamp = true}, 0x7fffff, 0x7fffff, 1), 0x7fffffffU);
  EXPECT_EQ(run_one({.name = "v_mul_hi_i32_i24"}, 0x800000, 0x7fffff), 0xffffc000U);
  EXPECT_EQ(run_one({.name = "v_mad_u64_u32", .clamp = true}, 2, 3, ~u64{0}), ~u64{0});
  EXPECT_EQ(run_one({.name = "v_sub_co_u32", .clamp = true}, 3, 5), 0U);
}

// OCP's and AMD's tables of the formats, at their edges.
TEST(Vector, SmallFloatsAtTheEdges) {
  const auto fp8 = [](u32 byte) { return real(run_one({.name = "v_cvt_f32_fp8"}, byte)); };
  const auto bf8 = [](u32 byte) { return real(run_one({.name = "v_cvt_f32_bf8"}, byte)); };
  EXPECT_EQ(fp8(0x7f), 240.0f);
  EXPECT_EQ(fp8(0x01), 0x1p-10f);
  EXPECT_EQ(fp8(0x08), 0x1p-7f);
  EXPECT_EQ(fp8(0xc0), -1.0f);
  EXPECT_EQ(bf8(0x7f), 57344.0f);
  EXPECT_EQ(bf8(0x01), 0x1p-17f);
  EXPECT_EQ(bf8(0x40), 1.0f);
  EXPECT_TRUE(std::isnan(fp8(0x80)));
  EXPECT_TRUE(std::isnan(bf8(0x80)));
}

template <class F>
u32 nearest_byte(float value) {
  // By search among all 255 numbers; a tie goes to the even code.
  u32 best = 0;
  double distance = HUGE_VAL;
  for (u32 code = 0; code < 256; ++code) {
    if (code == kByteNan) continue;
    const double apart = std::fabs(static_cast<double>(from_byte_float<F>(code)) - value);
    if (apart < distance || (apart == distance && code % 2 == 0)) best = code;
    distance = std::min(distance, apart);
  }
  return best;
}

TEST(Vector, FloatsRoundToTheNearestSmallFloat) {
  std::mt19937 random(9);
  for (int round = 0; round < 60; ++round) {
    LaneValues a{}, b{};
    for (unsigned i = 0; i < kLanes; ++i) {
      a[i] = bits(std::ldexp(static_cast<float>(random() % 4096) - 2048.0f,
                             -5 - static_cast<int>(random() % 18)));
      b[i] = bits(real(a[i]) * 0.25f);
    }
    const auto fp8 = run({.name = "v_cvt_pk_fp8_f32", .before = 0xabcd0000}, a, b);
    const auto bf8 = run({.name = "v_cvt_pk_bf8_f32", .op_sel = 8, .before = 0xabcd}, a, b);
    for (unsigned i = 0; i < kLanes; ++i) {
      ASSERT_EQ(fp8[i],
                nearest_byte<Fp8>(real(a[i])) | nearest_byte<Fp8>(real(b[i])) << 8 | 0xabcd0000U)
          << real(a[i]);
      ASSERT_EQ(bf8[i] >> 16, nearest_byte<Bf8>(real(a[i])) | nearest_byte<Bf8>(real(b[i])) << 8)
          << real(a[i]);
      ASSERT_EQ(bf8[i] & 0xffff, 0xabcdU);
    }
  }
}

// A number at 3/8 of the way is rounded up by 3/8 of the random values.
TEST(Vector, StochasticRoundingIsInProportion) {
  const float value = 1.0f + 0.125f * 0.375f;
  unsigned up = 0;
  constexpr unsigned kDraws = 1024;
  for (unsigned i = 0; i < kDraws; i += kLanes) {
    LaneValues random{};
    for (unsigned lane = 0; lane < kLanes; ++lane) random[lane] = (i + lane) << 22;
    for (const u64 byte : run({.name = "v_cvt_sr_fp8_f32"}, all_lanes(bits(value)), random)) {
      ASSERT_TRUE(byte == 0x40 || byte == 0x41) << byte;
      up += byte == 0x41 ? 1 : 0;
    }
  }
  EXPECT_EQ(up, kDraws * 3 / 8);
  EXPECT_EQ(
      run_one({.name = "v_cvt_sr_bf8_f32", .op_sel = 8, .before = 0x11223344}, bits(1.0f), ~u32{0}),
      0x11403344U);
}

TEST(Vector, CubeCoordinates) {
  struct Face {
    float x, y, z, id, s, t, major;
  };
  for (const Face f :
       {Face{3, 1, 2, 0, -2, -1, 6}, Face{-3, 1, 2, 1, 2, -1, -6}, Face{1, 3, 2, 2, 1, 2, 6},
        Face{1, -3, 2, 3, 1, -2, -6}, Face{1, 2, 3, 4, 1, -2, 6}, Face{1, 2, -3, 5, -1, -2, -6}}) {
    const auto get = [&](const char* name) {
      return real(run_one({.name = name}, bits(f.x), bits(f.y), bits(f.z)));
    };
    EXPECT_EQ(get("v_cubeid_f32"), f.id);
    EXPECT_EQ(get("v_cubesc_f32"), f.s);
    EXPECT_EQ(get("v_cubetc_f32"), f.t);
    EXPECT_EQ(get("v_cubema_f32"), f.major);
  }
}

}  // namespace
}  // namespace rpl::emu
