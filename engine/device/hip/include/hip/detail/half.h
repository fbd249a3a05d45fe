/* SPDX-License-Identifier: MIT */
/* One number of 16 bits. Operators take two of them: "half + 1.0f" is ambiguous, as it is in HIP and CUDA. */
#pragma once

#include <hip/hip_common.h>

#define RPL_HIP_HALF __host__ __device__ inline

struct __half_raw {
  unsigned short x;
};

struct __half {
  _Float16 data;

  __half() = default;
  RPL_HIP_HALF constexpr __half(_Float16 x) : data(x) {}
  RPL_HIP_HALF constexpr __half(float x) : data(static_cast<_Float16>(x)) {}
  RPL_HIP_HALF constexpr __half(double x) : data(static_cast<_Float16>(x)) {}
  RPL_HIP_HALF constexpr __half(int x) : data(static_cast<_Float16>(x)) {}
  RPL_HIP_HALF constexpr __half(unsigned x) : data(static_cast<_Float16>(x)) {}
  RPL_HIP_HALF constexpr __half(long long x) : data(static_cast<_Float16>(x)) {}
  RPL_HIP_HALF constexpr __half(unsigned long long x) : data(static_cast<_Float16>(x)) {}
  RPL_HIP_HALF __half(const __half_raw& raw) { __builtin_memcpy(&data, &raw, sizeof(data)); }

  RPL_HIP_HALF constexpr operator float() const { return data; }
  RPL_HIP_HALF operator __half_raw() const {
    __half_raw raw;
    __builtin_memcpy(&raw, &data, sizeof(raw));
    return raw;
  }

  RPL_HIP_HALF __half& operator+=(const __half& b) { return *this = __half(static_cast<_Float16>(data + b.data)); }
  RPL_HIP_HALF __half& operator-=(const __half& b) { return *this = __half(static_cast<_Float16>(data - b.data)); }
  RPL_HIP_HALF __half& operator*=(const __half& b) { return *this = __half(static_cast<_Float16>(data * b.data)); }
  RPL_HIP_HALF __half& operator/=(const __half& b) { return *this = __half(static_cast<_Float16>(data / b.data)); }
};
typedef __half half;

RPL_HIP_HALF __half operator+(const __half& a, const __half& b) { return __half(static_cast<_Float16>(a.data + b.data)); }
RPL_HIP_HALF __half operator-(const __half& a, const __half& b) { return __half(static_cast<_Float16>(a.data - b.data)); }
RPL_HIP_HALF __half operator*(const __half& a, const __half& b) { return __half(static_cast<_Float16>(a.data * b.data)); }
RPL_HIP_HALF __half operator/(const __half& a, const __half& b) { return __half(static_cast<_Float16>(a.data / b.data)); }
RPL_HIP_HALF __half operator-(const __half& a) { return __half(static_cast<_Float16>(-a.data)); }
RPL_HIP_HALF __half operator+(const __half& a) { return a; }
RPL_HIP_HALF bool operator==(const __half& a, const __half& b) { return a.data == b.data; }
RPL_HIP_HALF bool operator!=(const __half& a, const __half& b) { return a.data != b.data; }
RPL_HIP_HALF bool operator<(const __half& a, const __half& b) { return a.data < b.data; }
RPL_HIP_HALF bool operator<=(const __half& a, const __half& b) { return a.data <= b.data; }
RPL_HIP_HALF bool operator>(const __half& a, const __half& b) { return a.data > b.data; }
RPL_HIP_HALF bool operator>=(const __half& a, const __half& b) { return a.data >= b.data; }

// Conversions; to nearest where nothing is said.
RPL_HIP_HALF __half __float2half(float x) { return __half(x); }
RPL_HIP_HALF __half __float2half_rn(float x) { return __half(x); }
RPL_HIP_HALF __half __double2half(double x) { return __half(x); }
RPL_HIP_HALF float __half2float(__half x) { return x.data; }
RPL_HIP_HALF unsigned short __half_as_ushort(__half x) { return static_cast<__half_raw>(x).x; }
RPL_HIP_HALF short __half_as_short(__half x) { return static_cast<short>(static_cast<__half_raw>(x).x); }
RPL_HIP_HALF __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
RPL_HIP_HALF __half __short_as_half(short x) { return __half(__half_raw{static_cast<unsigned short>(x)}); }

#define RPL_HIP_HALF_WHOLE(name, T)                                                                                             \
  __device__ inline T __half2##name##_rz(__half x) { return static_cast<T>(static_cast<float>(x)); }                            \
  __device__ inline T __half2##name##_rn(__half x) { return static_cast<T>(__builtin_rintf(static_cast<float>(x))); }           \
  __device__ inline T __half2##name##_rd(__half x) { return static_cast<T>(__builtin_floorf(static_cast<float>(x))); }          \
  __device__ inline T __half2##name##_ru(__half x) { return static_cast<T>(__builtin_ceilf(static_cast<float>(x))); }           \
  __device__ inline __half __##name##2half_rn(T x) { return __half(static_cast<_Float16>(x)); }
RPL_HIP_HALF_WHOLE(int, int)
RPL_HIP_HALF_WHOLE(uint, unsigned)
RPL_HIP_HALF_WHOLE(short, short)
RPL_HIP_HALF_WHOLE(ushort, unsigned short)
RPL_HIP_HALF_WHOLE(ll, long long)
RPL_HIP_HALF_WHOLE(ull, unsigned long long)
#undef RPL_HIP_HALF_WHOLE

// Arithmetic by name. Clang may fuse a product and a sum that are written apart; __hfma always is fused.
RPL_HIP_HALF __half __hadd(__half a, __half b) { return a + b; }
RPL_HIP_HALF __half __hsub(__half a, __half b) { return a - b; }
RPL_HIP_HALF __half __hmul(__half a, __half b) { return a * b; }
RPL_HIP_HALF __half __hdiv(__half a, __half b) { return a / b; }
RPL_HIP_HALF __half __hneg(__half a) { return -a; }
__device__ inline __half __habs(__half a) { return __half(static_cast<_Float16>(__builtin_fabsf16(a.data))); }
__device__ inline __half __hfma(__half a, __half b, __half c) { return __half(static_cast<_Float16>(__builtin_fmaf16(a.data, b.data, c.data))); }
__device__ inline __half __hmax(__half a, __half b) { return __half(static_cast<_Float16>(__builtin_fmaxf16(a.data, b.data))); }
__device__ inline __half __hmin(__half a, __half b) { return __half(static_cast<_Float16>(__builtin_fminf16(a.data, b.data))); }
__device__ inline __half rpl_hip_saturated(__half a) { return __hmin(__hmax(a, __half(0.0f)), __half(1.0f)); }
__device__ inline __half __hadd_sat(__half a, __half b) { return rpl_hip_saturated(a + b); }
__device__ inline __half __hsub_sat(__half a, __half b) { return rpl_hip_saturated(a - b); }
__device__ inline __half __hmul_sat(__half a, __half b) { return rpl_hip_saturated(a * b); }
__device__ inline __half __hfma_sat(__half a, __half b, __half c) { return rpl_hip_saturated(__hfma(a, b, c)); }

// Comparisons; those with u are also true where one of the two is not a number.
#define RPL_HIP_HALF_COMPARE(name, op)                                                                \
  RPL_HIP_HALF bool __h##name(__half a, __half b) { return a.data op b.data; }                        \
  RPL_HIP_HALF bool __h##name##u(__half a, __half b) { return a.data != a.data || b.data != b.data || a.data op b.data; }
RPL_HIP_HALF_COMPARE(eq, ==)
RPL_HIP_HALF_COMPARE(ne, !=)
RPL_HIP_HALF_COMPARE(lt, <)
RPL_HIP_HALF_COMPARE(le, <=)
RPL_HIP_HALF_COMPARE(gt, >)
RPL_HIP_HALF_COMPARE(ge, >=)
#undef RPL_HIP_HALF_COMPARE
RPL_HIP_HALF bool __hisnan(__half a) { return a.data != a.data; }
/// 1, -1 or 0, as in HIP.
RPL_HIP_HALF int __hisinf(__half a) {
  const unsigned short bits = __half_as_ushort(a);
  return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}

#if defined(__HIP__)
// Of ROCm's device libraries, or one instruction.
#define RPL_HIP_HALF_MATH(name, expression) \
  __device__ inline __half h##name(__half a) { const _Float16 x = a.data; return __half(static_cast<_Float16>(expression)); }
RPL_HIP_HALF_MATH(ceil, __builtin_ceilf16(x))
RPL_HIP_HALF_MATH(floor, __builtin_floorf16(x))
RPL_HIP_HALF_MATH(trunc, __builtin_truncf16(x))
RPL_HIP_HALF_MATH(rint, __builtin_rintf16(x))
RPL_HIP_HALF_MATH(sqrt, __ocml_sqrt_f16(x))
RPL_HIP_HALF_MATH(rsqrt, __ocml_rsqrt_f16(x))
RPL_HIP_HALF_MATH(rcp, static_cast<_Float16>(1) / x)
RPL_HIP_HALF_MATH(sin, __ocml_sin_f16(x))
RPL_HIP_HALF_MATH(cos, __ocml_cos_f16(x))
RPL_HIP_HALF_MATH(exp, __ocml_exp_f16(x))
RPL_HIP_HALF_MATH(exp2, __ocml_exp2_f16(x))
RPL_HIP_HALF_MATH(exp10, __ocml_exp10_f16(x))
RPL_HIP_HALF_MATH(log, __ocml_log_f16(x))
RPL_HIP_HALF_MATH(log2, __ocml_log2_f16(x))
RPL_HIP_HALF_MATH(log10, __ocml_log10_f16(x))
#undef RPL_HIP_HALF_MATH
#endif
