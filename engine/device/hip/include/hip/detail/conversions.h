/* SPDX-License-Identifier: MIT */
/* Conversions between numbers with a rounding of their own, the bits of numbers, loads by other paths. */
#pragma once

#include <hip/hip_common.h>

#define RPL_HIP_CONVERT __device__ __forceinline__

namespace rpl_hip {

template <class To, class From>
RPL_HIP_CONVERT To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits on both sides");
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}

}  // namespace rpl_hip

RPL_HIP_CONVERT int __float_as_int(float x) { return rpl_hip::bits_of<int>(x); }
RPL_HIP_CONVERT unsigned __float_as_uint(float x) { return rpl_hip::bits_of<unsigned>(x); }
RPL_HIP_CONVERT float __int_as_float(int x) { return rpl_hip::bits_of<float>(x); }
RPL_HIP_CONVERT float __uint_as_float(unsigned x) { return rpl_hip::bits_of<float>(x); }
RPL_HIP_CONVERT long long __double_as_longlong(double x) { return rpl_hip::bits_of<long long>(x); }
RPL_HIP_CONVERT double __longlong_as_double(long long x) { return rpl_hip::bits_of<double>(x); }
RPL_HIP_CONVERT int __double2hiint(double x) { return static_cast<int>(rpl_hip::bits_of<long long>(x) >> 32); }
RPL_HIP_CONVERT int __double2loint(double x) { return static_cast<int>(rpl_hip::bits_of<long long>(x)); }
RPL_HIP_CONVERT double __hiloint2double(int high, int low) {
  return rpl_hip::bits_of<double>((static_cast<long long>(high) << 32) | static_cast<unsigned>(low));
}

// To whole numbers: down, to nearest (even), up, towards zero.
#define RPL_HIP_TO_WHOLE(from, From, suffix, to, To)                                                                        \
  RPL_HIP_CONVERT To __##from##2##to##_rd(From x) { return static_cast<To>(__builtin_floor##suffix(x)); }                   \
  RPL_HIP_CONVERT To __##from##2##to##_rn(From x) { return static_cast<To>(__builtin_rint##suffix(x)); }                    \
  RPL_HIP_CONVERT To __##from##2##to##_ru(From x) { return static_cast<To>(__builtin_ceil##suffix(x)); }                    \
  RPL_HIP_CONVERT To __##from##2##to##_rz(From x) { return static_cast<To>(x); }
RPL_HIP_TO_WHOLE(float, float, f, int, int)
RPL_HIP_TO_WHOLE(float, float, f, uint, unsigned)
RPL_HIP_TO_WHOLE(float, float, f, ll, long long)
RPL_HIP_TO_WHOLE(float, float, f, ull, unsigned long long)
RPL_HIP_TO_WHOLE(double, double, , int, int)
RPL_HIP_TO_WHOLE(double, double, , uint, unsigned)
RPL_HIP_TO_WHOLE(double, double, , ll, long long)
RPL_HIP_TO_WHOLE(double, double, , ull, unsigned long long)
#undef RPL_HIP_TO_WHOLE

// From whole numbers, to nearest; of the other roundings only those exist that never round.
RPL_HIP_CONVERT float __int2float_rn(int x) { return static_cast<float>(x); }
RPL_HIP_CONVERT float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
RPL_HIP_CONVERT float __ll2float_rn(long long x) { return static_cast<float>(x); }
RPL_HIP_CONVERT float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
RPL_HIP_CONVERT double __int2double_rn(int x) { return x; }
RPL_HIP_CONVERT double __uint2double_rn(unsigned x) { return x; }
RPL_HIP_CONVERT double __ll2double_rn(long long x) { return static_cast<double>(x); }
RPL_HIP_CONVERT double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
RPL_HIP_CONVERT float __double2float_rn(double x) { return static_cast<float>(x); }

/// A load that may take the read-only path; there is none on AMD GPUs.
template <class T>
RPL_HIP_CONVERT T __ldg(const T* from) {
  return *from;
}

#undef RPL_HIP_CONVERT
