// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/float_mode.h"

#include "engine/device/execute/state/host_rounding.h"

namespace rpl::emu {
namespace {

FloatMode& mode_in_force() {
  static thread_local FloatMode mode;
  return mode;
}

SizeMode size_mode(std::uint32_t rounding, std::uint32_t denormals) {
  return {static_cast<Rounding>(rounding & 3U), (denormals & 1U) != 0, (denormals & 2U) != 0};
}

// `exponent` has the bits of the exponent, `sign` that of the sign, of one value within the dword.
void flush(std::uint32_t* lanes, std::uint32_t value, std::uint32_t exponent, std::uint32_t sign) {
  for (unsigned i = 0; i < kLanes; ++i) {
    const bool tiny = (lanes[i] & exponent) == 0;
    lanes[i] &= tiny ? ~value | sign : ~0U;
  }
}

}  // namespace

FloatMode float_mode(std::uint32_t mode) {
  FloatMode out;
  out.f32 = size_mode(mode, mode >> 4);
  out.f16_f64 = size_mode(mode >> 2, mode >> 6);
  out.dx10_clamp = (mode >> 8 & 1U) != 0;
  out.ieee = (mode >> 9 & 1U) != 0;
  out.half_overflow = (mode & kHalfOverflowBit) != 0;
  return out;
}

const FloatMode& current_mode() { return mode_in_force(); }

ModeScope::ModeScope(const FloatMode& mode, Type result, bool fixed_rounding)
    : host_rounding_(host_rounding()) {
  mode_in_force() = mode;
  if (fixed_rounding) return;
  // Halves are computed exactly, or by functions that expect the host to round to nearest, and rounded at the end.
  if (result == Type::f32 || result == Type::f32x2) round_host(host_rounding_of(mode.f32.rounding));
  if (result == Type::f64) round_host(host_rounding_of(mode.f16_f64.rounding));
}

ModeScope::~ModeScope() {
  round_host(host_rounding_);
  mode_in_force() = FloatMode{};
}

void flush_denormals(std::uint32_t* lanes, Type type) {
  constexpr std::uint32_t kSign = 0x80000000U, kExponent32 = 0x7f800000U;
  switch (type) {
    case Type::f16:
      return flush(lanes, 0xffffU, 0x7c00U, 0x8000U);
    case Type::f16x2:
      flush(lanes, 0xffffU, 0x7c00U, 0x8000U);
      return flush(lanes, 0xffff0000U, 0x7c000000U, kSign);
    case Type::f32:
      return flush(lanes, ~0U, kExponent32, kSign);
    case Type::f32x2:
      flush(lanes, ~0U, kExponent32, kSign);
      return flush(lanes + kLanes, ~0U, kExponent32, kSign);
    case Type::f64:
      for (unsigned i = 0; i < kLanes; ++i) {
        const bool tiny = (lanes[kLanes + i] & 0x7ff00000U) == 0;
        lanes[i] = tiny ? 0 : lanes[i];
        lanes[kLanes + i] &= tiny ? kSign : ~0U;
      }
      return;
    default:
      return;
  }
}

}  // namespace rpl::emu
