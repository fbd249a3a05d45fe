// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "engine/document/value.h"

namespace rpl::llm {

/// How much of two canonical requests agrees: bytes of equal fields and of the equal beginnings of their texts.
std::size_t likeness(const Record& recorded, const Record& asked);

/// "temperature is 0.2 there and 0.7 here", "messages[1].content, line 12: there '…', here '…'". The requests differ.
std::string first_difference(const Record& recorded, const Record& asked);

}  // namespace rpl::llm
