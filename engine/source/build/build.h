// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/source/build/compiler.h"
#include "engine/source/build/diagnostics.h"

namespace rpl {

/// What to compile.
struct BuildRequest {
  std::string source;        ///< path of a HIP source
  std::string architecture;  ///< "gfx942"
  std::string output;        ///< path; appears complete or not at all
  bool device_only = true;  ///< a plain code object; else an executable for the host with it inside
  std::vector<std::string> include_folders = {};  ///< searched after the source's own
  std::vector<std::string> flags = {};            ///< put behind ours, so that they win
};

struct BuildOutcome {
  bool built = false;
  std::string command;  ///< as it could be typed
  std::vector<Diagnostic> diagnostics;
  std::int64_t wall_ns = 0;
  bool cached = false;  ///< taken from the compiler's cache, where an equal build had put it
};

/// Compiles with -O3 -std=c++17. A source with errors is no failure of this function: `built` is false and the diagnostics say why.
/// Fails with not_found for the source, missing_capability, interrupted, timeout, io, or internal with the last output of a compiler
/// that failed without a diagnostic. A code object comes from `compiler.cache` where an equal build put it, and is kept there.
Result<BuildOutcome> build_hip(const Compiler& compiler, const BuildRequest& request);

/// Whether the code object at `request.output` comes out equal, byte by byte, when it is built again by the compiler itself. What came out twice is
/// remembered with the cached object and not compiled a third time. Fails as build_hip does.
Result<bool> builds_equal_again(const Compiler& compiler, const BuildRequest& request);

/// $XDG_CACHE_HOME/rpl/builds, else ~/.cache/rpl/builds.
std::string build_cache_folder();

/// How this compiler is told where HIP's headers are; nothing for hipcc, which knows its own.
std::vector<std::string> header_flags(const Compiler& compiler);

/// "a.hip:12:5: use of undeclared identifier 'q' (2 more errors)"; empty without an error.
std::string first_error(const BuildOutcome& outcome);

}  // namespace rpl
