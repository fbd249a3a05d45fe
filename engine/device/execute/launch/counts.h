// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/device/execute/state/line_log.h"
#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// What one machine instruction did over a whole launch.
struct InstructionCounts {
  std::uint64_t executed = 0;      ///< by waves
  std::uint64_t active_lanes = 0;  ///< summed over the executions
  std::uint64_t bytes = 0;         ///< asked for by active lanes in global memory, loaded or stored
  std::uint64_t transactions = 0;  ///< distinct 64-byte lines of each global access, summed
  std::uint64_t lds_conflicts = 0;  ///< extra LDS cycles, see lds_conflicts()
  /// Distinct lines, of the vector L1's size, of each global or scalar access, summed; and those of them that the caches of a compute unit (the
  /// vector L1 and the scalar cache) had, that the L2 had, and that came from or went to memory behind it. The first is counted exactly and is the sum of
  /// the others, which are modelled (cache_hierarchy.h, modelled.h).
  std::uint64_t lines = 0, l1_lines = 0, l2_lines = 0, memory_lines = 0;
  bool writes = false;  ///< stores or atomics, which pass by the L1
  /// Wave-cycles of the launch in which waves could not go on, modelled: at this instruction, and because of it.
  std::uint64_t stall = 0, stall_caused = 0;
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
  std::uint64_t atomics = 0;  ///< lanes
  std::uint64_t lines = 0, l1_lines = 0, l2_lines = 0,
                memory_lines = 0;                 ///< sums of those of by_instruction
  std::vector<InstructionCounts> by_instruction;  ///< by operation of the program
};

inline constexpr std::uint64_t kLineBytes = 64;

/// Numbers of lines; two for each lane at most.
using LineNumbers = std::array<std::uint64_t, 2 * kLanes>;

/// The distinct 64-byte lines that an access touches, ascending.
std::size_t touched_lines(const Access& access, LineNumbers& lines);

/// Extra cycles because lanes of one pass want different dwords of the same of `banks` of 4 bytes; a pass serves 128
/// bytes, so 32 lanes of 4 bytes, 16 of 8 or 8 of 16. Lanes that read the same dword share it. Addresses lie within the LDS.
std::uint64_t lds_conflicts(const Access& access, std::uint32_t banks);

/// Counts the operations of one thread. Loops access memory in the same pattern again and again: what the last one of each operation cost is kept.
class Counter {
 public:
  /// `l1_line`: bytes of a line of the vector L1, a power of two from 64 on.
  Counter(Counts& counts, const Program& program, std::uint32_t l1_line);
  /// Where the lines of what follows are noted; null: nowhere.
  void log_to(LineLog* log) { log_ = log; }
  /// What was seen of an access.
  struct Seen {
    bool known = false;  ///< it had the pattern of the operation's access before
    std::uint64_t conflicts = 0;
    /// Of global memory, where lanes ascend: each line once, from the one of the first lane; good until the operation's next access.
    std::span<const std::uint64_t> lines = {};
  };
  /// Operations first to last - 1 ran one after the other, all with these lanes.
  void count(std::uint32_t first, std::uint32_t last, std::uint64_t exec) {
    const auto lanes = static_cast<std::uint64_t>(std::popcount(exec));
    ++runs_[first].executed;
    --runs_[last].executed;
    runs_[first].lanes += lanes;
    runs_[last].lanes -= lanes;
  }
  /// What memory an operation accessed that just ran.
  Seen count_access(const Op& op, Access& access);
  /// After the last operation.
  void finish();

 private:
  /// Lanes relative to the first one. Equal patterns cost the same wherever they begin, as long as they begin at the same place of a line.
  struct Pattern {
    std::uint64_t active = 0;
    std::uint32_t bytes = 0, begin = 0;
    LaneShape shape = LaneShape::any;
    Starts starts{};  ///< from the first
    bool two_parts = false;
    std::uint32_t misses = 0;  ///< in a row
    std::uint64_t cost = 0;
    std::size_t lines = 0;  ///< of the vector L1's size
    bool ascending = false;
    LineNumbers line{},
        spread{};  ///< relative to the line of the first lane; the same times kLineFactor
    alignas(
        64) std::array<std::uint64_t, kLanes> distance{};  ///< of lanes from the first active one
  };
  /// Whether the operation's last access had the pattern of this one; it has afterwards.
  bool is_known(Pattern& pattern, const Access& access) const;
  bool recognize(Pattern& pattern, const Access& access) const;
  [[nodiscard]] std::uint64_t conflicts_of(Pattern& pattern, Access& access, bool known);
  Pattern& pattern_of(const Op& op);
  void count_global(std::uint32_t operation, InstructionCounts& row, Pattern& pattern, bool known,
                    Access& access);
  void count_scalar(std::uint32_t operation, InstructionCounts& row, const Access& access);
  void set_lines(Pattern& pattern, const Access& access) const;

  /// By operation: how many more than of the one before it ran, and their lanes; differences wrap around.
  struct Run {
    std::uint64_t executed = 0, lanes = 0;
  };

  Counts& counts_;
  const Program& program_;
  std::vector<Run> runs_;
  unsigned line_shift_;
  LineLog* log_ = nullptr;
  std::vector<std::unique_ptr<Pattern>> patterns_;  ///< by operation; made on first use
};

/// Adds what another thread counted of the same program, before its lines are divided among caches.
void add(Counts& counts, const Counts& other);

/// Sums the rows of by_instruction into the totals by class.
void finish(Counts& counts, const Program& program);

}  // namespace rpl::emu
