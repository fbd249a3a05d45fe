// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl {

/// "scale(float*, int)" of "_Z5scalePfi" (Itanium C++ ABI); a name that is not mangled comes back as it is.
std::string demangled(const std::string& name);

}  // namespace rpl
