// SPDX-License-Identifier: MIT
#include "engine/base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace rpl {

std::string demangled(const std::string& name) {
  // Without the prefix the library takes a name for a type: "f" for float.
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

}  // namespace rpl
