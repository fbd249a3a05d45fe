// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/base/half.h"
#include "engine/base/levels.h"
#include "engine/device/execute/state/machine.h"

/// Makes 64-lane loops of lane functions. Each is compiled for three levels of x86-64, and the best that this processor has
/// is taken when the tables are built: `lane_function<[](float a, float b) { return a + b; }>()`.
namespace rpl::emu {

/// As the last parameter of a lane function: the lane's number.
struct LaneNumber {
  std::uint32_t value;
};

/// Two values of 16 bits in a dword, and two floats in two registers.
struct HalfPair {
  std::uint32_t bits;
};
/// A bfloat16 by its bits, and two of them in a dword.
struct Bfloat {
  std::uint16_t bits;
};
struct BfloatPair {
  std::uint32_t bits;
};
struct ShortPair {
  std::uint32_t bits;
};
struct FloatPair {
  float low, high;
};
/// 64 bits as their registers hold them: some arithmetic on the halves is cheaper than putting them together.
struct DwordPair {
  std::uint32_t low, high;
};

namespace detail {

template <class F>
struct Signature;
template <class F, class R, class... A>
struct Signature<R (F::*)(A...) const> {
  using Result = R;
  static constexpr std::size_t kCount = sizeof...(A);
  template <std::size_t I>
  using Argument = std::tuple_element_t<I, std::tuple<A..., void, void, void, void>>;
};
template <auto kFunction>
using SignatureOf = Signature<decltype(&decltype(kFunction)::operator())>;

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, float>) return Type::f32;
  if constexpr (std::is_same_v<T, double>) return Type::f64;
  if constexpr (std::is_same_v<T, Half>) return Type::f16;
  if constexpr (std::is_same_v<T, HalfPair>) return Type::f16x2;
  if constexpr (std::is_same_v<T, Bfloat>) return Type::bf16;
  if constexpr (std::is_same_v<T, BfloatPair>) return Type::bf16x2;
  if constexpr (std::is_same_v<T, ShortPair>) return Type::u16x2;
  if constexpr (std::is_same_v<T, FloatPair>) return Type::f32x2;
  if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::int64_t> ||
                std::is_same_v<T, DwordPair>)
    return Type::u64;
  if constexpr (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int16_t>)
    return Type::u16;
  if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t>)
    return Type::u32;
  return Type::none;
}

template <class T>
[[gnu::always_inline]] inline T load(const std::uint32_t* from, unsigned lane) {
  if constexpr (std::is_same_v<T, LaneNumber>) {
    return {lane};
  } else if constexpr (std::is_same_v<T, FloatPair>) {
    return {std::bit_cast<float>(from[lane]), std::bit_cast<float>(from[kLanes + lane])};
  } else if constexpr (std::is_same_v<T, DwordPair>) {
    return {from[lane], from[kLanes + lane]};
  } else if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(from[lane] | std::uint64_t{from[kLanes + lane]} << 32);
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(static_cast<std::uint16_t>(from[lane]));
  } else {
    return std::bit_cast<T>(from[lane]);
  }
}

template <class T>
[[gnu::always_inline]] inline void store(std::uint32_t* to, unsigned lane, T value) {
  if constexpr (std::is_same_v<T, DwordPair>) {
    to[lane] = value.low;
    to[kLanes + lane] = value.high;
  } else if constexpr (sizeof(T) == 8) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    to[lane] = static_cast<std::uint32_t>(bits);
    to[kLanes + lane] = static_cast<std::uint32_t>(bits >> 32);
  } else if constexpr (sizeof(T) == 2) {
    to[lane] = std::bit_cast<std::uint16_t>(value);
  } else {
    to[lane] = std::bit_cast<std::uint32_t>(value);
  }
}

template <auto kFunction>
[[gnu::always_inline]] inline auto apply(const std::uint32_t* a, const std::uint32_t* b,
                                         const std::uint32_t* c, unsigned i) {
  using S = SignatureOf<kFunction>;
  if constexpr (S::kCount == 1) {
    return kFunction(load<typename S::template Argument<0>>(a, i));
  } else if constexpr (S::kCount == 2) {
    return kFunction(load<typename S::template Argument<0>>(a, i),
                     load<typename S::template Argument<1>>(b, i));
  } else {
    return kFunction(load<typename S::template Argument<0>>(a, i),
                     load<typename S::template Argument<1>>(b, i),
                     load<typename S::template Argument<2>>(c, i));
  }
}

// Every lane reads and writes its own index alone, so no iteration depends on another even where registers overlap.
template <auto kFunction>
[[gnu::always_inline]] inline void loop(std::uint32_t* d, const std::uint32_t* a,
                                        const std::uint32_t* b, const std::uint32_t* c) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (unsigned i = 0; i < kLanes; ++i) store(d, i, apply<kFunction>(a, b, c, i));
}

/// A dword of 0 or 1 for each lane.
template <auto kFunction>
[[gnu::always_inline]] inline void test_loop(std::uint32_t* to, const std::uint32_t* a,
                                             const std::uint32_t* b, const std::uint32_t* c) {
  for (unsigned i = 0; i < kLanes; ++i) to[i] = apply<kFunction>(a, b, c, i) ? 1U : 0U;
}

/// A dword of 1 for each lane in which the result is a NaN, else 0.
template <auto kFunction>
[[gnu::always_inline]] inline void nan_loop(std::uint32_t* to, const std::uint32_t* a,
                                            const std::uint32_t* b, const std::uint32_t* c) {
  for (unsigned i = 0; i < kLanes; ++i) {
    const auto result = apply<kFunction>(a, b, c, i);
    to[i] = result != result ? 1U : 0U;
  }
}

template <auto kFunction>
void lanes_base(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
template <auto kQuick, auto kExact>
void checked_base(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                  const std::uint32_t* c) {
  loop<kExact>(d, a, b, c);
}
template <auto kFunction>
std::uint64_t mask_base(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c) {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    mask |= std::uint64_t{apply<kFunction>(a, b, c, i) ? 1U : 0U} << i;
  return mask;
}

#if defined(__x86_64__)
#define RPL_V3 gnu::target("arch=x86-64-v3")
#define RPL_V4 gnu::target("arch=x86-64-v4")

template <auto kFunction>
[[RPL_V3, gnu::flatten]] void lanes_v3(std::uint32_t* d, const std::uint32_t* a,
                                       const std::uint32_t* b, const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
template <auto kFunction>
[[RPL_V4, gnu::flatten]] void lanes_v4(std::uint32_t* d, const std::uint32_t* a,
                                       const std::uint32_t* b, const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
/// Out of line: rarely needed.
template <auto kFunction>
[[RPL_V3, gnu::flatten, gnu::noinline]] void exact_v3(std::uint32_t* d, const std::uint32_t* a,
                                                      const std::uint32_t* b,
                                                      const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
template <auto kFunction>
[[RPL_V4, gnu::flatten, gnu::noinline]] void exact_v4(std::uint32_t* d, const std::uint32_t* a,
                                                      const std::uint32_t* b,
                                                      const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
[[RPL_V3]] inline std::uint64_t mask_of_v3(const std::uint32_t* bits) {
  constexpr unsigned kWidth = 8;
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < kLanes; i += kWidth) {
    const __m256i signs =
        _mm256_slli_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(&bits[i])), 31);
    mask |=
        std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(signs)))}
        << i;
  }
  return mask;
}
[[RPL_V4]] inline std::uint64_t mask_of_v4(const std::uint32_t* bits) {
  constexpr unsigned kWidth = 16;
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < kLanes; i += kWidth) {
    const __m512i part = _mm512_load_si512(&bits[i]);
    mask |= std::uint64_t{_mm512_test_epi32_mask(part, part)} << i;
  }
  return mask;
}
// A NaN is rare, and all lanes are computed again where there is one. To know before anything is written costs less than to hold the results.
template <auto kQuick, auto kExact>
[[RPL_V3, gnu::flatten]] void checked_v3(std::uint32_t* d, const std::uint32_t* a,
                                         const std::uint32_t* b, const std::uint32_t* c) {
  alignas(64) std::uint32_t nans[kLanes];
  nan_loop<kQuick>(nans, a, b, c);
  if (mask_of_v3(nans) != 0) [[unlikely]]
    return exact_v3<kExact>(d, a, b, c);
  loop<kQuick>(d, a, b, c);
}
// Floats stay in registers until one comparison of two vectors each has found no NaN.
template <auto kQuick, auto kExact>
[[RPL_V4, gnu::flatten]] void checked_v4(std::uint32_t* d, const std::uint32_t* a,
                                         const std::uint32_t* b, const std::uint32_t* c) {
  using Quick = std::remove_cvref_t<decltype(kQuick)>;
  if constexpr (requires { &Quick::wide; }) {
    constexpr unsigned kWidth = 16;
    // Of two sources the third is read as the second, and not used.
    const std::uint32_t* last = SignatureOf<kQuick>::kCount == 3 ? c : b;
    __m512 result[kLanes / kWidth];
    for (unsigned k = 0; k < kLanes / kWidth; ++k)
      result[k] = Quick::wide(_mm512_loadu_ps(a + k * kWidth), _mm512_loadu_ps(b + k * kWidth),
                              _mm512_loadu_ps(last + k * kWidth));
    if ((_mm512_cmp_ps_mask(result[0], result[1], _CMP_UNORD_Q) |
         _mm512_cmp_ps_mask(result[2], result[3], _CMP_UNORD_Q)) != 0) [[unlikely]]
      return exact_v4<kExact>(d, a, b, c);
    for (unsigned k = 0; k < kLanes / kWidth; ++k) _mm512_storeu_ps(d + k * kWidth, result[k]);
    return;
  }
  alignas(64) std::uint32_t nans[kLanes];
  nan_loop<kQuick>(nans, a, b, c);
  if (mask_of_v4(nans) != 0) [[unlikely]]
    return exact_v4<kExact>(d, a, b, c);
  loop<kQuick>(d, a, b, c);
}
template <auto kFunction>
[[RPL_V3, gnu::flatten]] std::uint64_t mask_v3(const std::uint32_t* a, const std::uint32_t* b,
                                               const std::uint32_t* c) {
  alignas(64) std::uint32_t bits[kLanes];
  test_loop<kFunction>(bits, a, b, c);
  return mask_of_v3(bits);
}
template <auto kFunction>
[[RPL_V4, gnu::flatten]] std::uint64_t mask_v4(const std::uint32_t* a, const std::uint32_t* b,
                                               const std::uint32_t* c) {
  alignas(64) std::uint32_t bits[kLanes];
  test_loop<kFunction>(bits, a, b, c);
  return mask_of_v4(bits);
}
#endif

}  // namespace detail

template <auto kFunction>
LaneFunction lane_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::lanes_v4<kFunction>;
  if (processor_level() == 3) return detail::lanes_v3<kFunction>;
#endif
  return detail::lanes_base<kFunction>;
}

/// kQuick wherever it gives no NaN; where it does for any lane, kExact, which says what NaN.
template <auto kQuick, auto kExact>
LaneFunction checked_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::checked_v4<kQuick, kExact>;
  if (processor_level() == 3) return detail::checked_v3<kQuick, kExact>;
#endif
  return detail::checked_base<kQuick, kExact>;
}

template <auto kFunction>
MaskFunction mask_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::mask_v4<kFunction>;
  if (processor_level() == 3) return detail::mask_v3<kFunction>;
#endif
  return detail::mask_base<kFunction>;
}

}  // namespace rpl::emu
