// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>
#include <cstddef>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "engine/device/execute/state/float_mode.h"

/// How this thread rounds floats, by the host's own numbers. Where it can, of the unit that computes them alone: std::fesetround also tells the x87, which
/// takes longer than most instructions do.
namespace rpl::emu {

#if defined(__x86_64__)
inline int host_rounding() { return static_cast<int>(_MM_GET_ROUNDING_MODE()); }
inline void round_host(int way) { _MM_SET_ROUNDING_MODE(static_cast<unsigned>(way)); }
inline int host_rounding_of(Rounding rounding) {
  constexpr int kHost[] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO};
  return kHost[static_cast<std::size_t>(rounding)];
}
#else
inline int host_rounding() { return std::fegetround(); }
inline void round_host(int way) { std::fesetround(way); }
inline int host_rounding_of(Rounding rounding) {
  constexpr int kHost[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  return kHost[static_cast<std::size_t>(rounding)];
}
#endif

}  // namespace rpl::emu
