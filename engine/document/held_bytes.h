// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "engine/document/document.h"

namespace rpl {

/// About how many bytes of memory a value takes: its own and those of its texts, lists and records.
std::size_t held_bytes(const Value& value);

/// The same for a document with the rows that it has. What rows made on demand are read from is shared with others and not counted.
std::size_t held_bytes(const Document& document);

}  // namespace rpl
