// SPDX-License-Identifier: MIT
#include "engine/isa/object/debug_units.h"

#include <fmt/format.h>

namespace rpl::isa {

Failure broken_debug_info(std::string_view what) {
  return fail(Errc::corrupt, fmt::format("debug information: {}", what),
              "build the code object again");
}

Result<DebugAbbreviations> read_abbreviations(ByteView section, std::uint64_t offset) {
  constexpr std::uint64_t kImplicitConst = 0x21;
  DebugAbbreviations all;
  DwarfCursor at(section, offset);
  for (std::uint64_t code = at.uleb(); code != 0; code = at.uleb()) {
    DebugAbbreviation& entry = all[code];
    entry.tag = at.uleb();
    entry.children = at.u8() != 0;
    while (at.ok()) {
      DebugAbbreviation::Attribute attribute;
      attribute.name = at.uleb();
      attribute.form = at.uleb();
      if (attribute.form == kImplicitConst) attribute.constant = at.sleb();
      if (attribute.name == 0 && attribute.form == 0) break;
      entry.attributes.push_back(attribute);
    }
    if (!at.ok()) return broken_debug_info("abbreviations are cut short");
  }
  if (!at.ok()) return broken_debug_info("abbreviations are cut short");
  return all;
}

Result<DebugUnitStart> read_unit_header(const DebugSections& sections, std::uint64_t offset) {
  DebugUnitStart start;
  DwarfCursor at(sections.info, offset);
  start.header.begin = offset;
  std::uint64_t length = at.fixed<std::uint32_t>();
  if (length == 0xffffffff) {
    length = at.fixed<std::uint64_t>();
    start.header.offset_bytes = 8;
  }
  if (!at.ok() || !sections.info.contains(at.offset(), length)) {
    return broken_debug_info("a unit is outside its section");
  }
  start.header.end = at.offset() + length;
  start.header.version = at.fixed<std::uint16_t>();
  if (start.header.version < 4 || start.header.version > 5) {
    return fail(Errc::unsupported,
                fmt::format("debug information of DWARF version {}", start.header.version),
                "compile with -gdwarf-5 or -gdwarf-4");
  }
  constexpr std::uint8_t kCompile = 1;
  if (start.header.version == 5) {
    start.compile = at.u8() == kCompile;
    start.header.address_bytes = at.u8();
    start.header.abbrev_offset = at.sized(start.header.offset_bytes);
  } else {
    start.header.abbrev_offset = at.sized(start.header.offset_bytes);
    start.header.address_bytes = at.u8();
  }
  start.first_entry = at.offset();
  if (!at.ok()) return broken_debug_info("a unit's header is cut short");
  return start;
}

}  // namespace rpl::isa
