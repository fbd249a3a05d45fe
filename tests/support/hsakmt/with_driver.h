// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <string>

#include "engine/process/run.h"

/// For tests that run a program on AMD's runtimes over the stand-in for the kernel driver. Needs RPL_EMULATED_DRIVER, the folder with
/// the stand-in, and no kernel driver or GPU.
namespace rpl {

/// Why a test of that run-time library cannot run here; empty when it can. The library is opened in this process, which does not start it.
inline std::string missing_runtime(const char* library) {
  void* handle = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return std::string(library) + " is not installed";
  ::dlclose(handle);
  return {};
}

/// The same program with the stand-in in front, for itself and its children alone.
inline Spawn with_driver(Spawn spawn) {
  spawn.env.emplace_back("LD_LIBRARY_PATH=" RPL_EMULATED_DRIVER);
  return spawn;
}

}  // namespace rpl
