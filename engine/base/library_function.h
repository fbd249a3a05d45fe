// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

namespace rpl {

/// Looks `name` up in a library that dlopen() gave, and keeps it in `function`, whose type the library's header says; false, and null, when the library lacks it.
template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace rpl
