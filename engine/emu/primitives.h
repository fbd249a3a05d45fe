// SPDX-License-Identifier: MIT
#pragma once

#include "engine/emu/lanes.h"

namespace rpl::emu {

/// What every vector instruction needs, for the best x86-64 level of this processor.
struct Primitives {
  /// Writes `value` to 64 lanes.
  void (*fill)(std::uint32_t* to, std::uint32_t value);
  /// Writes bit i of `mask` to lane i.
  void (*expand)(std::uint32_t* to, std::uint64_t mask);
  /// Copies the lanes whose bit is set.
  void (*blend)(std::uint32_t* to, const std::uint32_t* from, std::uint64_t mask);
  /// Reads the dword at base + offset for each lane; all 64 must be readable.
  void (*gather)(std::uint32_t* to, const std::byte* base, const std::uint64_t* offset);
};

const Primitives& primitives();

}  // namespace rpl::emu
