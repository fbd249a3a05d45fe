// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// How long waves run before another takes its turn, in wave-instructions. emu::Worker and debug::Schedule share it, so that both run the waves
/// in the same order and show them the same clock.
namespace rpl::emu {

inline constexpr std::uint64_t kTurn =
    std::uint64_t{1} << 16;  ///< between looks at the interrupt flag; the clock stands still in it
inline constexpr std::uint64_t kFirstSlice = std::uint64_t{1}
                                             << 20;  ///< of a wave; most end before it does
inline constexpr std::uint64_t kLeastSlice = std::uint64_t{1}
                                             << 12;  ///< what slices shrink to when nobody gets on

}  // namespace rpl::emu
