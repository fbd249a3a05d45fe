/* SPDX-License-Identifier: MIT */
/* char1 to double4: members x, y, z, w, element-wise operators, make_float4 and its kin. Two and four elements are aligned as a whole,
 * so that one instruction moves them; three are aligned as one. */
#pragma once

#include <hip/hip_common.h>

#if defined(__cplusplus)

#include <hip/detail/vector_operators.h>

// The scalar's name, that of its vectors, as HIP has them: their mangled names are those of HIP.
#define RPL_HIP_VECTORS(T, name)                                                                          \
  typedef HIP_vector_type<T, 1> name##1;                                                                  \
  typedef HIP_vector_type<T, 2> name##2;                                                                  \
  typedef HIP_vector_type<T, 3> name##3;                                                                  \
  typedef HIP_vector_type<T, 4> name##4;                                                                  \
  __host__ __device__ inline constexpr name##1 make_##name##1(T x) { return name##1(x); }                 \
  __host__ __device__ inline constexpr name##2 make_##name##2(T x, T y) { return name##2(x, y); }         \
  __host__ __device__ inline constexpr name##3 make_##name##3(T x, T y, T z) { return name##3(x, y, z); } \
  __host__ __device__ inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return name##4(x, y, z, w); }

#else

#define RPL_HIP_VECTORS(T, name)                                                                                          \
  typedef struct { T x; } name##1;                                                                                        \
  typedef struct { T x, y; } __attribute__((aligned(2 * sizeof(T)))) name##2;                                             \
  typedef struct { T x, y, z; } name##3;                                                                                  \
  typedef struct { T x, y, z, w; } __attribute__((aligned(4 * sizeof(T)))) name##4;                                       \
  static inline name##1 make_##name##1(T x) { name##1 made = {x}; return made; }                                          \
  static inline name##2 make_##name##2(T x, T y) { name##2 made = {x, y}; return made; }                                  \
  static inline name##3 make_##name##3(T x, T y, T z) { name##3 made = {x, y, z}; return made; }                          \
  static inline name##4 make_##name##4(T x, T y, T z, T w) { name##4 made = {x, y, z, w}; return made; }

#endif

RPL_HIP_VECTORS(char, char)
RPL_HIP_VECTORS(unsigned char, uchar)
RPL_HIP_VECTORS(short, short)
RPL_HIP_VECTORS(unsigned short, ushort)
RPL_HIP_VECTORS(int, int)
RPL_HIP_VECTORS(unsigned int, uint)
RPL_HIP_VECTORS(long, long)
RPL_HIP_VECTORS(unsigned long, ulong)
RPL_HIP_VECTORS(long long, longlong)
RPL_HIP_VECTORS(unsigned long long, ulonglong)
RPL_HIP_VECTORS(float, float)
RPL_HIP_VECTORS(double, double)
#undef RPL_HIP_VECTORS
