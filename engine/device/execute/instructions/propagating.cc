// SPDX-License-Identifier: MIT
// Minima and maxima that a NaN goes through, as IEEE 754-2019 has them.
#include "engine/device/execute/instructions/half_operations.h"
#include "engine/device/execute/state/float_math.h"

namespace rpl::emu {
namespace {

bool is_signalling_float(float a) {
  const auto bits = std::bit_cast<std::uint32_t>(a);
  return a != a && (bits & 0x400000U) == 0;
}

/// The NaN that comes out: signalling ones go before quiet ones, the first one before the second.
float nan_of(float a, float b) {
  if (is_signalling_float(a) || (a != a && !is_signalling_float(b))) return quieted(a);
  return quieted(b);
}
Half nan_of(Half a, Half b) {
  if (is_signalling(a) || (is_nan(a) && !is_signalling(b))) return quieted(a);
  return quieted(b);
}

// Numbers that are equal differ at most in the signs of zeros, of which -0 is the smaller one.
float lower(float a, float b) {
  if (a != a || b != b) return nan_of(a, b);
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
float upper(float a, float b) {
  if (a != a || b != b) return nan_of(a, b);
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
Half lower(Half a, Half b) {
  if (is_nan(a) || is_nan(b)) return nan_of(a, b);
  return half_order(b) < half_order(a) ? b : a;
}
Half upper(Half a, Half b) {
  if (is_nan(a) || is_nan(b)) return nan_of(a, b);
  return half_order(b) > half_order(a) ? b : a;
}

template <class Round>
struct LowestOfThree {
  Half operator()(Half a, Half b, Half c) const { return lower(lower(a, b), c); }
};
template <class Round>
struct HighestOfThree {
  Half operator()(Half a, Half b, Half c) const { return upper(upper(a, b), c); }
};

}  // namespace

std::vector<VectorEntry> propagating_entries() {
  return {
      vector_entry([](float a, float b, float c) { return lower(lower(a, b), c); },
                   "v_minimum3_f32"),
      vector_entry([](float a, float b, float c) { return upper(upper(a, b), c); },
                   "v_maximum3_f32"),
      halves::pair_entry<halves::Pair3, LowestOfThree>("v_pk_minimum3_f16"),
      halves::pair_entry<halves::Pair3, HighestOfThree>("v_pk_maximum3_f16"),
  };
}

}  // namespace rpl::emu
