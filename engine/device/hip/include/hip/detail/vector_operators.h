/* SPDX-License-Identifier: MIT */
/* The template behind float4 and its kin, for one to four elements, and what can be done with them. */
#pragma once

#include <hip/hip_common.h>

namespace rpl_hip {

/// Keeps a scalar operand out of deduction, so that float4 * 2 works.
template <class T>
struct Scalar {
  typedef T type;
};

}  // namespace rpl_hip

template <class T, unsigned int N>
struct HIP_vector_type;

#define RPL_HIP_HD __host__ __device__ inline

template <class T>
struct HIP_vector_type<T, 1> {
  typedef T value_type;
  T x;
  HIP_vector_type() = default;
  RPL_HIP_HD constexpr HIP_vector_type(T x_) : x(x_) {}
};

template <class T>
struct alignas(2 * sizeof(T)) HIP_vector_type<T, 2> {
  typedef T value_type;
  T x, y;
  HIP_vector_type() = default;
  RPL_HIP_HD constexpr explicit HIP_vector_type(T all) : x(all), y(all) {}
  RPL_HIP_HD constexpr HIP_vector_type(T x_, T y_) : x(x_), y(y_) {}
};

template <class T>
struct HIP_vector_type<T, 3> {
  typedef T value_type;
  T x, y, z;
  HIP_vector_type() = default;
  RPL_HIP_HD constexpr explicit HIP_vector_type(T all) : x(all), y(all), z(all) {}
  RPL_HIP_HD constexpr HIP_vector_type(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
};

template <class T>
struct alignas(4 * sizeof(T)) HIP_vector_type<T, 4> {
  typedef T value_type;
  T x, y, z, w;
  HIP_vector_type() = default;
  RPL_HIP_HD constexpr explicit HIP_vector_type(T all) : x(all), y(all), z(all), w(all) {}
  RPL_HIP_HD constexpr HIP_vector_type(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
};

// An operator of two vectors, or of a vector and a number, and its assignment.
#define RPL_HIP_ELEMENTS(op)                                                                                                    \
  template <class T>                                                                                                            \
  RPL_HIP_HD constexpr HIP_vector_type<T, 1> operator op(const HIP_vector_type<T, 1>& a, const HIP_vector_type<T, 1>& b) {      \
    return {static_cast<T>(a.x op b.x)};                                                                                        \
  }                                                                                                                             \
  template <class T>                                                                                                            \
  RPL_HIP_HD constexpr HIP_vector_type<T, 2> operator op(const HIP_vector_type<T, 2>& a, const HIP_vector_type<T, 2>& b) {      \
    return {static_cast<T>(a.x op b.x), static_cast<T>(a.y op b.y)};                                                            \
  }                                                                                                                             \
  template <class T>                                                                                                            \
  RPL_HIP_HD constexpr HIP_vector_type<T, 3> operator op(const HIP_vector_type<T, 3>& a, const HIP_vector_type<T, 3>& b) {      \
    return {static_cast<T>(a.x op b.x), static_cast<T>(a.y op b.y), static_cast<T>(a.z op b.z)};                                \
  }                                                                                                                             \
  template <class T>                                                                                                            \
  RPL_HIP_HD constexpr HIP_vector_type<T, 4> operator op(const HIP_vector_type<T, 4>& a, const HIP_vector_type<T, 4>& b) {      \
    return {static_cast<T>(a.x op b.x), static_cast<T>(a.y op b.y), static_cast<T>(a.z op b.z), static_cast<T>(a.w op b.w)};    \
  }                                                                                                                             \
  template <class T, unsigned int N>                                                                                            \
  RPL_HIP_HD constexpr HIP_vector_type<T, N> operator op(const HIP_vector_type<T, N>& a, typename rpl_hip::Scalar<T>::type b) { \
    return a op HIP_vector_type<T, N>(b);                                                                                       \
  }                                                                                                                             \
  template <class T, unsigned int N>                                                                                            \
  RPL_HIP_HD constexpr HIP_vector_type<T, N> operator op(typename rpl_hip::Scalar<T>::type a, const HIP_vector_type<T, N>& b) { \
    return HIP_vector_type<T, N>(a) op b;                                                                                       \
  }                                                                                                                             \
  template <class T, unsigned int N>                                                                                            \
  RPL_HIP_HD HIP_vector_type<T, N>& operator op##=(HIP_vector_type<T, N>& a, const HIP_vector_type<T, N>& b) {                  \
    return a = a op b;                                                                                                          \
  }                                                                                                                             \
  template <class T, unsigned int N>                                                                                            \
  RPL_HIP_HD HIP_vector_type<T, N>& operator op##=(HIP_vector_type<T, N>& a, typename rpl_hip::Scalar<T>::type b) {             \
    return a = a op b;                                                                                                          \
  }

RPL_HIP_ELEMENTS(+)
RPL_HIP_ELEMENTS(-)
RPL_HIP_ELEMENTS(*)
RPL_HIP_ELEMENTS(/)
RPL_HIP_ELEMENTS(%)
RPL_HIP_ELEMENTS(&)
RPL_HIP_ELEMENTS(|)
RPL_HIP_ELEMENTS(^)
RPL_HIP_ELEMENTS(<<)
RPL_HIP_ELEMENTS(>>)
#undef RPL_HIP_ELEMENTS

// Equality is that of all elements.
template <class T>
RPL_HIP_HD constexpr bool operator==(const HIP_vector_type<T, 1>& a, const HIP_vector_type<T, 1>& b) {
  return a.x == b.x;
}
template <class T>
RPL_HIP_HD constexpr bool operator==(const HIP_vector_type<T, 2>& a, const HIP_vector_type<T, 2>& b) {
  return a.x == b.x && a.y == b.y;
}
template <class T>
RPL_HIP_HD constexpr bool operator==(const HIP_vector_type<T, 3>& a, const HIP_vector_type<T, 3>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class T>
RPL_HIP_HD constexpr bool operator==(const HIP_vector_type<T, 4>& a, const HIP_vector_type<T, 4>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
template <class T, unsigned int N>
RPL_HIP_HD constexpr bool operator!=(const HIP_vector_type<T, N>& a, const HIP_vector_type<T, N>& b) {
  return !(a == b);
}

template <class T, unsigned int N>
RPL_HIP_HD constexpr HIP_vector_type<T, N> operator+(const HIP_vector_type<T, N>& a) {
  return a;
}
/// -0.0 - a, and not 0 - a, which would turn a zero's sign wrong.
template <class T, unsigned int N>
RPL_HIP_HD constexpr HIP_vector_type<T, N> operator-(const HIP_vector_type<T, N>& a) {
  return static_cast<T>(-T(0)) - a;
}
template <class T, unsigned int N>
RPL_HIP_HD constexpr HIP_vector_type<T, N> operator~(const HIP_vector_type<T, N>& a) {
  return a ^ static_cast<T>(~T(0));
}
template <class T, unsigned int N>
RPL_HIP_HD HIP_vector_type<T, N>& operator++(HIP_vector_type<T, N>& a) {
  return a = a + T(1);
}
template <class T, unsigned int N>
RPL_HIP_HD HIP_vector_type<T, N> operator++(HIP_vector_type<T, N>& a, int) {
  const HIP_vector_type<T, N> before = a;
  ++a;
  return before;
}
template <class T, unsigned int N>
RPL_HIP_HD HIP_vector_type<T, N>& operator--(HIP_vector_type<T, N>& a) {
  return a = a - T(1);
}
template <class T, unsigned int N>
RPL_HIP_HD HIP_vector_type<T, N> operator--(HIP_vector_type<T, N>& a, int) {
  const HIP_vector_type<T, N> before = a;
  --a;
  return before;
}
#undef RPL_HIP_HD
