// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/replay/replay.h"
#include "engine/target/target.h"

namespace rpl {

/// Memory to verify with.
struct InputSet {
  MemoryImage memory;       ///< by region of the capture
  std::size_t redrawn = 0;  ///< buffers that differ from the captured ones
};

/// The captured memory, and `more` sets of the same shape: every buffer of floats whose captured values differ among themselves is drawn again,
/// uniform between its smallest and largest finite value. Integers stay: they may be indices. Deterministic for a seed.
std::vector<InputSet> input_sets(const Capture& capture, std::uint32_t more, std::uint64_t seed);

/// What memory for results holds before a run, so that what a kernel leaves unwritten shows: 0xff is NaN in every float type, and a byte that is
/// still the first in one run and still the second in the other was not written.
inline constexpr std::array<std::byte, 2> kPoison{std::byte{0xff}, std::byte{0xa5}};

/// What the baseline does with one input set; the candidate is held against it.
struct ReferenceRun {
  std::vector<bool> written;  ///< by region: the baseline changed it
  std::vector<bool>
      poisoned;  ///< by region: results that do not depend on what was there before, so it starts as poison
  std::array<MemoryImage, 2> input;     ///< by poison
  std::array<MemoryImage, 2> expected;  ///< after the baseline, by poison
  std::uint64_t instructions = 0;       ///< wave-instructions of the baseline
};

/// Runs the baseline on an input set: as it is, then with both poisons in all regions that it writes. A region whose results then differ is one
/// that the kernel also reads (in place, or atomics): it keeps its values. Fails as the target does for the unpoisoned run.
Result<ReferenceRun> run_reference(Target& target, const Capture& capture,
                                   const std::shared_ptr<const isa::CodeObject>& baseline,
                                   const InputSet& input);

/// Whether one byte of a poisoned region was left alone, from both runs.
inline bool unwritten(const std::array<MemoryImage, 2>& after, std::size_t region, std::size_t at) {
  return after[0][region][at] == kPoison[0] && after[1][region][at] == kPoison[1];
}

}  // namespace rpl
