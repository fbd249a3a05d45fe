// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/device/execute/matrix_reference.h"

/// The kernels of matrix.hip and what each of them multiplies.
namespace rpl::emu::matrix {

inline std::vector<Case> common_cases() {
  constexpr auto f32 = Number::f32, f16 = Number::f16, bf16 = Number::bf16, i8 = Number::i8,
                 f64 = Number::f64;
  return {
      {"f32_32x32x1_2b_f32", 32, 32, 1, 2, f32, f32},
      {"f32_16x16x1_4b_f32", 16, 16, 1, 4, f32, f32},
      {"f32_4x4x1_16b_f32", 4, 4, 1, 16, f32, f32},
      {"f32_32x32x2_f32", 32, 32, 2, 1, f32, f32},
      {"f32_16x16x4_f32", 16, 16, 4, 1, f32, f32},
      {"f32_32x32x4_2b_f16", 32, 32, 4, 2, f16, f16},
      {"f32_16x16x4_4b_f16", 16, 16, 4, 4, f16, f16},
      {"f32_4x4x4_16b_f16", 4, 4, 4, 16, f16, f16},
      {"f32_32x32x8_f16", 32, 32, 8, 1, f16, f16},
      {"f32_16x16x16_f16", 16, 16, 16, 1, f16, f16},
      {"f32_32x32x4_2b_bf16", 32, 32, 4, 2, bf16, bf16},
      {"f32_16x16x4_4b_bf16", 16, 16, 4, 4, bf16, bf16},
      {"f32_4x4x4_16b_bf16", 4, 4, 4, 16, bf16, bf16},
      {"f32_32x32x8_bf16", 32, 32, 8, 1, bf16, bf16},
      {"f32_16x16x16_bf16", 16, 16, 16, 1, bf16, bf16},
      {"i32_32x32x4_2b_i8", 32, 32, 4, 2, i8, i8},
      {"i32_16x16x4_4b_i8", 16, 16, 4, 4, i8, i8},
      {"i32_4x4x4_16b_i8", 4, 4, 4, 16, i8, i8},
      {"f64_16x16x4_f64", 16, 16, 4, 1, f64, f64},
      {"f64_4x4x4_4b_f64", 4, 4, 4, 4, f64, f64},
      {"f32_32x32x1_2b_f32_110", 32, 32, 1, 2, f32, f32, false, 1, 1, 0},
      {"f32_32x32x1_2b_f32_001", 32, 32, 1, 2, f32, f32, false, 0, 0, 1},
      {"f32_16x16x1_4b_f32_112", 16, 16, 1, 4, f32, f32, false, 1, 1, 2},
      {"f32_16x16x1_4b_f32_233", 16, 16, 1, 4, f32, f32, false, 2, 3, 3},
      {"f32_4x4x1_16b_f32_214", 4, 4, 1, 16, f32, f32, false, 2, 1, 4},
      {"f32_4x4x1_16b_f32_475", 4, 4, 1, 16, f32, f32, false, 4, 7, 5},
      {"f32_32x32x8_f16_006", 32, 32, 8, 1, f16, f16, false, 0, 0, 6},
      {"i32_16x16x4_4b_i8_207", 16, 16, 4, 4, i8, i8, false, 2, 0, 7},
      {"f64_16x16x4_f64_001", 16, 16, 4, 1, f64, f64, false, 0, 0, 1},
      {"f64_16x16x4_f64_006", 16, 16, 4, 1, f64, f64, false, 0, 0, 6},
      {"f64_4x4x4_4b_f64_007", 4, 4, 4, 4, f64, f64, false, 0, 0, 7},
      {"accumulation_a", 16, 16, 16, 1, f16, f16},
      {"accumulation_all", 16, 16, 16, 1, f16, f16},
      {"few_lanes", 16, 16, 16, 1, f16, f16},
  };
}

inline std::vector<Case> gfx90a_cases() {
  constexpr auto bf16 = Number::bf16, i8 = Number::i8;
  return {
      {"f32_32x32x2_2b_bf16", 32, 32, 2, 2, bf16, bf16},
      {"f32_16x16x2_4b_bf16", 16, 16, 2, 4, bf16, bf16},
      {"f32_4x4x2_16b_bf16", 4, 4, 2, 16, bf16, bf16},
      {"f32_32x32x4_bf16", 32, 32, 4, 1, bf16, bf16},
      {"f32_16x16x8_bf16", 16, 16, 8, 1, bf16, bf16},
      {"i32_32x32x8_i8", 32, 32, 8, 1, i8, i8},
      {"i32_16x16x16_i8", 16, 16, 16, 1, i8, i8},
  };
}

inline std::vector<Case> gfx942_cases() {
  constexpr auto i8 = Number::i8, xf32 = Number::xf32, f16 = Number::f16, bf16 = Number::bf16,
                 fp8 = Number::fp8, bf8 = Number::bf8;
  return {
      {"i32_32x32x16_i8", 32, 32, 16, 1, i8, i8},
      {"i32_16x16x32_i8", 16, 16, 32, 1, i8, i8},
      {"f32_16x16x8_xf32", 16, 16, 8, 1, xf32, xf32},
      {"f32_32x32x4_xf32", 32, 32, 4, 1, xf32, xf32},
      {"f32_16x16x32_bf8_bf8", 16, 16, 32, 1, bf8, bf8},
      {"f32_16x16x32_bf8_fp8", 16, 16, 32, 1, bf8, fp8},
      {"f32_16x16x32_fp8_bf8", 16, 16, 32, 1, fp8, bf8},
      {"f32_16x16x32_fp8_fp8", 16, 16, 32, 1, fp8, fp8},
      {"f32_32x32x16_bf8_bf8", 32, 32, 16, 1, bf8, bf8},
      {"f32_32x32x16_bf8_fp8", 32, 32, 16, 1, bf8, fp8},
      {"f32_32x32x16_fp8_bf8", 32, 32, 16, 1, fp8, bf8},
      {"f32_32x32x16_fp8_fp8", 32, 32, 16, 1, fp8, fp8},
      {"smfmac_f32_16x16x32_f16_00", 16, 16, 32, 1, f16, f16, true, 0, 0},
      {"smfmac_f32_16x16x32_f16_03", 16, 16, 32, 1, f16, f16, true, 0, 3},
      {"smfmac_f32_16x16x32_f16_12", 16, 16, 32, 1, f16, f16, true, 1, 2},
      {"smfmac_f32_32x32x16_f16_01", 32, 32, 16, 1, f16, f16, true, 0, 1},
      {"smfmac_f32_16x16x32_bf16_02", 16, 16, 32, 1, bf16, bf16, true, 0, 2},
      {"smfmac_f32_32x32x16_bf16_00", 32, 32, 16, 1, bf16, bf16, true, 0, 0},
      {"smfmac_i32_16x16x64_i8_00", 16, 16, 64, 1, i8, i8, true, 0, 0},
      {"smfmac_i32_16x16x64_i8_01", 16, 16, 64, 1, i8, i8, true, 0, 1},
      {"smfmac_i32_32x32x32_i8_01", 32, 32, 32, 1, i8, i8, true, 0, 1},
      {"smfmac_f32_16x16x64_bf8_bf8_00", 16, 16, 64, 1, bf8, bf8, true, 0, 0},
      {"smfmac_f32_16x16x64_bf8_fp8_01", 16, 16, 64, 1, bf8, fp8, true, 0, 1},
      {"smfmac_f32_16x16x64_fp8_bf8_00", 16, 16, 64, 1, fp8, bf8, true, 0, 0},
      {"smfmac_f32_16x16x64_fp8_fp8_11", 16, 16, 64, 1, fp8, fp8, true, 1, 1},
      {"smfmac_f32_32x32x32_bf8_bf8_00", 32, 32, 32, 1, bf8, bf8, true, 0, 0},
      {"smfmac_f32_32x32x32_bf8_fp8_01", 32, 32, 32, 1, bf8, fp8, true, 0, 1},
      {"smfmac_f32_32x32x32_fp8_bf8_00", 32, 32, 32, 1, fp8, bf8, true, 0, 0},
      {"smfmac_f32_32x32x32_fp8_fp8_01", 32, 32, 32, 1, fp8, fp8, true, 0, 1},
  };
}

inline std::vector<Case> cases_of(const std::string& architecture) {
  auto all = common_cases();
  const auto more = architecture == "gfx90a" ? gfx90a_cases() : gfx942_cases();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace rpl::emu::matrix
