// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/launch/kernel_run.h"

namespace rpl::emu {

/// A number that every bit of looks random, and the state for the next one. SplitMix64: Steele, Lea, Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014.
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// What a buffer of kind chain or addresses starts out with. Fails as initial_bytes() does.
Result<std::vector<std::byte>> pointer_bytes(const BufferArgument& buffer,
                                             const BufferAddresses& addresses);

}  // namespace rpl::emu
