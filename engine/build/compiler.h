// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"

namespace rpl {

/// A program that compiles HIP sources.
struct Compiler {
  enum class Kind { hipcc, clang } kind = Kind::clang;
  std::string path;
  std::string version;  ///< the first line of `--version`: two builds by one version are comparable
};

/// Finds `program` (a path or a name in PATH); when empty: hipcc of $ROCM_PATH, of /opt/rocm, then clang-19 of Debian.
/// hipcc of ROCm is untested here. Fails with missing_capability and the command that installs one.
Result<Compiler> find_compiler(const std::string& program = {});

/// The folder with device bitcode for one architecture ("gfx942"), to be passed as --rocm-device-lib-path: $RPL_DEVICE_LIBS, else
/// Debian's. Where that one lacks the architecture's own file, which holds nothing but its number, a folder of links with this one
/// file made new appears under `cache_folder`. Empty for hipcc, which knows its own. Fails with missing_capability.
Result<std::string> device_libraries(const Compiler& compiler, const std::string& architecture,
                                     const std::string& cache_folder);

/// $XDG_CACHE_HOME/rpl, else ~/.cache/rpl: what can be made again.
std::string cache_folder();

}  // namespace rpl
