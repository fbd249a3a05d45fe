// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <string>

#include "engine/process/run.h"

/// For tests that run a program on AMD's runtimes over a stand-in for the driver. Needs RPL_EMULATED_DRIVER, the folder with
/// the stand-ins, and no kernel driver or GPU.
namespace rpl {

/// Why a test of that run-time library cannot run here; empty when it can. The library is opened in this process, which does not start it.
inline std::string missing_runtime(const char* library) {
  // It stays: HIP 5.7 of Debian 13 ends a program that opens it, closes it and opens it again, since LLVM is left and registers its options twice.
  void* handle = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return std::string(library) + " is not installed";
  ::dlclose(handle);
  return {};
}

/// Which of the stand-ins: the one for libhsakmt, or the one for the kernel driver below the real libhsakmt.
enum class StandIn : std::uint8_t { library, kernel };

/// The same program with the stand-in in front, for itself and its children alone.
inline Spawn with_driver(Spawn spawn, StandIn which = StandIn::library) {
  spawn.env.emplace_back(which == StandIn::library ? "LD_LIBRARY_PATH=" RPL_EMULATED_DRIVER
                                                   : "LD_PRELOAD=" RPL_EMULATED_DRIVER
                                                     "/libkfd.so");
  return spawn;
}

}  // namespace rpl
