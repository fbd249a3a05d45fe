// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

namespace rpl {

/// Why waves wait, as `list` tells it of runs, thread traces and PC samples.
struct WaitReason {
  enum Index : std::size_t { memory, lds_and_scalar_memory, barrier, arithmetic, other };
};
inline constexpr std::size_t kWaitReasons = 5;
/// Something of each reason.
template <class T>
using ByWaitReason = std::array<T, kWaitReasons>;

}  // namespace rpl
