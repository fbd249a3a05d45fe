// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

/// What the timing of a compute unit takes and gives: executed instructions of waves, with or without their times.
namespace rpl::cycle {

/// One executed instruction of a wave.
struct Step {
  std::uint32_t operation = 0;  ///< index into the operations
  /// Of a branch: 1 when it was taken. Of LDS: extra cycles because of bank conflicts. Of memory: 0 for no access, kAssumed when the addresses
  /// are not known, else 1 + the place in WaveStream::lines where an AccessHead stands, and then the lines.
  std::uint32_t detail = 0;
};
inline constexpr std::uint32_t kAssumed = ~std::uint32_t{0};

/// What an access to memory with addresses is made of. Counts beyond 65,535 do not occur: a wave has 64 lanes.
struct AccessHead {
  std::uint16_t lines = 0;  ///< distinct, of the vector L1's size
  std::uint16_t requests =
      0;  ///< of a store or atomic: distinct 64-byte pieces; of a load: turns of four lanes and conflicts among them
  std::uint16_t partial = 0;  ///< of those: written in part
  /// Of an atomic: lanes beyond the first on the same address; of a load or store: where in a line the first lane begins, in bytes.
  std::uint16_t detail = 0;

  [[nodiscard]] std::uint64_t packed() const { return std::bit_cast<std::uint64_t>(*this); }
  static AccessHead of(std::uint64_t packed) { return std::bit_cast<AccessHead>(packed); }
};

/// What one wave executed, in order.
struct WaveStream {
  std::vector<Step> steps;
  std::vector<std::uint64_t> lines;  ///< of the vector L1's size
  std::uint64_t executed = 0;  ///< instructions; more than steps.size() when not all were kept
};

/// When an instruction ran. As in decoded thread traces: first attempt, cycles of it until issue, cycles until the end of issue.
struct StepTime {
  std::uint64_t time = 0;
  std::uint32_t stall = 0, duration = 0;
};

/// A wave that ran.
struct WaveTimes {
  std::uint32_t workgroup = 0, wave = 0;  ///< as given
  std::uint32_t simd = 0, slot = 0;
  std::uint64_t begin = 0, end = 0;
  const WaveStream* stream = nullptr;
  std::vector<StepTime> steps;  ///< empty unless they were asked for
};

/// Wave-cycles in which waves could not go on: at an operation, and because of one, wherever they waited for it. Both have the same sum.
struct StallCycles {
  std::uint64_t suffered = 0, caused = 0;
};

/// Cycles that waves spent at instructions of one unit, summed.
struct UnitCycles {
  std::uint64_t executed = 0, issue = 0, stall = 0;
};

}  // namespace rpl::cycle
