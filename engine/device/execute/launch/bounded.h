// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// What keeps a number within a constant without a condition: the lesser or greater of both, or its lowest bits alone.
struct Bound {
  enum class Kind : std::uint8_t { least, greatest, low_bits } kind = Kind::least;
  Type type = Type::u32;  ///< i32 is u32 with `is_signed`
  bool is_signed = false;
  std::uint32_t constant = 0;
  Source number;  ///< what is bounded, a vector or scalar register
};

/// Nothing for other instructions, those with modifiers, whole bounds up to 64 and masks of up to 8 or of 16 bits, as compilers make of the ends of loops, numbers of lanes and small types, and what a
/// maximum or minimum begins with: 0 of floats, the largest number, infinity.
std::optional<Bound> bound_of(const Op& op);

/// Which sides showed with the lanes of the wave that are on: bit 0, a number within the bound; bit 1, one beyond it. Equal ones show neither.
std::uint8_t shown_by(const Bound& bound, const Wave& wave);

}  // namespace rpl::emu
