// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "engine/base/half.h"
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
struct ShortPair {
  std::uint32_t bits;
};
struct FloatPair {
  float low, high;
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
  if constexpr (std::is_same_v<T, ShortPair>) return Type::u16x2;
  if constexpr (std::is_same_v<T, FloatPair>) return Type::f32x2;
  if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::int64_t>)
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
  if constexpr (sizeof(T) == 8) {
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

template <auto kFunction>
[[gnu::always_inline]] inline std::uint64_t mask_loop(const std::uint32_t* a,
                                                      const std::uint32_t* b,
                                                      const std::uint32_t* c) {
  constexpr unsigned kHalf = 32;
  std::uint32_t low = 0, high = 0;
  for (unsigned i = 0; i < kHalf; ++i) low |= (apply<kFunction>(a, b, c, i) ? 1U : 0U) << i;
  for (unsigned i = 0; i < kHalf; ++i)
    high |= (apply<kFunction>(a, b, c, i + kHalf) ? 1U : 0U) << i;
  return low | std::uint64_t{high} << kHalf;
}

template <auto kFunction>
void lanes_base(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
template <auto kFunction>
std::uint64_t mask_base(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c) {
  return mask_loop<kFunction>(a, b, c);
}

#if defined(__x86_64__)
template <auto kFunction>
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] void lanes_v3(std::uint32_t* d,
                                                              const std::uint32_t* a,
                                                              const std::uint32_t* b,
                                                              const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
template <auto kFunction>
[[gnu::target("arch=x86-64-v4"), gnu::flatten]] void lanes_v4(std::uint32_t* d,
                                                              const std::uint32_t* a,
                                                              const std::uint32_t* b,
                                                              const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
template <auto kFunction>
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] std::uint64_t mask_v3(const std::uint32_t* a,
                                                                      const std::uint32_t* b,
                                                                      const std::uint32_t* c) {
  return mask_loop<kFunction>(a, b, c);
}
template <auto kFunction>
[[gnu::target("arch=x86-64-v4"), gnu::flatten]] std::uint64_t mask_v4(const std::uint32_t* a,
                                                                      const std::uint32_t* b,
                                                                      const std::uint32_t* c) {
  return mask_loop<kFunction>(a, b, c);
}
#endif

}  // namespace detail

/// 1, 3 or 4: the x86-64 level that lane functions are taken for.
int processor_level();

template <auto kFunction>
LaneFunction lane_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::lanes_v4<kFunction>;
  if (processor_level() == 3) return detail::lanes_v3<kFunction>;
#endif
  return detail::lanes_base<kFunction>;
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
