// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/debug_values.h"

namespace rpl::isa {

/// One line of .debug_abbrev: what an entry of this code looks like.
struct DebugAbbreviation {
  std::uint64_t tag = 0;
  bool children = false;
  struct Attribute {
    std::uint64_t name = 0, form = 0;
    std::int64_t constant = 0;  ///< of DW_FORM_implicit_const
  };
  std::vector<Attribute> attributes;
};
using DebugAbbreviations = std::map<std::uint64_t, DebugAbbreviation>;

/// The table at `offset` of .debug_abbrev, by code. Fails with corrupt.
Result<DebugAbbreviations> read_abbreviations(ByteView section, std::uint64_t offset);

/// Where a unit of .debug_info begins, and what its values are encoded with.
struct DebugUnitStart {
  DebugUnitHeader header;
  std::uint64_t first_entry = 0;  ///< offset in .debug_info
  bool compile = true;            ///< no unit of types, and none that is split
};

/// The header at `offset` of .debug_info; the bases of its tables stand in its first entry. Fails with corrupt, or with unsupported for versions
/// other than 4 and 5.
Result<DebugUnitStart> read_unit_header(const DebugSections& sections, std::uint64_t offset);

/// The error of debug information that breaks its format.
Failure broken_debug_info(std::string_view what);

}  // namespace rpl::isa
