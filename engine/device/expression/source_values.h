// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/device/expression/datum.h"

/// What types of the source add to values: sizes, names, members.
namespace rpl::debug {

/// Of one value; 0 for what is not described, and for what would be larger than any variable.
std::uint64_t source_bytes(const isa::SourceType* type);
/// Of a pointer to, or an array of, arrays: "int (*)[4]", "int [3][4]".
std::string array_text(const Type& type);
/// "Kind::first", as GDB prints it; "(Kind::first | unknown: 0x8)" is written as the number.
std::string enumerator_text(const Datum& datum);

}  // namespace rpl::debug
