// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/lanes.h"

/// Handlers that are all of an instruction without modifiers: its sources, its 64 lanes and where they go, in one function for each level of x86-64.
namespace rpl::emu {

namespace detail {

/// The same with the value of source I in all lanes.
template <auto kFunction, std::size_t I, class T>
[[gnu::always_inline]] inline auto apply_uniform(T value, const std::uint32_t* a,
                                                 const std::uint32_t* b, const std::uint32_t* c,
                                                 unsigned i) {
  using S = SignatureOf<kFunction>;
  const auto argument = [&]<std::size_t J>(const std::uint32_t* lanes) {
    if constexpr (I == J) return value;
    if constexpr (I != J) return load<typename S::template Argument<J>>(lanes, i);
  };
  if constexpr (S::kCount == 1) {
    return kFunction(argument.template operator()<0>(a));
  } else if constexpr (S::kCount == 2) {
    return kFunction(argument.template operator()<0>(a), argument.template operator()<1>(b));
  } else {
    return kFunction(argument.template operator()<0>(a), argument.template operator()<1>(b),
                     argument.template operator()<2>(c));
  }
}

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

template <class T>
[[gnu::always_inline]] inline T uniform_value(const Machine& machine, const Wave& wave,
                                              const Source& source) {
  const bool plain = source.kind == Source::Kind::scalar;
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(plain ? wave.pair(source.number) : scalar64(machine, wave, source));
  } else {
    const std::uint32_t value = plain ? wave.sgprs[source.number] : scalar32(machine, wave, source);
    if constexpr (sizeof(T) == 2) return std::bit_cast<T>(static_cast<std::uint16_t>(value));
    if constexpr (sizeof(T) == 4) return std::bit_cast<T>(value);
  }
}

/// Whether a scalar source can be told apart from the lanes of the others: writing it to 64 lanes costs as much as many instructions do.
template <auto kFunction, std::size_t I>
constexpr bool can_be_uniform() {
  using T = typename SignatureOf<kFunction>::template Argument<I>;
  if constexpr (I < SignatureOf<kFunction>::kCount) {
    return !std::is_same_v<T, LaneNumber>;
  } else {
    return false;
  }
}

/// A whole instruction whose source I alone is scalar.
template <auto kFunction, std::size_t I>
[[gnu::always_inline]] inline void whole_uniform(const Machine& machine, Wave& wave, const Op& op) {
  Rooms rooms;
  const auto value = uniform_value<typename SignatureOf<kFunction>::template Argument<I>>(
      machine, wave, op.sources[I]);
  const std::uint32_t* a =
      I == 0 ? nullptr : argument_lanes<kFunction, 0>(machine, wave, op, rooms);
  const std::uint32_t* b =
      I == 1 ? nullptr : argument_lanes<kFunction, 1>(machine, wave, op, rooms);
  const std::uint32_t* c =
      I == 2 ? nullptr : argument_lanes<kFunction, 2>(machine, wave, op, rooms);
  std::uint32_t* const d = wave.vector(op.destination);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (unsigned i = 0; i < kLanes; ++i) store(d, i, apply_uniform<kFunction, I>(value, a, b, c, i));
}
template <auto kFunction>
[[gnu::always_inline]] inline bool whole_hot(const Machine& machine, Wave& wave, const Op& op) {
  if constexpr (can_be_uniform<kFunction, 0>()) {
    if (op.uniform == 1) return whole_uniform<kFunction, 0>(machine, wave, op), true;
  }
  if constexpr (can_be_uniform<kFunction, 1>()) {
    if (op.uniform == 2) return whole_uniform<kFunction, 1>(machine, wave, op), true;
  }
  if constexpr (can_be_uniform<kFunction, 2>()) {
    if (op.uniform == 3) return whole_uniform<kFunction, 2>(machine, wave, op), true;
  }
  return false;
}

/// A whole instruction without modifiers: kRun computes kFunction on 64 lanes.
template <auto kFunction, auto kRun, bool kHot>
[[gnu::always_inline]] inline bool whole(Machine& machine, Wave& wave, const Op& op) {
  if (wave.exec() != kAllLanes) return run_dressed(machine, wave, op);
  if constexpr (kHot) {
    if (op.uniform != 0 && whole_hot<kFunction>(machine, wave, op)) return true;
  }
  Rooms rooms;
  const std::uint32_t* a = argument_lanes<kFunction, 0>(machine, wave, op, rooms);
  const std::uint32_t* b = argument_lanes<kFunction, 1>(machine, wave, op, rooms);
  const std::uint32_t* c = argument_lanes<kFunction, 2>(machine, wave, op, rooms);
  kRun(wave.vector(op.destination), a, b, c);
  return true;
}
template <auto kFunction, auto kMaskOf>
[[gnu::always_inline]] inline bool whole_compare(Machine& machine, Wave& wave, const Op& op) {
  Rooms rooms;
  alignas(64) std::uint32_t tests[kLanes];
  const std::uint32_t* b = argument_lanes<kFunction, 1>(machine, wave, op, rooms);
  if (can_be_uniform<kFunction, 0>() && op.uniform == 1) {
    const auto value = uniform_value<typename SignatureOf<kFunction>::template Argument<0>>(
        machine, wave, op.sources[0]);
    for (unsigned i = 0; i < kLanes; ++i)
      tests[i] = apply_uniform<kFunction, 0>(value, nullptr, b, nullptr, i) ? 1U : 0U;
  } else {
    const std::uint32_t* a = argument_lanes<kFunction, 0>(machine, wave, op, rooms);
    test_loop<kFunction>(tests, a, b, nullptr);
  }
  const std::uint64_t bits = kMaskOf(tests) & wave.exec();
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
  const std::uint32_t* c = argument_lanes<kValue, 2>(machine, wave, op, rooms);
  alignas(64) std::uint32_t bits[kLanes];
  std::uint32_t* const d = wave.vector(op.destination);
  if (can_be_uniform<kValue, 1>() && op.uniform == 2) {
    const auto b = uniform_value<typename SignatureOf<kValue>::template Argument<1>>(machine, wave,
                                                                                     op.sources[1]);
    for (unsigned i = 0; i < kLanes; ++i)
      bits[i] = apply_uniform<kCarry, 1>(b, a, nullptr, c, i) ? 1U : 0U;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (unsigned i = 0; i < kLanes; ++i)
      store(d, i, apply_uniform<kValue, 1>(b, a, nullptr, c, i));
  } else {
    const std::uint32_t* b = argument_lanes<kValue, 1>(machine, wave, op, rooms);
    test_loop<kCarry>(bits, a, b, c);
    loop<kValue>(d, a, b, c);
  }
  wave.set_pair(op.scalar_destination, kMaskOf(bits));
  return true;
}

#if defined(__x86_64__)
template <auto kFunction, auto kRun, bool kHot>
[[RPL_V3, gnu::flatten]] bool whole_v3(Machine& machine, Wave& wave, const Op& op) {
  return whole<kFunction, kRun, kHot>(machine, wave, op);
}
template <auto kFunction, auto kRun, bool kHot>
[[RPL_V4, gnu::flatten]] bool whole_v4(Machine& machine, Wave& wave, const Op& op) {
  return whole<kFunction, kRun, kHot>(machine, wave, op);
}
template <auto kFunction>
[[RPL_V3, gnu::flatten]] bool whole_compare_v3(Machine& machine, Wave& wave, const Op& op) {
  return whole_compare<kFunction, mask_of_v3>(machine, wave, op);
}
template <auto kFunction>
[[RPL_V4, gnu::flatten]] bool whole_compare_v4(Machine& machine, Wave& wave, const Op& op) {
  return whole_compare<kFunction, mask_of_v4>(machine, wave, op);
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

/// What float arithmetic gives where it gives no NaN; `wide` computes 16 lanes.
#if defined(__x86_64__)
#define RPL_WIDE(expression)                                                       \
  [[gnu::target("arch=x86-64-v4"), gnu::always_inline]] static inline __m512 wide( \
      __m512 a, __m512 b, [[maybe_unused]] __m512 c) {                             \
    return expression;                                                             \
  }
#else
#define RPL_WIDE(expression)
#endif
struct QuickAdd {
  float operator()(float a, float b) const { return a + b; }
  RPL_WIDE(a + b)
};
struct QuickSub {
  float operator()(float a, float b) const { return a - b; }
  RPL_WIDE(a - b)
};
struct QuickSubReversed {
  float operator()(float a, float b) const { return b - a; }
  RPL_WIDE(b - a)
};
struct QuickMul {
  float operator()(float a, float b) const { return a * b; }
  RPL_WIDE(a* b)
};
struct QuickFma {
  float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
  RPL_WIDE(_mm512_fmadd_ps(a, b, c))
};
#undef RPL_WIDE

/// The handlers of whole instructions; null at the lowest level, which goes through run_lanes() and its kin.
template <auto kFunction, bool kHot>
Handler whole_function() {
#if defined(__x86_64__)
  if (processor_level() == 4) return detail::whole_v4<kFunction, detail::lanes_v4<kFunction>, kHot>;
  if (processor_level() == 3) return detail::whole_v3<kFunction, detail::lanes_v3<kFunction>, kHot>;
#endif
  return nullptr;
}
template <auto kQuick, auto kExact>
Handler whole_checked_function() {
#if defined(__x86_64__)
  if (processor_level() == 4)
    return detail::whole_v4<kQuick, detail::checked_v4<kQuick, kExact>, false>;
  if (processor_level() == 3)
    return detail::whole_v3<kQuick, detail::checked_v3<kQuick, kExact>, false>;
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
