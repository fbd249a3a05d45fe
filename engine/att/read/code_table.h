// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/att/read/category.h"
#include "engine/base/result.h"

namespace rpl::att {

/// Why a sampled wave did not issue (rocprofiler-sdk, "pc_sampling_instruction_not_issued_reason").
inline constexpr std::size_t kStallReasons = 10;
std::string_view stall_reason_name(std::size_t reason);

/// PC samples of one instruction.
struct Samples {
  std::uint64_t issued = 0;                            ///< the sampled wave issued
  std::uint64_t stalled = 0;                           ///< it did not
  std::array<std::uint64_t, kStallReasons> reasons{};  ///< of those that did not
  std::uint64_t lanes = 0;  ///< sum of active lanes over all samples; 0 where the file has no masks
  std::uint64_t waves = 0;  ///< sum of the waves that were resident beside it; 0 where not recorded

  [[nodiscard]] std::uint64_t count() const { return issued + stalled; }
};

/// One row of the listing: an instruction, or the label in front of a function. Cycles are shader-clock cycles of waves, summed over
/// all traced waves.
struct Instruction {
  std::string text;  ///< "s_waitcnt lgkmcnt(0)"; "; name" for a label
  std::string
      source;  ///< "file:line", an inlined chain "leaf:line -> caller:line", or ""; a label's demangled name
  std::int64_t line = 0;         ///< the key by which wave files name it
  std::int64_t code_object = 0;  ///< load id; 0: unknown, then `address` is where it was in memory
  std::uint64_t address = 0;     ///< ELF virtual address
  std::uint64_t hit = 0;         ///< executions
  std::uint64_t latency = 0;  ///< cycles from the first attempt to the end of issue; includes stall
  std::uint64_t stall = 0;    ///< cycles of these in which it could not issue
  std::uint64_t idle =
      0;  ///< cycles between the end of what the wave ran before and the first attempt
  bool label = false;
  Traits traits = {};
};

/// The instructions of a thread trace, in the order of its file. Immutable once read.
struct CodeTable {
  std::vector<Instruction> rows;
  std::vector<Samples> samples;  ///< by row; empty when nothing was sampled
  bool timed = true;             ///< hits and cycles were recorded; false for samples alone

  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// The row of a line number, kNone for one that names no instruction (labels too).
  [[nodiscard]] std::uint32_t row_of(std::int64_t line) const {
    if (line >= 0 && static_cast<std::uint64_t>(line) < dense_.size())
      return dense_[static_cast<std::size_t>(line)];
    if (sparse_.empty()) return kNone;
    const auto found = sparse_.find(line);
    return found == sparse_.end() ? kNone : found->second;
  }
  /// To be called once when all rows are there.
  void index();
  /// What the label in front of a row says: the demangled name, else the symbol; "" without one.
  [[nodiscard]] std::string function_of(std::uint32_t row) const;

 private:
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::int64_t, std::uint32_t> sparse_;
};

/// What a reader had to leave out of a file that could be read otherwise.
struct ReadNotes {
  std::vector<std::string> notes;
  void add(std::string note) { notes.push_back(std::move(note)); }
};

/// Values above this are refused as damage, so that sums over a whole table cannot overflow.
inline constexpr std::uint64_t kLargestCell = std::uint64_t{1} << 42;
inline constexpr std::size_t kMostRows = std::size_t{1} << 20;

/// Reads code.json in all its column sets (header as text or list; 10, 13 or 14 columns). A table without rows is no error. Fails with not_found, io,
/// corrupt, or unsupported for the older attv2 format. `name` stands in messages.
Result<CodeTable> read_code_json(std::string_view json, std::string_view name, ReadNotes& notes);
Result<CodeTable> read_code_file(const std::string& path, ReadNotes& notes);

/// Reads stats_ui_output_*.csv. It has no line numbers: rows are numbered in their order, which wave files do not know.
Result<CodeTable> read_stats_csv(const std::string& path, ReadNotes& notes);

}  // namespace rpl::att
