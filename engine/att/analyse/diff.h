// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/att/analyse/lines.h"
#include "engine/att/analyse/summary.h"

/// Two builds of a kernel, instruction by instruction.
namespace rpl::att {

/// An instruction of one or both builds. Cycles are latency + idle per traced wave, so that all of them add up to the life of a wave.
struct DiffRow {
  std::uint32_t before = CodeTable::kNone,
                after = CodeTable::kNone;  ///< rows of the listings; kNone where it is missing
  double before_cycles = 0, after_cycles = 0;
  double before_stall = 0, after_stall = 0;
  [[nodiscard]] double change() const { return after_cycles - before_cycles; }
};

struct TraceDiff {
  double before_waves = 0, after_waves = 0;    ///< by which cycles are divided
  double before_cycles = 0, after_cycles = 0;  ///< mean life of a wave
  std::vector<DiffRow> rows;                   ///< in the order of the code
  std::uint64_t matched = 0, added = 0, removed = 0;
  std::map<std::string, double> change_by_cause;  ///< cycles per wave, by the names of cycle causes
  std::vector<std::string> notes;
  [[nodiscard]] double change() const { return after_cycles - before_cycles; }
};

/// Aligns the executed functions. Instructions are matched in order: equal text first, then equal mnemonics, preferably of the same source line.
/// Fails with not_found when one side has no instructions.
Result<TraceDiff> diff_traces(const ThreadTrace& before, const ThreadTrace& after);

/// Pairs (i, j) of equal mnemonics in ascending order, of greatest total similarity; for texts of up to a few thousand instructions exact,
/// beyond that between unique equal instructions.
std::vector<std::pair<std::uint32_t, std::uint32_t>> align_listings(
    const std::vector<const Instruction*>& a, const std::vector<const Instruction*>& b);

/// The causes of cycles_by_cause: issue, drain, idle, wait COUNTER, wait barrier, stall PIPE; cycles by name.
std::map<std::string, std::uint64_t> causes_of(const Instruction& row);

}  // namespace rpl::att
