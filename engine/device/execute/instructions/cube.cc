// SPDX-License-Identifier: MIT
// Cube map coordinates, argument reduction, and legacy multiplications.
#include <cmath>

#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/float_math.h"

namespace rpl::emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class Major : std::uint8_t { x, y, z };

[[gnu::always_inline]] inline Major major_axis(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay) return Major::z;
  return ay >= ax ? Major::y : Major::x;
}
[[gnu::always_inline]] inline float cube_face(float x, float y, float z) {
  const Major major = major_axis(x, y, z);
  if (major == Major::z) return z < 0 ? 5.0f : 4.0f;
  if (major == Major::y) return y < 0 ? 3.0f : 2.0f;
  return x < 0 ? 1.0f : 0.0f;
}
[[gnu::always_inline]] inline float cube_s(float x, float y, float z) {
  const Major major = major_axis(x, y, z);
  if (major == Major::z) return z < 0 ? -x : x;
  if (major == Major::y) return x;
  return x < 0 ? z : -z;
}
[[gnu::always_inline]] inline float cube_t(float x, float y, float z) {
  if (major_axis(x, y, z) == Major::y) return y < 0 ? -z : z;
  return -y;
}
[[gnu::always_inline]] inline float cube_major(float x, float y, float z) {
  const Major major = major_axis(x, y, z);
  return 2.0f * (major == Major::z ? z : major == Major::y ? y : x);
}

// The first 1248 bits of 2 / pi.
constexpr u32 kTwoOverPi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20,
};
constexpr u32 kTwoOverPiWords = sizeof(kTwoOverPi) / sizeof(kTwoOverPi[0]);

u32 two_over_pi_word(u32 index) { return index < kTwoOverPiWords ? kTwoOverPi[index] : 0; }

/// 53 bits of 2 / pi from where they matter for the exponent of `a`, 53 further on for each segment. The published pseudocode
/// errs here; this is what LLVM's folding of the intrinsic and the device libraries' use of it agree on.
double reduction_factor(double a, u32 segment) {
  constexpr int kFirstFar = 1077, kScaledFrom = 1968;
  const int exponent = biased_exponent(a);
  const u32 shift =
      (segment & 31U) * 53U + (exponent > kFirstFar ? static_cast<u32>(exponent - kFirstFar) : 0U);
  const u32 word = shift / 32, bit = shift % 32;
  u64 high = u64{two_over_pi_word(word)} << 32 | two_over_pi_word(word + 1);
  if (bit != 0) high = high << bit | two_over_pi_word(word + 2) >> (32 - bit);
  const int scale = -53 - static_cast<int>(shift) + (exponent >= kScaledFrom ? 128 : 0);
  return std::ldexp(static_cast<double>(high >> 11), scale);
}

}  // namespace

std::vector<VectorEntry> cube_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](float x, float y, float z) { return cube_face(x, y, z); }, "v_cubeid_f32"),
      vector_entry([](float x, float y, float z) { return cube_s(x, y, z); }, "v_cubesc_f32"),
      vector_entry([](float x, float y, float z) { return cube_t(x, y, z); }, "v_cubetc_f32"),
      vector_entry([](float x, float y, float z) { return cube_major(x, y, z); }, "v_cubema_f32"),
      vector_entry([](double a, u32 segment) { return reduction_factor(a, segment); },
                   "v_trig_preop_f64"),
  };
  return entries;
}

}  // namespace rpl::emu
