// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/debug_values.h"
#include "engine/isa/object/line_program.h"

namespace rpl::isa {

/// A function, or one place where a function was inlined.
struct CodeScope {
  std::string function;  ///< name as written in the source; "" when not recorded
  bool inlined = false;
  std::uint32_t depth = 0;  ///< functions are 0, what was inlined into them 1, and so on
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      ranges;  ///< [begin, end), relative to the load base
  // Of an inlined function: where it was called.
  std::uint32_t call_file = 0;  ///< index into the files of the unit's line program
  std::uint32_t call_line = 0, call_column = 0;
};

/// One compilation unit: where its line program begins, and its scopes with code, outer before inner.
struct DebugUnit {
  std::uint64_t line_offset = 0;
  bool has_lines = false;
  std::vector<CodeScope> scopes;
};

/// Reads .debug_info as far as it says which code belongs to which function. Format: DWARF 4 and 5, chapter 7. Fails
/// with corrupt, or with unsupported for other versions and split files.
Result<std::vector<DebugUnit>> read_debug_info(const DebugSections& sections);

using CodeRanges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The addresses that a DW_AT_ranges value names: .debug_ranges in DWARF 4, .debug_rnglists in DWARF 5 (2.17.3, 7.25).
/// Fails with corrupt.
Result<CodeRanges> read_code_ranges(const DebugSections& sections, const DebugUnitHeader& unit,
                                    const DebugValue& value);

}  // namespace rpl::isa
