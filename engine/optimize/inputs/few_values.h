// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/optimize/inputs/input_sets.h"

namespace rpl {

/// Makes of contents that were drawn again (`out`, as long as `captured`) what holds few different values (InputClass::few), is nearly all zero (sparse), or is one integer everywhere (uniform): long stretches of one
/// value, then two or three of them in turns. Indices keep their extent, and what is sorted its ends and order; what is distinct, addresses and what was not drawn stay as they are.
void keep_few(InputClass kind, const BufferTraits& traits, std::span<const std::byte> captured,
              Random& random, std::vector<std::byte>& out);

/// Puts the elements in ascending order, NaN last.
void sort_elements(Element element, std::vector<std::byte>& bytes);
/// Whether they are, and neither all alike nor fewer than 8.
bool is_ascending(Element element, std::span<const std::byte> bytes);

}  // namespace rpl
