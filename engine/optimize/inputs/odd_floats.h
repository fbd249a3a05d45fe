// SPDX-License-Identifier: MIT
#pragma once

#include "engine/optimize/inputs/input_sets.h"

/// Floats that are no usual numbers, of either sign, drawn and written as bits of an element.
namespace rpl {

/// The smallest denormal, or any other one.
void store_denormal(Element element, Random& random, std::byte* at);
/// Quiet ones with any payload, and the one all of whose bits are ones. No signalling ones: compilers may take them for quiet ones (llvm.org/docs/LangRef.html,
/// "Behavior of Floating-Point NaN values"), and do so where they unroll a maximum.
void store_nan(Element element, Random& random, std::byte* at);

}  // namespace rpl
