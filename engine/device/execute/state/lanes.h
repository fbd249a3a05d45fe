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
#include "engine/device/execute/state/handlers.h"

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

template <class T>
inline constexpr std::size_t kDwords = sizeof(T) == 8 ? 2 * kLanes : kLanes;

/// For sources that lie in no lanes.
struct Rooms {
  alignas(64) std::uint32_t dwords[3][2 * kLanes];
};

/// The lanes of source `index`, whose type is T: a bit for each lane where the operation takes a mask there.
template <class T>
[[gnu::always_inline]] inline const std::uint32_t* source_lanes(const Machine& machine, Wave& wave,
                                                                const Op& op, std::size_t index,
                                                                std::uint32_t* room) {
  const Source& source = op.sources[index];
  if (index == 2 && op.target == 3) {
    const std::uint64_t mask = source.kind == Source::Kind::scalar
                                   ? wave.pair(source.number)
                                   : scalar64(machine, wave, source);
    constexpr unsigned kHalf = 32;
    const auto low = static_cast<std::uint32_t>(mask),
               high = static_cast<std::uint32_t>(mask >> kHalf);
    for (unsigned i = 0; i < kHalf; ++i) room[i] = low >> i & 1U;
    for (unsigned i = 0; i < kHalf; ++i) room[i + kHalf] = high >> i & 1U;
    return room;
  }
  if (source.kind == Source::Kind::vector) return wave.vector(source.number);
  if (source.kind == Source::Kind::constant) return source.lanes;
  const bool plain = source.kind == Source::Kind::scalar;
  if constexpr (sizeof(T) == 8) {
    const std::uint64_t value = plain ? wave.pair(source.number) : scalar64(machine, wave, source);
    for (unsigned i = 0; i < kLanes; ++i) room[i] = static_cast<std::uint32_t>(value);
    for (unsigned i = 0; i < kLanes; ++i)
      room[i + kLanes] = static_cast<std::uint32_t>(value >> 32);
  } else {
    const std::uint32_t value = plain ? wave.sgprs[source.number] : scalar32(machine, wave, source);
    for (unsigned i = 0; i < kLanes; ++i) room[i] = value;
  }
  return room;
}

/// The lanes of source I of kFunction; null where it has none.
template <auto kFunction, std::size_t I>
[[gnu::always_inline]] inline const std::uint32_t* argument_lanes(const Machine& machine,
                                                                  Wave& wave, const Op& op,
                                                                  Rooms& rooms) {
  using S = SignatureOf<kFunction>;
  using T = typename S::template Argument<I>;
  if constexpr (I < S::kCount && !std::is_same_v<T, LaneNumber>)
    return source_lanes<T>(machine, wave, op, I, rooms.dwords[I]);
  return nullptr;
}

/// A whole instruction without modifiers: kRun computes kFunction on 64 lanes.
template <auto kFunction, auto kRun>
[[gnu::always_inline]] inline bool whole(Machine& machine, Wave& wave, const Op& op) {
  if (wave.exec() != kAllLanes) return run_dressed(machine, wave, op);
  Rooms rooms;
  const std::uint32_t* a = argument_lanes<kFunction, 0>(machine, wave, op, rooms);
  const std::uint32_t* b = argument_lanes<kFunction, 1>(machine, wave, op, rooms);
  const std::uint32_t* c = argument_lanes<kFunction, 2>(machine, wave, op, rooms);
  kRun(wave.vector(op.destination), a, b, c);
  return true;
}
template <auto kFunction, auto kMask>
[[gnu::always_inline]] inline bool whole_compare(Machine& machine, Wave& wave, const Op& op) {
  Rooms rooms;
  const std::uint32_t* a = argument_lanes<kFunction, 0>(machine, wave, op, rooms);
  const std::uint32_t* b = argument_lanes<kFunction, 1>(machine, wave, op, rooms);
  const std::uint64_t bits = kMask(a, b, nullptr) & wave.exec();
  wave.set_pair(op.scalar_destination, bits);
  if (op.writes_exec) wave.set_pair(isa::kExecLo, bits);
  return true;
}
/// kValue and a carry, whose sources are those of kValue.
template <auto kValue, auto kCarry, auto kMaskOf>
[[gnu::always_inline]] inline bool whole_carry(Machine& machine, Wave& wave, const Op& op) {
  if (wave.exec() != kAllLanes) return run_dressed(machine, wave, op);
  Rooms rooms;
  const std::uint32_t* a = argument_lanes<kValue, 0>(machine, wave, op, rooms);
  const std::uint32_t* b = argument_lanes<kValue, 1>(machine, wave, op, rooms);
  const std::uint32_t* c = argument_lanes<kValue, 2>(machine, wave, op, rooms);
  alignas(64) std::uint32_t bits[kLanes];
  test_loop<kCarry>(bits, a, b, c);
  loop<kValue>(wave.vector(op.destination), a, b, c);
  wave.set_pair(op.scalar_destination, kMaskOf(bits));
  return true;
}

/// Without branches: a NaN is rare, and all lanes are computed again where there is one.
template <class T>
[[gnu::always_inline]] inline bool has_nan(const std::uint32_t* lanes) {
  unsigned nans = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    const T value = load<T>(lanes, i);
    nans |= value != value ? 1U : 0U;
  }
  return nans != 0;
}

template <auto kFunction>
using ResultOf = typename SignatureOf<kFunction>::Result;
template <auto kFunction>
inline constexpr std::size_t kResultDwords = kDwords<ResultOf<kFunction>>;

template <auto kFunction>
void lanes_base(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                const std::uint32_t* c) {
  loop<kFunction>(d, a, b, c);
}
template <auto kQuick, auto kExact>
void checked_base(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                  const std::uint32_t* c) {
  std::uint32_t room[kResultDwords<kQuick>];
  loop<kQuick>(room, a, b, c);
  if (has_nan<ResultOf<kQuick>>(room)) return loop<kExact>(d, a, b, c);
  std::memcpy(d, room, sizeof(room));
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
template <auto kQuick, auto kExact>
[[RPL_V3, gnu::flatten]] void checked_v3(std::uint32_t* d, const std::uint32_t* a,
                                         const std::uint32_t* b, const std::uint32_t* c) {
  alignas(64) std::uint32_t room[kResultDwords<kQuick>];
  loop<kQuick>(room, a, b, c);
  if (has_nan<ResultOf<kQuick>>(room)) [[unlikely]]
    return exact_v3<kExact>(d, a, b, c);
  std::memcpy(d, room, sizeof(room));
}
/// One comparison finds the NaNs of two vectors, where the results are floats.
template <auto kQuick, auto kExact>
[[RPL_V4, gnu::flatten]] void checked_v4(std::uint32_t* d, const std::uint32_t* a,
                                         const std::uint32_t* b, const std::uint32_t* c) {
  alignas(64) std::uint32_t room[kResultDwords<kQuick>];
  loop<kQuick>(room, a, b, c);
  bool nan;
  if constexpr (std::is_same_v<ResultOf<kQuick>, float>) {
    const auto* from = reinterpret_cast<const float*>(room);
    const __m512 r0 = _mm512_load_ps(from), r1 = _mm512_load_ps(from + 16),
                 r2 = _mm512_load_ps(from + 32), r3 = _mm512_load_ps(from + 48);
    nan =
        (_mm512_cmp_ps_mask(r0, r1, _CMP_UNORD_Q) | _mm512_cmp_ps_mask(r2, r3, _CMP_UNORD_Q)) != 0;
  } else {
    nan = has_nan<ResultOf<kQuick>>(room);
  }
  if (nan) [[unlikely]]
    return exact_v4<kExact>(d, a, b, c);
  std::memcpy(d, room, sizeof(room));
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
template <auto kFunction, auto kRun>
[[RPL_V3, gnu::flatten]] bool whole_v3(Machine& machine, Wave& wave, const Op& op) {
  return whole<kFunction, kRun>(machine, wave, op);
}
template <auto kFunction, auto kRun>
[[RPL_V4, gnu::flatten]] bool whole_v4(Machine& machine, Wave& wave, const Op& op) {
  return whole<kFunction, kRun>(machine, wave, op);
}
template <auto kFunction>
[[RPL_V3, gnu::flatten]] bool whole_compare_v3(Machine& machine, Wave& wave, const Op& op) {
  return whole_compare<kFunction, mask_v3<kFunction>>(machine, wave, op);
}
template <auto kFunction>
[[RPL_V4, gnu::flatten]] bool whole_compare_v4(Machine& machine, Wave& wave, const Op& op) {
  return whole_compare<kFunction, mask_v4<kFunction>>(machine, wave, op);
}
template <auto kValue, auto kCarry>
[[RPL_V3, gnu::flatten]] bool whole_carry_v3(Machine& machine, Wave& wave, const Op& op) {
  return whole_carry<kValue, kCarry, mask_of_v3>(machine, wave, op);
}
template <auto kValue, auto kCarry>
[[RPL_V4, gnu::flatten]] bool whole_carry_v4(Machine& machine, Wave& wave, const Op& op) {
  return whole_carry<kValue, kCarry, mask_of_v4>(machine, wave, op);
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

/// The handlers of whole instructions; null at the lowest level, which goes through run_lanes() and its kin.
template <auto kFunction>
Handler whole_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::whole_v4<kFunction, detail::lanes_v4<kFunction>>;
  if (processor_level() == 3) return detail::whole_v3<kFunction, detail::lanes_v3<kFunction>>;
#endif
  return nullptr;
}
template <auto kQuick, auto kExact>
Handler whole_checked_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::whole_v4<kQuick, detail::checked_v4<kQuick, kExact>>;
  if (processor_level() == 3) return detail::whole_v3<kQuick, detail::checked_v3<kQuick, kExact>>;
#endif
  return nullptr;
}
template <auto kFunction>
Handler whole_compare_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::whole_compare_v4<kFunction>;
  if (processor_level() == 3) return detail::whole_compare_v3<kFunction>;
#endif
  return nullptr;
}
template <auto kValue, auto kCarry>
Handler whole_carry_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::whole_carry_v4<kValue, kCarry>;
  if (processor_level() == 3) return detail::whole_carry_v3<kValue, kCarry>;
#endif
  return nullptr;
}

}  // namespace rpl::emu
