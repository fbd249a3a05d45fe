// SPDX-License-Identifier: MIT
#include <cmath>

#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/float_math.h"

namespace rpl::emu {
namespace {

/// The product is rounded before the sum is.
[[gnu::always_inline]] inline float unfused(float a, float b, float c) {
  const float x = without_denormal(a), y = without_denormal(b), z = without_denormal(c);
  return without_denormal(result_of(without_denormal(x * y) + z, x, y, z));
}
/// Zero times anything is zero.
[[gnu::always_inline]] inline float legacy_sum(float a, float b, float c) {
  const float x = without_denormal(a), y = without_denormal(b);
  return x == 0.0f || y == 0.0f ? unfused(0.0f, 0.0f, c) : unfused(x, y, c);
}

/// What minimum() and maximum() give where no source is a NaN, else a NaN.
[[gnu::always_inline]] inline float smaller_or_nan(float a, float b) {
  const float zeros =
      std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) | std::bit_cast<std::uint32_t>(b));
  return __builtin_isunordered(a, b) ? kNan<float> : a == b ? zeros : (a < b ? a : b);
}
[[gnu::always_inline]] inline float larger_or_nan(float a, float b) {
  const float zeros =
      std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & std::bit_cast<std::uint32_t>(b));
  return __builtin_isunordered(a, b) ? kNan<float> : a == b ? zeros : (a > b ? a : b);
}

template <float (*kFunction)(float)>
[[gnu::always_inline]] inline float flushed(float a) {
  return without_denormal(kFunction(without_denormal(a)));
}
template <class T>
[[gnu::always_inline]] inline T root(T a) {
  return result_of(
      sizeof(T) == 8 ? T(__builtin_sqrt(a)) : T(__builtin_sqrtf(static_cast<float>(a))), a, a);
}
template <class T>
[[gnu::always_inline]] inline T root_reciprocal(T a) {
  return result_of(T(1) / root(a), a, a);
}

LaneFunction without_ieee(std::string_view name) {
  if (name == "v_min_f32")
    return lane_function<[](float a, float b) { return minimum<false>(a, b); }>();
  if (name == "v_max_f32")
    return lane_function<[](float a, float b) { return maximum<false>(a, b); }>();
  if (name == "v_min_f64")
    return lane_function<[](double a, double b) { return minimum<false>(a, b); }>();
  if (name == "v_max_f64")
    return lane_function<[](double a, double b) { return maximum<false>(a, b); }>();
  if (name == "v_min3_f32") {
    return lane_function<[](float a, float b, float c) {
      return minimum<false>(minimum<false>(a, b), c);
    }>();
  }
  if (name == "v_max3_f32") {
    return lane_function<[](float a, float b, float c) {
      return maximum<false>(maximum<false>(a, b), c);
    }>();
  }
  if (name == "v_med3_f32")
    return lane_function<[](float a, float b, float c) { return median<false>(a, b, c); }>();
  return nullptr;
}

}  // namespace

// Sub is not the sum with a negated source: NaN payloads would differ in sign.
std::vector<VectorEntry> float_entries() {
  std::vector<VectorEntry> entries = {
      checked_entry(
          QuickAdd{}, [](float a, float b) { return result_of(a + b, a, b); }, "v_add_f32"),
      checked_entry(
          QuickSub{}, [](float a, float b) { return result_of(a - b, a, b); }, "v_sub_f32"),
      checked_entry(
          QuickSubReversed{}, [](float a, float b) { return result_of(b - a, b, a); },
          "v_subrev_f32"),
      checked_entry(
          QuickMul{}, [](float a, float b) { return result_of(a * b, a, b); }, "v_mul_f32"),
      vector_entry(
          [](float a, float b) { return a == 0.0f || b == 0.0f ? 0.0f : result_of(a * b, a, b); },
          "v_mul_legacy_f32"),
      vector_entry([](float a, float b, float c) { return legacy_sum(a, b, c); },
                   "v_mad_legacy_f32"),
      checked_entry([](float a, float b) { return smaller_or_nan(a, b); },
                    [](float a, float b) { return minimum(a, b); }, "v_min_f32"),
      checked_entry([](float a, float b) { return larger_or_nan(a, b); },
                    [](float a, float b) { return maximum(a, b); }, "v_max_f32"),
      checked_entry(
          QuickFma{},
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fma_f32"),
      checked_entry(
          QuickFma{},
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fmac_f32"),
      checked_entry(
          QuickFma{},
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fmamk_f32"),
      checked_entry(
          QuickFma{},
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fmaak_f32"),
      vector_entry([](float a, float b, float c) { return unfused(a, b, c); }, "v_mad_f32"),
      vector_entry([](float a, float b, float c) { return unfused(a, b, c); }, "v_mac_f32"),
      vector_entry([](float a, float b, float c) { return unfused(a, b, c); }, "v_madmk_f32"),
      vector_entry([](float a, float b, float c) { return unfused(a, b, c); }, "v_madak_f32"),
      vector_entry([](float a, float b, float c) { return minimum(minimum(a, b), c); },
                   "v_min3_f32"),
      vector_entry([](float a, float b, float c) { return maximum(maximum(a, b), c); },
                   "v_max3_f32"),
      vector_entry([](float a, float b, float c) { return median(a, b, c); }, "v_med3_f32"),
      vector_entry([](float a) { return quieted(__builtin_truncf(a)); }, "v_trunc_f32"),
      vector_entry([](float a) { return quieted(__builtin_floorf(a)); }, "v_floor_f32"),
      vector_entry([](float a) { return quieted(__builtin_ceilf(a)); }, "v_ceil_f32"),
      vector_entry([](float a) { return quieted(__builtin_rintf(a)); }, "v_rndne_f32"),
      vector_entry([](float a) { return fraction(a); }, "v_fract_f32"),
      vector_entry([](std::uint32_t a) { return static_cast<float>(a); }, "v_cvt_f32_u32"),
      vector_entry([](std::int32_t a) { return static_cast<float>(a); }, "v_cvt_f32_i32"),
      vector_entry([](float a) { return to_unsigned(a); }, "v_cvt_u32_f32"),
      vector_entry([](float a) { return to_signed(a); }, "v_cvt_i32_f32"),
      vector_entry([](std::uint32_t a) { return static_cast<float>(a & 0xff); },
                   "v_cvt_f32_ubyte0"),
      vector_entry([](std::uint32_t a) { return static_cast<float>(a >> 8 & 0xff); },
                   "v_cvt_f32_ubyte1"),
      vector_entry([](std::uint32_t a) { return static_cast<float>(a >> 16 & 0xff); },
                   "v_cvt_f32_ubyte2"),
      vector_entry([](std::uint32_t a) { return static_cast<float>(a >> 24 & 0xff); },
                   "v_cvt_f32_ubyte3"),
      vector_entry([](Half a) { return quieted(to_float(a)); }, "v_cvt_f32_f16"),
  };
  for (auto& entry : entries) {
    entry.accumulates = entry.name == "v_fmac_f32" || entry.name == "v_mac_f32";
    entry.no_ieee = without_ieee(entry.name);
    entry.fixed_rounding = entry.name == "v_rndne_f32";
  }
  return entries;
}

std::vector<VectorEntry> double_entries() {
  std::vector<VectorEntry> entries = {
      checked_entry([](double a, double b) { return a + b; },
                    [](double a, double b) { return result_of(a + b, a, b); }, "v_add_f64"),
      checked_entry([](double a, double b) { return a * b; },
                    [](double a, double b) { return result_of(a * b, a, b); }, "v_mul_f64"),
      vector_entry([](double a, double b) { return minimum(a, b); }, "v_min_f64"),
      vector_entry([](double a, double b) { return maximum(a, b); }, "v_max_f64"),
      checked_entry(
          [](double a, double b, double c) { return __builtin_fma(a, b, c); },
          [](double a, double b, double c) { return result_of(__builtin_fma(a, b, c), a, b, c); },
          "v_fma_f64"),
      checked_entry(
          [](double a, double b, double c) { return __builtin_fma(a, b, c); },
          [](double a, double b, double c) { return result_of(__builtin_fma(a, b, c), a, b, c); },
          "v_fmac_f64"),
      vector_entry([](double a) { return quieted(__builtin_trunc(a)); }, "v_trunc_f64"),
      vector_entry([](double a) { return quieted(__builtin_floor(a)); }, "v_floor_f64"),
      vector_entry([](double a) { return quieted(__builtin_ceil(a)); }, "v_ceil_f64"),
      vector_entry([](double a) { return quieted(__builtin_rint(a)); }, "v_rndne_f64"),
      vector_entry([](double a) { return fraction(a); }, "v_fract_f64"),
      vector_entry([](double a) { return quieted(static_cast<float>(a)); }, "v_cvt_f32_f64"),
      vector_entry([](float a) { return quieted(static_cast<double>(a)); }, "v_cvt_f64_f32"),
      vector_entry([](std::int32_t a) { return static_cast<double>(a); }, "v_cvt_f64_i32"),
      vector_entry([](std::uint32_t a) { return static_cast<double>(a); }, "v_cvt_f64_u32"),
      vector_entry([](double a) { return to_signed(a); }, "v_cvt_i32_f64"),
      vector_entry([](double a) { return to_unsigned(a); }, "v_cvt_u32_f64"),
      vector_entry([](double a, std::int32_t b) { return scaled(a, b); }, "v_ldexp_f64"),
  };
  for (auto& entry : entries) {
    entry.accumulates = entry.name == "v_fmac_f64";
    entry.no_ieee = without_ieee(entry.name);
    entry.fixed_rounding = entry.name == "v_rndne_f64";
  }
  return entries;
}

std::vector<VectorEntry> float_special_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](float a) { return flushed<reciprocal<float>>(a); }, "v_rcp_f32"),
      vector_entry([](float a) { return flushed<reciprocal<float>>(a); }, "v_rcp_iflag_f32"),
      vector_entry([](double a) { return reciprocal(a); }, "v_rcp_f64"),
      vector_entry([](float a) { return flushed<root_reciprocal<float>>(a); }, "v_rsq_f32"),
      vector_entry([](double a) { return root_reciprocal(a); }, "v_rsq_f64"),
      vector_entry([](float a) { return flushed<root<float>>(a); }, "v_sqrt_f32"),
      vector_entry([](double a) { return root(a); }, "v_sqrt_f64"),
      vector_entry([](float a) { return flushed<exponential>(a); }, "v_exp_f32"),
      vector_entry([](float a) { return flushed<logarithm>(a); }, "v_log_f32"),
      vector_entry([](float a) { return flushed<exponential>(a); }, "v_exp_legacy_f32"),
      vector_entry([](float a) { return flushed<logarithm>(a); }, "v_log_legacy_f32"),
      vector_entry([](float a) { return turn_sine(a); }, "v_sin_f32"),
      vector_entry([](float a) { return turn_cosine(a); }, "v_cos_f32"),
  };
  for (auto& entry : entries) entry.approximate = true;
  const std::vector<VectorEntry> exact = {
      vector_entry([](float a, std::int32_t b) { return scaled(a, b); }, "v_ldexp_f32"),
      vector_entry([](float a) { return mantissa(a); }, "v_frexp_mant_f32"),
      vector_entry([](float a) { return exponent(a); }, "v_frexp_exp_i32_f32"),
      vector_entry([](double a) { return mantissa(a); }, "v_frexp_mant_f64"),
      vector_entry([](double a) { return exponent(a); }, "v_frexp_exp_i32_f64"),
      vector_entry([](float a, float b, float c) { return division_fixup(a, b, c); },
                   "v_div_fixup_f32"),
      vector_entry([](double a, double b, double c) { return division_fixup(a, b, c); },
                   "v_div_fixup_f64"),
      carry_entry([](float a, float b, float c) { return division_scale(a, b, c).value; },
                  [](float a, float b, float c) { return division_scale(a, b, c).flag; },
                  "v_div_scale_f32"),
      carry_entry([](double a, double b, double c) { return division_scale(a, b, c).value; },
                  [](double a, double b, double c) { return division_scale(a, b, c).flag; },
                  "v_div_scale_f64"),
  };
  entries.insert(entries.end(), exact.begin(), exact.end());
  return entries;
}

}  // namespace rpl::emu
