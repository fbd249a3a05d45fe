// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "engine/isa/object/dwarf_cursor.h"
#include "engine/isa/object/line_program.h"

namespace rpl::isa {

/// What the values of one unit are encoded with.
struct DebugUnitHeader {
  std::uint64_t begin = 0;  ///< of the unit in .debug_info; references count from here
  std::uint64_t end = 0;
  std::uint64_t abbrev_offset = 0;
  std::uint16_t version = 0;
  unsigned offset_bytes = 4;  ///< 8 in 64-bit DWARF
  unsigned address_bytes = 8;
  std::uint64_t str_offsets_base = 0, addr_base = 0, rnglists_base = 0, loclists_base = 0;
  std::uint64_t base_address = 0;  ///< the unit's low_pc, to which ranges are relative
};

/// A value as it stands in the file; what it means depends on the form.
struct DebugValue {
  std::uint64_t form = 0;
  std::uint64_t number = 0;
  std::string_view text;  ///< of an inline string
  ByteView block;         ///< of a block or an expression
};

/// Reads the value of one attribute and goes past it. Fails with corrupt, or unsupported for an unknown form.
Result<DebugValue> read_debug_value(DwarfCursor& at, std::uint64_t form, std::int64_t constant,
                                    const DebugUnitHeader& unit);

/// nullopt when it is not a string, or is outside its section.
std::optional<std::string_view> debug_text(const DebugSections& sections,
                                           const DebugUnitHeader& unit, const DebugValue& value);
/// nullopt when it is not an address.
std::optional<std::uint64_t> debug_address(const DebugSections& sections,
                                           const DebugUnitHeader& unit, const DebugValue& value);
/// Offset in .debug_info of what a reference names; nullopt for anything else.
std::optional<std::uint64_t> debug_reference(const DebugUnitHeader& unit, const DebugValue& value);

}  // namespace rpl::isa
