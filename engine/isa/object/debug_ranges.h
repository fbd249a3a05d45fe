// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "engine/isa/object/debug_values.h"

namespace rpl::isa {

using CodeRanges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The addresses that a DW_AT_ranges value names: .debug_ranges in DWARF 4, .debug_rnglists in DWARF 5 (2.17.3, 7.25).
/// Fails with corrupt.
Result<CodeRanges> read_code_ranges(const DebugSections& sections, const DebugUnitHeader& unit,
                                    const DebugValue& value);

}  // namespace rpl::isa
