// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// A kernel's definition as it stands in its file, and what it uses of that file.
struct KernelText {
  std::string definition;
  /// Functions, macros, types and variables of the file that the definition names, directly or through each other, in the order of the file.
  /// Other kernels, `main` and includes are left out. Known by spelling: a name of another scope may bring too much, never too little.
  std::string context;
};

/// Fails as find_target() does.
Result<KernelText> kernel_text(std::string_view source, std::string_view kernel);

}  // namespace rpl
