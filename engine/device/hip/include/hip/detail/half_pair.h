/* SPDX-License-Identifier: MIT */
/* Two numbers of 16 bits, which one instruction computes with. */
#pragma once

#include <hip/detail/half.h>
#include <hip/hip_vector_types.h>

struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
  RPL_HIP_HALF constexpr __half2(__half both) : x(both), y(both) {}
  RPL_HIP_HALF constexpr __half2(__half x_, __half y_) : x(x_), y(y_) {}
  RPL_HIP_HALF __half2& operator+=(const __half2& b) { return *this = __half2(x + b.x, y + b.y); }
  RPL_HIP_HALF __half2& operator-=(const __half2& b) { return *this = __half2(x - b.x, y - b.y); }
  RPL_HIP_HALF __half2& operator*=(const __half2& b) { return *this = __half2(x * b.x, y * b.y); }
  RPL_HIP_HALF __half2& operator/=(const __half2& b) { return *this = __half2(x / b.x, y / b.y); }
};
typedef __half2 half2;

RPL_HIP_HALF __half2 operator+(const __half2& a, const __half2& b) { return __half2(a.x + b.x, a.y + b.y); }
RPL_HIP_HALF __half2 operator-(const __half2& a, const __half2& b) { return __half2(a.x - b.x, a.y - b.y); }
RPL_HIP_HALF __half2 operator*(const __half2& a, const __half2& b) { return __half2(a.x * b.x, a.y * b.y); }
RPL_HIP_HALF __half2 operator/(const __half2& a, const __half2& b) { return __half2(a.x / b.x, a.y / b.y); }
RPL_HIP_HALF __half2 operator-(const __half2& a) { return __half2(-a.x, -a.y); }
RPL_HIP_HALF bool operator==(const __half2& a, const __half2& b) { return a.x == b.x && a.y == b.y; }
RPL_HIP_HALF bool operator!=(const __half2& a, const __half2& b) { return !(a == b); }

// Put together and taken apart: low is x.
RPL_HIP_HALF __half2 make_half2(__half x, __half y) { return __half2(x, y); }
RPL_HIP_HALF __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
RPL_HIP_HALF __half2 __half2half2(__half x) { return __half2(x, x); }
RPL_HIP_HALF __half __low2half(__half2 a) { return a.x; }
RPL_HIP_HALF __half __high2half(__half2 a) { return a.y; }
RPL_HIP_HALF __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
RPL_HIP_HALF __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
RPL_HIP_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
RPL_HIP_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
RPL_HIP_HALF __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
RPL_HIP_HALF float __low2float(__half2 a) { return a.x; }
RPL_HIP_HALF float __high2float(__half2 a) { return a.y; }
RPL_HIP_HALF float2 __half22float2(__half2 a) { return float2(a.x, a.y); }
RPL_HIP_HALF __half2 __float2half2_rn(float x) { return __half2(__half(x)); }
RPL_HIP_HALF __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
RPL_HIP_HALF __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }

RPL_HIP_HALF __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
RPL_HIP_HALF __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
RPL_HIP_HALF __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
RPL_HIP_HALF __half2 __h2div(__half2 a, __half2 b) { return a / b; }
RPL_HIP_HALF __half2 __hneg2(__half2 a) { return -a; }
__device__ inline __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
__device__ inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
__device__ inline __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
__device__ inline __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }

// 1 or 0 for each of the two; with b one bool for both.
#define RPL_HIP_PAIR_COMPARE(name)                                                                                                 \
  RPL_HIP_HALF __half2 __h##name##2(__half2 a, __half2 b) { return __half2(__half(__h##name(a.x, b.x) ? 1 : 0), __half(__h##name(a.y, b.y) ? 1 : 0)); } \
  RPL_HIP_HALF bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
RPL_HIP_PAIR_COMPARE(eq)
RPL_HIP_PAIR_COMPARE(ne)
RPL_HIP_PAIR_COMPARE(lt)
RPL_HIP_PAIR_COMPARE(le)
RPL_HIP_PAIR_COMPARE(gt)
RPL_HIP_PAIR_COMPARE(ge)
#undef RPL_HIP_PAIR_COMPARE

#if defined(__HIP__)
#define RPL_HIP_PAIR_MATH(name) \
  __device__ inline __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
RPL_HIP_PAIR_MATH(ceil)
RPL_HIP_PAIR_MATH(floor)
RPL_HIP_PAIR_MATH(trunc)
RPL_HIP_PAIR_MATH(rint)
RPL_HIP_PAIR_MATH(sqrt)
RPL_HIP_PAIR_MATH(rsqrt)
RPL_HIP_PAIR_MATH(rcp)
RPL_HIP_PAIR_MATH(sin)
RPL_HIP_PAIR_MATH(cos)
RPL_HIP_PAIR_MATH(exp)
RPL_HIP_PAIR_MATH(exp2)
RPL_HIP_PAIR_MATH(exp10)
RPL_HIP_PAIR_MATH(log)
RPL_HIP_PAIR_MATH(log2)
RPL_HIP_PAIR_MATH(log10)
#undef RPL_HIP_PAIR_MATH
#endif

#undef RPL_HIP_HALF
