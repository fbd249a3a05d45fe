// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/element.h"
#include "engine/document/value.h"

namespace rpl::triton {

/// Names and types of the parameters of `kernel` in Triton's IR (NAME.ttir), in order, as Triton spells types: "*fp32", "i32". Older versions call them arg0,
/// arg1, … Empty where there is no such function, or its parentheses do not end.
Record signature_in(std::string_view ir, std::string_view kernel);

/// What "*fp32" points to; none for what is no pointer, and for types that are compared byte by byte.
std::optional<Element> element_behind(std::string_view type);

}  // namespace rpl::triton
