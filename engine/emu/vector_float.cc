// SPDX-License-Identifier: MIT
#include <cmath>

#include "engine/emu/float_math.h"
#include "engine/emu/vector_table.h"

namespace rpl::emu {

// Sub is not the sum with a negated source: NaN payloads would differ in sign.
std::vector<VectorEntry> float_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](float a, float b) { return result_of(a + b, a, b); }, "v_add_f32"),
      vector_entry([](float a, float b) { return result_of(a - b, a, b); }, "v_sub_f32"),
      vector_entry([](float a, float b) { return result_of(b - a, b, a); }, "v_subrev_f32"),
      vector_entry([](float a, float b) { return result_of(a * b, a, b); }, "v_mul_f32"),
      vector_entry(
          [](float a, float b) { return a == 0.0f || b == 0.0f ? 0.0f : result_of(a * b, a, b); },
          "v_mul_legacy_f32"),
      vector_entry([](float a, float b) { return minimum(a, b); }, "v_min_f32"),
      vector_entry([](float a, float b) { return maximum(a, b); }, "v_max_f32"),
      vector_entry(
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fma_f32"),
      vector_entry(
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fmac_f32"),
      vector_entry(
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fmamk_f32"),
      vector_entry(
          [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); },
          "v_fmaak_f32"),
      vector_entry([](float a, float b, float c) { return result_of(a * b + c, a, b, c); },
                   "v_mad_f32"),
      vector_entry([](float a, float b, float c) { return result_of(a * b + c, a, b, c); },
                   "v_mac_f32"),
      vector_entry([](float a, float b, float c) { return result_of(a * b + c, a, b, c); },
                   "v_madmk_f32"),
      vector_entry([](float a, float b, float c) { return result_of(a * b + c, a, b, c); },
                   "v_madak_f32"),
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
      vector_entry([](float a) { return to_half(a); }, "v_cvt_f16_f32"),
  };
  for (auto& entry : entries) {
    entry.accumulates = entry.name == "v_fmac_f32" || entry.name == "v_mac_f32";
  }
  return entries;
}

std::vector<VectorEntry> double_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](double a, double b) { return result_of(a + b, a, b); }, "v_add_f64"),
      vector_entry([](double a, double b) { return result_of(a * b, a, b); }, "v_mul_f64"),
      vector_entry([](double a, double b) { return minimum(a, b); }, "v_min_f64"),
      vector_entry([](double a, double b) { return maximum(a, b); }, "v_max_f64"),
      vector_entry(
          [](double a, double b, double c) { return result_of(__builtin_fma(a, b, c), a, b, c); },
          "v_fma_f64"),
      vector_entry(
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
  for (auto& entry : entries) entry.accumulates = entry.name == "v_fmac_f64";
  return entries;
}

std::vector<VectorEntry> float_special_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](float a) { return reciprocal(a); }, "v_rcp_f32"),
      vector_entry([](float a) { return reciprocal(a); }, "v_rcp_iflag_f32"),
      vector_entry([](double a) { return reciprocal(a); }, "v_rcp_f64"),
      vector_entry([](float a) { return 1.0f / __builtin_sqrtf(a); }, "v_rsq_f32"),
      vector_entry([](double a) { return 1.0 / __builtin_sqrt(a); }, "v_rsq_f64"),
      vector_entry([](float a) { return __builtin_sqrtf(a); }, "v_sqrt_f32"),
      vector_entry([](double a) { return __builtin_sqrt(a); }, "v_sqrt_f64"),
      vector_entry([](float a) { return exponential(a); }, "v_exp_f32"),
      vector_entry([](float a) { return logarithm(a); }, "v_log_f32"),
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
