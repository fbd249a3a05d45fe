// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/base/element.h"

namespace rpl {

/// The elements in an order that does not depend on that of the waves that left them: by number where they are floats, by their bytes where these are equal, or no numbers.
std::vector<std::byte> sorted_elements(Element element, std::span<const std::byte> bytes);

/// Whether both hold the same elements, each as often, in any order. Both are as long.
bool same_in_some_order(Element element, std::span<const std::byte> one,
                        std::span<const std::byte> other);

/// What lies at the same place of two buffers with as many elements each.
struct ElementPairs {
  Element first_element, second_element;
  std::span<const std::byte> first, second;
};
/// Whether both hold the same pairs, each as often, in any order.
bool same_pairs(const ElementPairs& one, const ElementPairs& other);

}  // namespace rpl
