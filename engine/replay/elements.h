// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "engine/base/element.h"

/// Typed views of the bytes that a kernel left.
namespace rpl {

/// An element as a number: exact but for 64-bit integers beyond 2^53. `at` holds size_of(element) bytes.
double element_number(Element element, const std::byte* at);
/// Stores a number in a type: rounded, bf16 cut off; of integers the whole part, which has to lie within 64 bits. `at` has size_of(element) bytes.
void store_number(Element element, double value, std::byte* at);
/// The shortest text that reads back as the same element: "-3", "0.1", "nan".
std::string element_text(Element element, const std::byte* at);

}  // namespace rpl
