// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/device/execute/instructions/half_operations.h"

namespace rpl::emu {
namespace {

using halves::entry;

template <class Round>
struct Min3 {
  Half operator()(Half a, Half b, Half c) const {
    return half_minimum<Round>(half_minimum<Round>(a, b), c);
  }
};
template <class Round>
struct Max3 {
  Half operator()(Half a, Half b, Half c) const {
    return half_maximum<Round>(half_maximum<Round>(a, b), c);
  }
};
template <class Round>
struct Med3 {
  Half operator()(Half a, Half b, Half c) const { return half_median<Round>(a, b, c); }
};
template <class Round>
struct Ldexp {
  Half operator()(Half a, std::int16_t exponent) const {
    constexpr std::int16_t kLimit = 100;
    const std::int16_t clamped = std::clamp<std::int16_t>(exponent, -kLimit, kLimit);
    return Round::half(quieted(to_double(a) * power_of_two(clamped)));
  }
};
template <class Round>
struct FromUnsigned {
  Half operator()(std::uint16_t a) const {
    return Round::half(static_cast<typename Round::Wide>(a));
  }
};
template <class Round>
struct FromSigned {
  Half operator()(std::int16_t a) const {
    return Round::half(static_cast<typename Round::Wide>(a));
  }
};
template <class Round>
struct FromFloat {
  Half operator()(float a) const { return Round::half(static_cast<typename Round::Wide>(a)); }
};
/// The special cases of a division whose steps gave `quotient`; there are no others, because f16 is divided in f32.
template <class Round>
struct DivFixup {
  Half operator()(Half quotient, Half denominator, Half numerator) const {
    const auto sign = static_cast<std::uint16_t>((denominator.bits ^ numerator.bits) & 0x8000U);
    const unsigned over = denominator.bits & 0x7fffU, under = numerator.bits & 0x7fffU;
    constexpr unsigned kInfinity = 0x7c00;
    if (is_nan(numerator)) return quieted(numerator);
    if (is_nan(denominator)) return quieted(denominator);
    if ((over == 0 && under == 0) || (over == kInfinity && under == kInfinity)) return {0xfe00};
    if (over == 0 || under == kInfinity) return {static_cast<std::uint16_t>(sign | kInfinity)};
    if (over == kInfinity || under == 0) return {sign};
    const unsigned magnitude = is_nan(quotient) ? kInfinity : quotient.bits & 0x7fffU;
    return {static_cast<std::uint16_t>(sign | magnitude)};
  }
};

// Halves are whole from 1024 on, so that floats hold every step.
Half whole(Half a, float rounded) { return is_nan(a) ? quieted(a) : to_half(rounded); }

/// a - floor(a), which rounding must not take to one.
template <class Round>
struct Fract {
  Half operator()(Half a) const {
    const double x = to_double(a);
    const Half part = Round::half(result_of(x - std::floor(x), x, x));
    constexpr std::uint16_t kBelowOne = 0x3bff;
    return is_nan(part) ? part : Half{std::min(part.bits, kBelowOne)};
  }
};

template <class T>
T saturated(Half a) {
  const float value = to_float(a);
  constexpr auto low = static_cast<float>(std::numeric_limits<T>::min()),
                 high = static_cast<float>(std::numeric_limits<T>::max());
  return value != value ? T(0) : static_cast<T>(value > high ? high : value < low ? low : value);
}

std::int16_t half_exponent(Half a) {
  const double value = to_double(a);
  return static_cast<std::int16_t>(exponent(value));
}

}  // namespace

std::vector<VectorEntry> half_entries() {
  std::vector<VectorEntry> entries = {
      entry<halves::Add>("v_add_f16"),
      entry<halves::Sub>("v_sub_f16"),
      entry<halves::SubRev>("v_subrev_f16"),
      entry<halves::Mul>("v_mul_f16"),
      entry<halves::Min>("v_min_f16"),
      entry<halves::Max>("v_max_f16"),
      entry<halves::Fma>("v_fma_legacy_f16"),
      entry<halves::Mad>("v_mad_legacy_f16"),
      entry<DivFixup>("v_div_fixup_legacy_f16"),
      entry<Ldexp>("v_ldexp_f16"),
      entry<Fract>("v_fract_f16"),
      entry<FromFloat>("v_cvt_f16_f32"),
      entry<FromUnsigned>("v_cvt_f16_u16"),
      entry<FromSigned>("v_cvt_f16_i16"),
      vector_entry([](Half a) { return whole(a, __builtin_floorf(to_float(a))); }, "v_floor_f16"),
      vector_entry([](Half a) { return whole(a, __builtin_ceilf(to_float(a))); }, "v_ceil_f16"),
      vector_entry([](Half a) { return whole(a, __builtin_truncf(to_float(a))); }, "v_trunc_f16"),
      vector_entry([](Half a) { return whole(a, __builtin_rintf(to_float(a))); }, "v_rndne_f16"),
      vector_entry([](Half a) { return saturated<std::uint16_t>(a); }, "v_cvt_u16_f16"),
      vector_entry([](Half a) { return saturated<std::int16_t>(a); }, "v_cvt_i16_f16"),
      vector_entry([](Half a) { return Nearest::half(mantissa(to_double(a))); },
                   "v_frexp_mant_f16"),
      vector_entry([](Half a) { return half_exponent(a); }, "v_frexp_exp_i16_f16"),
  };
  std::vector<VectorEntry> keeping = {
      entry<halves::Fma>("v_fma_f16"),   entry<halves::Mad>("v_mad_f16"),
      entry<halves::Mad>("v_mac_f16"),   entry<halves::Mad>("v_madmk_f16"),
      entry<halves::Mad>("v_madak_f16"), entry<DivFixup>("v_div_fixup_f16"),
      entry<Min3>("v_min3_f16"),         entry<Max3>("v_max3_f16"),
      entry<Med3>("v_med3_f16"),
  };
  for (auto& one : keeping) {
    one.rest = VectorEntry::Rest::kept;
    one.accumulates = one.name == "v_mac_f16";
  }
  entries.insert(entries.end(), keeping.begin(), keeping.end());
  return entries;
}

// Each is computed in float, or in double, and rounded again; the hardware's last bit is not known.
std::vector<VectorEntry> half_special_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](Half a) { return to_half(reciprocal(to_float(a))); }, "v_rcp_f16"),
      vector_entry(
          [](Half a) {
            const float x = to_float(a);
            return to_half(result_of(__builtin_sqrtf(x), x, x));
          },
          "v_sqrt_f16"),
      vector_entry(
          [](Half a) {
            const double x = to_double(a);
            return to_half(result_of(1.0 / __builtin_sqrt(x), x, x));
          },
          "v_rsq_f16"),
      vector_entry([](Half a) { return to_half(logarithm(to_float(a))); }, "v_log_f16"),
      vector_entry([](Half a) { return to_half(exponential(to_float(a))); }, "v_exp_f16"),
      vector_entry([](Half a) { return to_half(turn_sine(to_float(a))); }, "v_sin_f16"),
      vector_entry([](Half a) { return to_half(turn_cosine(to_float(a))); }, "v_cos_f16"),
  };
  for (auto& one : entries) one.approximate = true;
  return entries;
}

}  // namespace rpl::emu
