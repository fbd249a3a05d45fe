// SPDX-License-Identifier: MIT
// Eight-bit floats on host and device: all codes there and back, and the rounding of numbers between them against a search through all codes.
#include <hip/hip_fp8.h>

#include <cmath>
#include <cstdio>

#include "check.h"

constexpr int kTypes = 4, kCodes = 256, kTried = 1 << 14;

__host__ __device__ __hip_fp8_interpretation_t type_of(int number) { return static_cast<__hip_fp8_interpretation_t>(number); }

/// Floats around and far beyond what the formats hold.
__host__ __device__ float tried(int i) {
  const int exponent = i % 48 - 28;
  const float value = ldexpf(1.0f + static_cast<float>(i * 2654435761u >> 8 & 0xffff) / 65536.0f, exponent);
  return i & 1 ? -value : value;
}

__global__ void convert(unsigned char* saturated, unsigned char* not_saturated, float* decoded) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int type = 0; type < kTypes; ++type) {
    saturated[type * kTried + i] = __hip_cvt_float_to_fp8(tried(i), __HIP_SATFINITE, type_of(type));
    not_saturated[type * kTried + i] = __hip_cvt_float_to_fp8(tried(i), __HIP_NOSAT, type_of(type));
    if (i < kCodes)
      decoded[type * kCodes + i] = static_cast<float>(__half(__hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(i), type_of(type))));
  }
}

/// By the definition: sign, exponent, mantissa; nothing for infinities and no numbers.
bool value_of(int type, int code, double& value) {
  const int mantissa = type % 2 == 0 ? 3 : 2, bias = (type % 2 == 0 ? 7 : 15) + (type >= 2 ? 1 : 0);
  const int magnitude = code & 0x7f, exponent = magnitude >> mantissa, fraction = magnitude & ((1 << mantissa) - 1);
  if (type >= 2 && code == 0x80) return false;
  if (type == 0 && magnitude == 0x7f) return false;
  if (type == 1 && exponent == 31) return false;
  const double scale = exponent == 0 ? fraction : (1 << mantissa) + fraction;
  value = std::ldexp(scale, (exponent == 0 ? 1 : exponent) - bias - mantissa) * (code & 0x80 ? -1 : 1);
  return true;
}

/// The nearest of all, of two the one with an even code; `largest` is set when it is beyond the middle of the last two.
int nearest(int type, double wanted, bool& beyond) {
  int best = -1;
  double best_away = 0, most = 0, second = 0;
  for (int code = 0; code < kCodes; ++code) {
    double value = 0;
    if (!value_of(type, code, value)) continue;
    // Without a negative zero the positive one stands for both.
    if (std::signbit(value) != std::signbit(wanted) && !(type >= 2 && value == 0)) continue;
    if (std::fabs(value) > most) { second = most; most = std::fabs(value); }
    const double away = std::fabs(value - wanted);
    if (best < 0 || away < best_away || (away == best_away && code % 2 == 0)) { best = code; best_away = away; }
  }
  const double limit = most + (most - second) / 2;
  // The tie above the largest number rounds to an even code, which is beyond where the largest code is odd.
  beyond = std::fabs(wanted) > limit || (std::fabs(wanted) == limit && best % 2 == 1);
  return best;
}

int main() {
  unsigned char *saturated = nullptr, *not_saturated = nullptr;
  float* decoded = nullptr;
  CHECK(hipMallocManaged(reinterpret_cast<void**>(&saturated), kTypes * kTried));
  CHECK(hipMallocManaged(reinterpret_cast<void**>(&not_saturated), kTypes * kTried));
  CHECK(hipMallocManaged(reinterpret_cast<void**>(&decoded), kTypes * kCodes * sizeof(float)));
  convert<<<kTried / 256, 256>>>(saturated, not_saturated, decoded);
  CHECK(hipDeviceSynchronize());
  int wrong = 0;
  for (int type = 0; type < kTypes; ++type) {
    for (int code = 0; code < kCodes; ++code) {
      double value = 0;
      const bool is_number = value_of(type, code, value);
      const float got = decoded[type * kCodes + code];
      // Halves hold every number of all formats.
      if (is_number ? got != value : std::isfinite(got)) ++wrong;
      if (is_number && __hip_cvt_double_to_fp8(value, __HIP_NOSAT, type_of(type)) != code && !(type >= 2 && value == 0)) ++wrong;
    }
    for (int i = 0; i < kTried; ++i) {
      bool beyond = false;
      const int best = nearest(type, tried(i), beyond), sign = tried(i) < 0 ? 0x80 : 0;
      const int largest = type == 0 ? 0x7e : type == 1 ? 0x7b : 0x7f;
      const int too_large = type == 0 ? sign | 0x7f : type == 1 ? sign | 0x7c : 0x80;
      int expected = beyond ? sign | largest : best, plain = beyond ? too_large : best;
      // Without a negative zero.
      if (type >= 2 && (best & 0x7f) == 0 && !beyond) expected = plain = 0;
      if (saturated[type * kTried + i] != expected || not_saturated[type * kTried + i] != plain) ++wrong;
    }
  }
  const __hip_fp8_e4m3_fnuz one(1.5f);
  const __hip_fp8x2_e5m2_fnuz two(make_float2(-0.5f, 3.0f));
  const __hip_fp8x4_e4m3 four(make_float4(1, 2, 448, 1000));
  const float4 back = four;
  if (static_cast<float>(one) != 1.5f || static_cast<int>(one) != 1 || static_cast<float2>(two).y != 3.0f || back.z != 448 || back.w != 448 ||
      one.__x != __hip_fp8_e4m3_fnuz(1.5).__x)
    ++wrong;
  std::printf(wrong == 0 ? "PASSED\n" : "%d wrong\n", wrong);
  return wrong != 0;
}
