// SPDX-License-Identifier: MIT
// Conversions that pack two results or place one among others, and float conversions with a rounding of their own.
#include <algorithm>
#include <limits>

#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/half_math.h"

namespace rpl::emu {
namespace {

using u16 = std::uint16_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;

constexpr u32 joined(u16 low, u16 high) { return low | u32{high} << 16; }

/// A number in [-1, 1] in steps of 1 / 32767, or in [0, 1] in steps of 1 / 65535, rounded to nearest even.
inline u16 signed_norm(double value) {
  const double inside = value > 1.0 ? 1.0 : value < -1.0 ? -1.0 : value;
  return value != value ? u16{0}
                        : static_cast<u16>(static_cast<i16>(__builtin_rint(inside * 32767.0)));
}
inline u16 unsigned_norm(double value) {
  const double inside = value > 1.0 ? 1.0 : value > 0.0 ? value : 0.0;
  return static_cast<u16>(__builtin_rint(inside * 65535.0));
}

inline u16 toward_zero(float value) {
  return value != value ? to_half(value).bits : truncated_to_half(static_cast<double>(value)).bits;
}

/// Saturates; rounds to nearest even.
inline u32 byte_of(float value) {
  const float inside = value > 255.0f ? 255.0f : value > 0.0f ? value : 0.0f;
  return static_cast<u32>(__builtin_rintf(inside));
}
constexpr u32 with_byte(u32 dword, u32 index, u32 byte) {
  const u32 first = (index & 3U) * 8U;
  return (dword & ~(0xffU << first)) | byte << first;
}

constexpr u32 saturated_byte(u32 half) {
  const auto value = static_cast<i16>(half);
  return static_cast<u32>(std::clamp<i16>(value, 0, 255));
}

/// Both shifted right and saturated to a byte of type T.
template <class T>
constexpr u16 shifted_bytes(i32 a, i32 b, u32 by) {
  const auto byte = [&](i32 value) {
    return static_cast<std::uint8_t>(std::clamp<i32>(
        value >> (by & 31U), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  };
  return static_cast<u16>(byte(a) | byte(b) << 8);
}

/// floor(a) as an integer, saturated; NaN is zero.
inline i32 floor_to_int(double a) { return to_signed(std::floor(a)); }

}  // namespace

std::vector<VectorEntry> pack_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](float a, float b) { return joined(toward_zero(a), toward_zero(b)); },
                   "v_cvt_pkrtz_f16_f32"),
      vector_entry([](float a, float b) { return joined(signed_norm(a), signed_norm(b)); },
                   "v_cvt_pknorm_i16_f32"),
      vector_entry([](float a, float b) { return joined(unsigned_norm(a), unsigned_norm(b)); },
                   "v_cvt_pknorm_u16_f32"),
      vector_entry(
          [](Half a, Half b) {
            return joined(signed_norm(to_double(a)), signed_norm(to_double(b)));
          },
          "v_cvt_pknorm_i16_f16"),
      vector_entry(
          [](Half a, Half b) {
            return joined(unsigned_norm(to_double(a)), unsigned_norm(to_double(b)));
          },
          "v_cvt_pknorm_u16_f16"),
      vector_entry([](Half a) { return signed_norm(to_double(a)); }, "v_cvt_norm_i16_f16"),
      vector_entry([](Half a) { return unsigned_norm(to_double(a)); }, "v_cvt_norm_u16_f16"),
      vector_entry(
          [](u32 a, u32 b) {
            return joined(static_cast<u16>(std::min(a, 65535U)),
                          static_cast<u16>(std::min(b, 65535U)));
          },
          "v_cvt_pk_u16_u32"),
      vector_entry(
          [](i32 a, i32 b) {
            return joined(static_cast<u16>(std::clamp(a, -32768, 32767)),
                          static_cast<u16>(std::clamp(b, -32768, 32767)));
          },
          "v_cvt_pk_i16_i32"),
      vector_entry([](Half a, Half b) { return joined(a.bits, b.bits); }, "v_pack_b32_f16"),
      vector_entry([](i32 a, i32 b, u32 by) { return shifted_bytes<std::int8_t>(a, b, by); },
                   "v_ashr_pk_i8_i32"),
      vector_entry([](i32 a, i32 b, u32 by) { return shifted_bytes<std::uint8_t>(a, b, by); },
                   "v_ashr_pk_u8_i32"),
      vector_entry([](u32 a) { return saturated_byte(a) | saturated_byte(a >> 16) << 8; },
                   "v_sat_pk_u8_i16"),
      vector_entry([](float a, u32 b, u32 c) { return with_byte(c, b, byte_of(a)); },
                   "v_cvt_pk_u8_f32"),
      vector_entry([](float a, u32 b, u32 c) { return with_byte(c, b, byte_of(a)); },
                   "v_cvt_pkaccum_u8_f32"),
      vector_entry([](float a) { return floor_to_int(static_cast<double>(a) + 0.5); },
                   "v_cvt_rpi_i32_f32"),
      vector_entry([](float a) { return floor_to_int(a); }, "v_cvt_flr_i32_f32"),
      vector_entry(
          [](u32 a) { return static_cast<float>(static_cast<i32>(a << 28) >> 28) * 0.0625f; },
          "v_cvt_off_f32_i4"),
  };
  for (auto& entry : entries) {
    entry.fixed_rounding = true;
    entry.accumulates = entry.name == "v_cvt_pkaccum_u8_f32";
    // Whether these round to nearest even or truncate, and whether a + 0.5 is rounded to float, is not documented.
    entry.approximate = entry.name.ends_with("_u8_f32") || entry.name == "v_cvt_rpi_i32_f32";
    entry.keeps_denormals = entry.name == "v_pack_b32_f16";
    if (entry.name.starts_with("v_ashr_pk_")) entry.rest = VectorEntry::Rest::kept;
  }
  return entries;
}

}  // namespace rpl::emu
