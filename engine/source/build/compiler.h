// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// Whose HIP headers sources are compiled with: the installed ones where there are any, those alone, or this project's own.
enum class HipHeaders { automatic, installed, own };

/// A program that compiles HIP sources.
struct Compiler {
  enum class Kind { hipcc, clang } kind = Kind::clang;
  std::string path;
  std::string version;  ///< the first line of `--version`: two builds by one version are comparable
  /// Why it is this one: "named", "clang 19 comes first: most was tried with it", "clang-19 does not know gfx…".
  std::string chosen = {};
  std::string
      own_headers;  ///< the folder whose include/ has the project's own HIP headers, where those are used; else empty
  /// Beside installed headers: the folder whose include/ has those that the installed ones lack, searched last; empty where it is not there.
  std::string later_headers = {};
  bool named = false;      ///< by who asks: no other takes its place
  std::string cache = {};  ///< folder of kept code objects; empty: every build runs the compiler
  /// Of processor time for each process of a build that is confined (confined.h), and three times as long by the clock. A kernel takes seconds; a source can take for ever.
  std::uint64_t confined_seconds = 60;

  /// "own" or "installed".
  [[nodiscard]] std::string headers() const { return own_headers.empty() ? "installed" : "own"; }
};

/// Finds `program` (a path or a name in PATH); when empty: hipcc of $ROCM_PATH, of /opt/rocm, then a clang of the distribution: 19, which most was tried with, then
/// the newest of 22, 21 and 20, one with its linker before one without. hipcc of ROCm is untested here. Fails with missing_capability and the command that
/// installs what is missing, the headers too, and with usage where hipcc, which has its own, is to take others.
Result<Compiler> find_compiler(const std::string& program = {},
                               HipHeaders headers = HipHeaders::automatic);

/// `compiler`, or where nobody named it and it does not know the architecture ("gfx942:xnack+") the next that does.
/// Fails with missing_capability and the package of a later one where it is known not to know it.
Result<Compiler> compiler_of_architecture(const Compiler& compiler,
                                          const std::string& architecture);

/// Clangs of the distribution that are here beside `compiler`: "clang-22 (Debian clang version 22.1.8 (1~deb12u1))".
std::vector<std::string> other_compilers(const Compiler& compiler);

/// The number behind "version " in what a compiler says of itself; 0 when there is none.
int major_version(const Compiler& compiler);

/// "auto", "installed", "own". Fails with usage.
Result<HipHeaders> read_hip_headers(const std::string& name);

/// The folder with device bitcode for one architecture ("gfx942"), to be passed as --rocm-device-lib-path: $RPL_DEVICE_LIBS, else the newest of the distribution that
/// the compiler can read. Where that one lacks the architecture's own file, which holds nothing but its number, a folder of links with this one file made
/// new appears under `cache_folder`. Empty for hipcc, which knows its own. Fails with missing_capability.
Result<std::string> device_libraries(const Compiler& compiler, const std::string& architecture,
                                     const std::string& cache_folder);

/// The same for a program with its host side, where clang cannot be told of further libraries for the device alone: for a compiler that leaves two of them out, a folder
/// whose ocml.bc holds them.
Result<std::string> device_libraries_of_programs(const Compiler& compiler,
                                                 const std::string& architecture,
                                                 const std::string& cache_folder);

/// Libraries of `folder` that this compiler, being of a later version than they, does not link by itself: paths.
std::vector<std::string> libraries_left_out(const Compiler& compiler, const std::string& folder);

/// $XDG_CACHE_HOME/rpl, else ~/.cache/rpl: what can be made again.
std::string cache_folder();

}  // namespace rpl
