/* SPDX-License-Identifier: MIT */
/* Eight-bit floats for programs: storage types, conversions and classes by the names that AMD documents for HIP 6.3 and later. Conversions are computed,
 * with the same results on the host and on every device; device instructions are not used for them. Works with other HIP headers before it as well. */
#pragma once

#include <hip/detail/float8.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <stdint.h>

/* Which formats the hardware that is compiled for has; the host has both. */
#if !defined(__HIP_DEVICE_COMPILE__) || !__HIP_DEVICE_COMPILE__
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 1
#elif defined(__gfx942__)
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 0
#elif defined(__gfx950__) || defined(__gfx1200__) || defined(__gfx1201__)
#define HIP_FP8_TYPE_FNUZ 0
#define HIP_FP8_TYPE_OCP 1
#else
#define HIP_FP8_TYPE_FNUZ 0
#define HIP_FP8_TYPE_OCP 0
#endif
#define HIP_FP8_CVT_FAST_PATH 0

typedef uint8_t __hip_fp8_storage_t;
typedef uint16_t __hip_fp8x2_storage_t;
typedef uint32_t __hip_fp8x4_storage_t;

enum __hip_fp8_interpretation_t { __HIP_E4M3 = 0, __HIP_E5M2 = 1, __HIP_E4M3_FNUZ = 2, __HIP_E5M2_FNUZ = 3 };
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };

#if defined(__cplusplus)

RPL_HIP_FLOAT8 __hip_fp8_storage_t __hip_cvt_double_to_fp8(const double x, const __hip_saturation_t saturation,
                                                           const __hip_fp8_interpretation_t type) {
  return rpl_hip_float8_encode(x, saturation == __HIP_SATFINITE, type);
}
RPL_HIP_FLOAT8 __hip_fp8_storage_t __hip_cvt_float_to_fp8(const float x, const __hip_saturation_t saturation,
                                                          const __hip_fp8_interpretation_t type) {
  return __hip_cvt_double_to_fp8(x, saturation, type);
}
RPL_HIP_FLOAT8 __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(const double2 x, const __hip_saturation_t saturation,
                                                                const __hip_fp8_interpretation_t type) {
  return static_cast<__hip_fp8x2_storage_t>(__hip_cvt_double_to_fp8(x.x, saturation, type) | __hip_cvt_double_to_fp8(x.y, saturation, type) << 8);
}
RPL_HIP_FLOAT8 __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(const float2 x, const __hip_saturation_t saturation,
                                                               const __hip_fp8_interpretation_t type) {
  return static_cast<__hip_fp8x2_storage_t>(__hip_cvt_float_to_fp8(x.x, saturation, type) | __hip_cvt_float_to_fp8(x.y, saturation, type) << 8);
}

/* Halves and bfloat16 as bits. */
RPL_HIP_FLOAT8 float rpl_hip_float_of_half_bits(uint16_t bits) {
  _Float16 half;
  __builtin_memcpy(&half, &bits, sizeof(half));
  return static_cast<float>(half);
}
RPL_HIP_FLOAT8 uint16_t rpl_hip_half_bits_of_float(float x) {
  const _Float16 half = static_cast<_Float16>(x);
  uint16_t bits;
  __builtin_memcpy(&bits, &half, sizeof(bits));
  return bits;
}
RPL_HIP_FLOAT8 uint16_t rpl_hip_half_bits(const __half_raw x) {
  uint16_t bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}
RPL_HIP_FLOAT8 __half_raw rpl_hip_half_raw(uint16_t bits) {
  __half_raw out;
  __builtin_memcpy(&out, &bits, sizeof(bits));
  return out;
}
RPL_HIP_FLOAT8 __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(const __half_raw x, const __hip_saturation_t saturation,
                                                            const __hip_fp8_interpretation_t type) {
  return __hip_cvt_float_to_fp8(rpl_hip_float_of_half_bits(rpl_hip_half_bits(x)), saturation, type);
}
RPL_HIP_FLOAT8 __half_raw __hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t x, const __hip_fp8_interpretation_t type) {
  return rpl_hip_half_raw(rpl_hip_half_bits_of_float(rpl_hip_float8_decode(x, type)));
}

/** One number of a format. */
template <__hip_fp8_interpretation_t kType>
struct rpl_hip_fp8 {
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
  static constexpr __hip_fp8_interpretation_t __default_interpret = kType;
  static constexpr unsigned int __we = kType == __HIP_E4M3 || kType == __HIP_E4M3_FNUZ ? 4 : 5;
  static constexpr unsigned int __wm = 7 - __we;
  __hip_fp8_storage_t __x;

  rpl_hip_fp8() = default;
  RPL_HIP_FLOAT8 rpl_hip_fp8(const double x) : __x(__hip_cvt_double_to_fp8(x, __default_saturation, kType)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const float x) : __x(__hip_cvt_float_to_fp8(x, __default_saturation, kType)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const __half x) : rpl_hip_fp8(static_cast<float>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const __hip_bfloat16 x) : rpl_hip_fp8(__bfloat162float(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const int x) : rpl_hip_fp8(static_cast<double>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const unsigned int x) : rpl_hip_fp8(static_cast<double>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const short x) : rpl_hip_fp8(static_cast<double>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const unsigned short x) : rpl_hip_fp8(static_cast<double>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const long x) : rpl_hip_fp8(static_cast<double>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const unsigned long x) : rpl_hip_fp8(static_cast<double>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const long long x) : rpl_hip_fp8(static_cast<double>(x)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8(const unsigned long long x) : rpl_hip_fp8(static_cast<double>(x)) {}

  RPL_HIP_FLOAT8 operator float() const { return rpl_hip_float8_decode(__x, kType); }
  RPL_HIP_FLOAT8 operator __half() const { return __half(__hip_cvt_fp8_to_halfraw(__x, kType)); }
  RPL_HIP_FLOAT8 operator __hip_bfloat16() const { return __float2bfloat16(rpl_hip_float8_decode(__x, kType)); }
  RPL_HIP_FLOAT8 explicit operator double() const { return rpl_hip_float8_decode(__x, kType); }
  RPL_HIP_FLOAT8 explicit operator bool() const { return rpl_hip_float8_decode(__x, kType) != 0; }
  /* Integers toward zero, clamped; no number is 0. */
  template <class T, T kLeast, T kMost>
  RPL_HIP_FLOAT8 T whole() const {
    const float value = rpl_hip_float8_decode(__x, kType);
    if (!(value == value)) return 0;
    if (value <= static_cast<float>(kLeast)) return kLeast;
    return value >= static_cast<float>(kMost) ? kMost : static_cast<T>(value);
  }
  RPL_HIP_FLOAT8 explicit operator char() const { return whole<char, static_cast<char>(-128), 127>(); }
  RPL_HIP_FLOAT8 explicit operator signed char() const { return whole<signed char, -128, 127>(); }
  RPL_HIP_FLOAT8 explicit operator unsigned char() const { return whole<unsigned char, 0, 255>(); }
  RPL_HIP_FLOAT8 explicit operator short() const { return whole<short, -32768, 32767>(); }
  RPL_HIP_FLOAT8 explicit operator unsigned short() const { return whole<unsigned short, 0, 65535>(); }
  RPL_HIP_FLOAT8 explicit operator int() const { return whole<int, -2147483647 - 1, 2147483647>(); }
  RPL_HIP_FLOAT8 explicit operator unsigned int() const { return whole<unsigned int, 0, 4294967295u>(); }
  RPL_HIP_FLOAT8 explicit operator long() const { return whole<long, -9223372036854775807l - 1, 9223372036854775807l>(); }
  RPL_HIP_FLOAT8 explicit operator unsigned long() const { return whole<unsigned long, 0, 18446744073709551615ul>(); }
  RPL_HIP_FLOAT8 explicit operator long long() const { return whole<long long, -9223372036854775807ll - 1, 9223372036854775807ll>(); }
  RPL_HIP_FLOAT8 explicit operator unsigned long long() const { return whole<unsigned long long, 0, 18446744073709551615ull>(); }
};

/** Two of them, the first in the low byte. */
template <__hip_fp8_interpretation_t kType>
struct rpl_hip_fp8x2 {
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
  static constexpr __hip_fp8_interpretation_t __default_interpret = kType;
  __hip_fp8x2_storage_t __x;

  rpl_hip_fp8x2() = default;
  RPL_HIP_FLOAT8 rpl_hip_fp8x2(const double2 x) : __x(__hip_cvt_double2_to_fp8x2(x, __default_saturation, kType)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8x2(const float2 x) : __x(__hip_cvt_float2_to_fp8x2(x, __default_saturation, kType)) {}
  RPL_HIP_FLOAT8 rpl_hip_fp8x2(const __half2 x) : rpl_hip_fp8x2(make_float2(__low2float(x), __high2float(x))) {}

  RPL_HIP_FLOAT8 operator float2() const {
    return make_float2(rpl_hip_float8_decode(static_cast<__hip_fp8_storage_t>(__x & 0xff), kType),
                       rpl_hip_float8_decode(static_cast<__hip_fp8_storage_t>(__x >> 8), kType));
  }
  RPL_HIP_FLOAT8 operator __half2() const {
    const float2 both = *this;
    return __floats2half2_rn(both.x, both.y);
  }
};

/** Four of them, the first in the lowest byte. */
template <__hip_fp8_interpretation_t kType>
struct rpl_hip_fp8x4 {
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
  static constexpr __hip_fp8_interpretation_t __default_interpret = kType;
  __hip_fp8x4_storage_t __x;

  rpl_hip_fp8x4() = default;
  RPL_HIP_FLOAT8 rpl_hip_fp8x4(const double4 x) { set(make_double2(x.x, x.y), make_double2(x.z, x.w)); }
  RPL_HIP_FLOAT8 rpl_hip_fp8x4(const float4 x) { set(make_double2(x.x, x.y), make_double2(x.z, x.w)); }
  RPL_HIP_FLOAT8 rpl_hip_fp8x4(const __half2 low, const __half2 high) {
    set(make_double2(__low2float(low), __high2float(low)), make_double2(__low2float(high), __high2float(high)));
  }

  RPL_HIP_FLOAT8 operator float4() const {
    float values[4];
    for (int i = 0; i < 4; ++i) values[i] = rpl_hip_float8_decode(static_cast<__hip_fp8_storage_t>(__x >> (8 * i) & 0xff), kType);
    return make_float4(values[0], values[1], values[2], values[3]);
  }

 private:
  RPL_HIP_FLOAT8 void set(const double2 low, const double2 high) {
    __x = static_cast<__hip_fp8x4_storage_t>(__hip_cvt_double2_to_fp8x2(low, __default_saturation, kType)) |
          static_cast<__hip_fp8x4_storage_t>(__hip_cvt_double2_to_fp8x2(high, __default_saturation, kType)) << 16;
  }
};

RPL_HIP_FLOAT8 __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(const __half2 x, const __hip_saturation_t saturation,
                                                                 const __hip_fp8_interpretation_t type) {
  return __hip_cvt_float2_to_fp8x2(make_float2(__low2float(x), __high2float(x)), saturation, type);
}

typedef rpl_hip_fp8<__HIP_E4M3> __hip_fp8_e4m3;
typedef rpl_hip_fp8<__HIP_E5M2> __hip_fp8_e5m2;
typedef rpl_hip_fp8<__HIP_E4M3_FNUZ> __hip_fp8_e4m3_fnuz;
typedef rpl_hip_fp8<__HIP_E5M2_FNUZ> __hip_fp8_e5m2_fnuz;
typedef rpl_hip_fp8x2<__HIP_E4M3> __hip_fp8x2_e4m3;
typedef rpl_hip_fp8x2<__HIP_E5M2> __hip_fp8x2_e5m2;
typedef rpl_hip_fp8x2<__HIP_E4M3_FNUZ> __hip_fp8x2_e4m3_fnuz;
typedef rpl_hip_fp8x2<__HIP_E5M2_FNUZ> __hip_fp8x2_e5m2_fnuz;
typedef rpl_hip_fp8x4<__HIP_E4M3> __hip_fp8x4_e4m3;
typedef rpl_hip_fp8x4<__HIP_E5M2> __hip_fp8x4_e5m2;
typedef rpl_hip_fp8x4<__HIP_E4M3_FNUZ> __hip_fp8x4_e4m3_fnuz;
typedef rpl_hip_fp8x4<__HIP_E5M2_FNUZ> __hip_fp8x4_e5m2_fnuz;

#endif
