// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"

namespace rpl::isa {

/// The sections that say where code comes from; empty ones are missing. They borrow the file's bytes.
struct DebugSections {
  ByteView line, line_str, str, info, abbrev, addr, rnglists, ranges, str_offsets, loclists, loc;

  /// A section that is compressed, and where it belongs once it is not: see plain_sections().
  struct Compressed {
    ByteView DebugSections::* place = nullptr;
    ByteView bytes;  ///< with its header
  };
  std::vector<Compressed> compressed;
};

/// From `address` to the next row's address the code comes from this place.
struct LineRow {
  std::uint64_t address = 0;  ///< relative to the load base
  std::uint32_t file = 0;     ///< index into LineProgram::files
  std::uint32_t line = 0;     ///< 0: no source line made this code
  std::uint32_t column = 0;
  bool statement = false;  ///< a good place for a breakpoint
  bool body = false;  ///< where a function has set up its registers and stack: DWARF's prologue_end
  bool end = false;   ///< nothing is known from here on
};

/// What one compilation unit's line number program says. Rows are in the order of the program.
struct LineProgram {
  std::vector<std::string> files;  ///< paths, joined with their directories
  std::uint16_t version = 0;
  std::vector<LineRow> rows;
};

/// Runs the line number program at `offset` of .debug_line. Format: DWARF 4 and 5, section 6.2. Fails with corrupt, or
/// with unsupported for other versions. `next` is where the following program begins.
Result<LineProgram> read_line_program(const DebugSections& sections, std::uint64_t offset,
                                      std::uint64_t& next);

}  // namespace rpl::isa
