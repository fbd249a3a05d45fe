// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/element.h"

namespace rpl {

/// A parameter as a kernel's name has it.
struct ParameterType {
  bool pointer = false;  ///< to `element`, or to what is not known
  std::optional<Element>
      element;  ///< nothing for structs, pointers to pointers, types of no such size
};

/// The parameters of a kernel by its mangled name (Itanium C++ ABI), in order; empty for a name that is not mangled. Code objects say of
/// a parameter only its size.
std::vector<ParameterType> parameter_types(const std::string& mangled);

}  // namespace rpl
