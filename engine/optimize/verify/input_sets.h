// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/replay/replay.h"

namespace rpl {

/// Memory to verify with.
struct InputSet {
  MemoryImage memory;       ///< by region of the capture
  std::size_t redrawn = 0;  ///< buffers that differ from the captured ones
};

/// The captured memory, and `more` sets of the same shape: every buffer of floats whose captured values differ among themselves is drawn again,
/// uniform between its smallest and largest finite value. Integers stay: they may be indices. Deterministic for a seed.
std::vector<InputSet> input_sets(const Capture& capture, std::uint32_t more, std::uint64_t seed);

}  // namespace rpl
