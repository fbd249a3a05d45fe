// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"

namespace rpl {

/// Whose HIP headers sources are compiled with: the installed ones where there are any, those alone, or this project's own.
enum class HipHeaders { automatic, installed, own };

/// A program that compiles HIP sources.
struct Compiler {
  enum class Kind { hipcc, clang } kind = Kind::clang;
  std::string path;
  std::string version;  ///< the first line of `--version`: two builds by one version are comparable
  std::string
      own_headers;  ///< the folder whose include/ has the project's own HIP headers, where those are used; else empty
  /// Beside installed headers: the folder whose include/ has those that the installed ones lack, searched last; empty where it is not there.
  std::string later_headers = {};
  std::string cache = {};  ///< folder of kept code objects; empty: every build runs the compiler

  /// "own" or "installed".
  [[nodiscard]] std::string headers() const { return own_headers.empty() ? "installed" : "own"; }
};

/// Finds `program` (a path or a name in PATH); when empty: hipcc of $ROCM_PATH, of /opt/rocm, then clang-19 of Debian.
/// hipcc of ROCm is untested here. Fails with missing_capability and the command that installs what is missing, the headers too, and
/// with usage where hipcc, which has its own, is to take others.
Result<Compiler> find_compiler(const std::string& program = {},
                               HipHeaders headers = HipHeaders::automatic);

/// "auto", "installed", "own". Fails with usage.
Result<HipHeaders> read_hip_headers(const std::string& name);

/// The folder with device bitcode for one architecture ("gfx942"), to be passed as --rocm-device-lib-path: $RPL_DEVICE_LIBS, else
/// Debian's. Where that one lacks the architecture's own file, which holds nothing but its number, a folder of links with this one
/// file made new appears under `cache_folder`. Empty for hipcc, which knows its own. Fails with missing_capability.
Result<std::string> device_libraries(const Compiler& compiler, const std::string& architecture,
                                     const std::string& cache_folder);

/// $XDG_CACHE_HOME/rpl, else ~/.cache/rpl: what can be made again.
std::string cache_folder();

}  // namespace rpl
