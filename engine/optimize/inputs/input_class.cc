// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/input_class.h"

namespace rpl {

std::string_view to_string(InputClass kind) {
  switch (kind) {
    case InputClass::captured:
      return "captured input";
    case InputClass::again:
      return "inputs drawn again";
    case InputClass::ties:
      return "signs and ties";
    case InputClass::wide:
      return "wide exponents";
    case InputClass::special:
      return "NaN, infinities, denormals";
    case InputClass::edges:
      return "infinities at ends of rows";
    case InputClass::few:
    case InputClass::sparse:
      return "few different values";
    case InputClass::uniform:
      return "one value everywhere";
    case InputClass::larger:
      return "larger buffers";
    case InputClass::around:
      return "around constants of the candidate";
    case InputClass::residues:
      return "multiples of the code's constants";
    case InputClass::moved:
      return "other addresses";
    case InputClass::sizes:
      return "other scalar arguments";
    default:
      return "another launch";
  }
}

}  // namespace rpl
