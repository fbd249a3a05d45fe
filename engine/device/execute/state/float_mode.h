// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/device/execute/state/machine.h"

/// The MODE register as arithmetic sees it (MI200 and CDNA3 ISA documents, "Mode register").
namespace rpl::emu {

/// Round to nearest even, denormals kept, DX10_CLAMP and IEEE on: what compilers ask for unless told otherwise, and what the
/// plain lane functions compute.
inline constexpr std::uint32_t kUsualMode = 0x3f0;
/// The bits that arithmetic looks at: rounding, denormals, DX10_CLAMP, IEEE and FP16_OVFL.
inline constexpr std::uint32_t kArithmeticBits = 0x8003ff;
inline constexpr std::uint32_t kHalfOverflowBit = 1U << 23, kIndexBit = 1U << 27,
                               kSkipBit = 1U << 28;

enum class Rounding : std::uint8_t { nearest_even, up, down, to_zero };

/// What MODE says of the floats of one size.
struct SizeMode {
  Rounding rounding = Rounding::nearest_even;
  bool reads_denormals = true, writes_denormals = true;
};

struct FloatMode {
  SizeMode f32, f16_f64;
  bool dx10_clamp = true;  ///< clamping makes zero of a NaN
  bool ieee = true;  ///< minima and maxima make signalling NaNs quiet; output modifiers are ignored
  bool half_overflow =
      false;  ///< f16 results that overflow, and 8-bit floats, become the largest number
};

FloatMode float_mode(std::uint32_t mode);

/// Of the operation that a by_mode lane function computes for.
const FloatMode& current_mode();

/// The host rounds, and current_mode() says, as MODE does while one of these lives.
class ModeScope {
 public:
  /// `result` chooses between the rounding of f32 and that of f16 and f64.
  ModeScope(const FloatMode& mode, Type result, bool fixed_rounding);
  ~ModeScope();
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 private:
  int host_rounding_;
};

/// What Wave::rounds_by goes on with: xorshift, Marsaglia 2003.
inline std::uint64_t next_drawn(std::uint64_t drawn) {
  drawn ^= drawn << 13;
  drawn ^= drawn >> 7;
  return drawn ^ drawn << 17;
}

/// Replaces denormals of `type` among 64 lanes (and 64 more of wide types) by zeros of their sign.
void flush_denormals(std::uint32_t* lanes, Type type);

}  // namespace rpl::emu
