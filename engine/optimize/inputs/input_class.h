// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace rpl {

/// Where drawn contents come from.
enum class InputClass : std::uint8_t {
  captured,
  again,    ///< within the captured range
  ties,     ///< small whole numbers of both signs, many of them equal, zeros of both signs
  wide,     ///< both signs, exponents over a wide range; integers: any bits
  special,  ///< some elements are zeros of both signs, denormals, infinities, NaN; integers: the ends of their range
  edges,  ///< infinities at the ends of rows, among zeros; integers: neighbours of a large one, whole stretches of the ends of their range
  few,    ///< few different values, in long stretches and in turns
  sparse,    ///< nearly all of them zero
  uniform,   ///< integers: all of them one number
  around,    ///< near constants of one candidate, below and above
  sizes,     ///< scalar arguments are other ones, too
  larger,    ///< larger buffers, with a scalar argument that is as much larger
  residues,  ///< integers: multiples of a constant of the baseline's code, more or less another one
  moved,     ///< buffers begin elsewhere, aligned as their elements need and no more
  launch,    ///< another grid or workgroup with which the baseline gives the captured results
};
/// Whether that is what keep_few() draws.
constexpr bool has_few_values(InputClass kind) {
  return kind == InputClass::few || kind == InputClass::sparse || kind == InputClass::uniform;
}
/// As messages name it: "captured input".
std::string_view to_string(InputClass kind);

}  // namespace rpl
