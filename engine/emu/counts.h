// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/emu/machine.h"

namespace rpl::emu {

/// What one machine instruction did over a whole launch.
struct InstructionCounts {
  std::uint64_t executed = 0;       ///< by waves
  std::uint64_t active_lanes = 0;   ///< summed over the executions
  std::uint64_t bytes = 0;          ///< asked for by active lanes in global memory, loaded or stored
  std::uint64_t transactions = 0;   ///< distinct 64-byte lines of each global access, summed
  std::uint64_t lds_conflicts = 0;  ///< extra LDS cycles, see lds_conflicts()
};

/// Exact counts of a launch.
struct Counts {
  std::uint64_t workgroups = 0;
  std::uint64_t waves = 0;
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, isa::kClasses> by_class{};  ///< indexed by isa::Class
  std::uint64_t active_lanes = 0;                       ///< over vector instructions
  std::uint64_t vector_instructions = 0;
  std::uint64_t load_bytes = 0, store_bytes = 0;  ///< asked for by active lanes in global memory
  std::uint64_t transactions = 0;
  std::uint64_t lds_accesses = 0, lds_conflicts = 0;
  std::uint64_t atomics = 0;                      ///< lanes
  std::vector<InstructionCounts> by_instruction;  ///< by operation of the program
};

inline constexpr std::uint64_t kLineBytes = 64;

/// The distinct 64-byte lines that an access touches, ascending; `lines` must hold two for each lane.
std::size_t touched_lines(const Access& access, std::array<std::uint64_t, 2 * kLanes>& lines);

/// Extra cycles because lanes of one pass want different dwords of the same bank: 32 banks of 4 bytes; a pass serves 128
/// bytes, so 32 lanes of 4 bytes, 16 of 8 or 8 of 16. Lanes that read the same dword share it.
std::uint64_t lds_conflicts(const Access& access);

/// Counts the operations of one thread. Loops access memory in the same pattern again and again: what the last one of each operation cost is kept.
class Counter {
 public:
  Counter(Counts& counts, const Program& program);
  /// Adds one executed operation; `exec` is from before it ran.
  void count(const Op& op, std::uint64_t exec, const Access& access);

 private:
  /// Lanes relative to the first one. Equal patterns cost the same wherever they begin, as long as they begin at the same place of a line.
  struct Pattern {
    std::uint64_t active = 0;
    std::uint32_t bytes = 0, begin = 0;
    bool two_parts = false;
    std::uint64_t cost = 0;
    alignas(64) std::array<std::uint32_t, kLanes> lane{};
  };
  /// Whether the operation's last access had the pattern of this one; it has afterwards.
  static bool is_known(Pattern& pattern, const Access& access);
  Pattern& pattern_of(const Op& op);

  Counts& counts_;
  const Program& program_;
  std::vector<std::unique_ptr<Pattern>> patterns_;  ///< by operation; made on first use
};

/// Adds what another thread counted of the same program.
void add(Counts& counts, const Counts& other);

/// Sums the rows of by_instruction into the totals by class.
void finish(Counts& counts, const Program& program);

}  // namespace rpl::emu
