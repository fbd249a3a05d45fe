/* SPDX-License-Identifier: MIT */
/* hip_bfloat16: the upper half of a float. Computed with as float and rounded to nearest even after each operation. */
#pragma once

#include <hip/hip_runtime.h>

#if !defined(__cplusplus)

typedef struct hip_bfloat16 {
  uint16_t data;
} hip_bfloat16;

#else

struct hip_bfloat16 {
  uint16_t data;

  enum truncate_t { truncate };

  hip_bfloat16() = default;
  __host__ __device__ hip_bfloat16(float x) : data(rounded(x)) {}
  __host__ __device__ hip_bfloat16(float x, truncate_t) : data(static_cast<uint16_t>(bits(x) >> 16)) {}

  __host__ __device__ operator float() const {
    const uint32_t wide = uint32_t(data) << 16;
    float out;
    __builtin_memcpy(&out, &wide, sizeof(out));
    return out;
  }
  __host__ __device__ static hip_bfloat16 round_to_bfloat16(float x) { return hip_bfloat16(x); }
  __host__ __device__ static hip_bfloat16 round_to_bfloat16(float x, truncate_t) { return hip_bfloat16(x, truncate); }

  __host__ __device__ hip_bfloat16& operator+=(hip_bfloat16 b) { return *this = hip_bfloat16(float(*this) + float(b)); }
  __host__ __device__ hip_bfloat16& operator-=(hip_bfloat16 b) { return *this = hip_bfloat16(float(*this) - float(b)); }
  __host__ __device__ hip_bfloat16& operator*=(hip_bfloat16 b) { return *this = hip_bfloat16(float(*this) * float(b)); }
  __host__ __device__ hip_bfloat16& operator/=(hip_bfloat16 b) { return *this = hip_bfloat16(float(*this) / float(b)); }

 private:
  __host__ __device__ static uint32_t bits(float x) {
    uint32_t out;
    __builtin_memcpy(&out, &x, sizeof(out));
    return out;
  }
  __host__ __device__ static uint16_t rounded(float x) {
    const uint32_t all = bits(x);
    // No number stays none: rounding its bits could make an infinity of it.
    if ((all & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((all >> 16) | 0x40u);
    return static_cast<uint16_t>((all + 0x7fffu + ((all >> 16) & 1u)) >> 16);
  }
};

__host__ __device__ inline hip_bfloat16 operator+(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) + float(b)); }
__host__ __device__ inline hip_bfloat16 operator-(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) - float(b)); }
__host__ __device__ inline hip_bfloat16 operator*(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) * float(b)); }
__host__ __device__ inline hip_bfloat16 operator/(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) / float(b)); }
__host__ __device__ inline hip_bfloat16 operator-(hip_bfloat16 a) { return hip_bfloat16(-float(a)); }
__host__ __device__ inline bool operator==(hip_bfloat16 a, hip_bfloat16 b) { return float(a) == float(b); }
__host__ __device__ inline bool operator!=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) != float(b); }
__host__ __device__ inline bool operator<(hip_bfloat16 a, hip_bfloat16 b) { return float(a) < float(b); }
__host__ __device__ inline bool operator<=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) <= float(b); }
__host__ __device__ inline bool operator>(hip_bfloat16 a, hip_bfloat16 b) { return float(a) > float(b); }
__host__ __device__ inline bool operator>=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) >= float(b); }

#endif
