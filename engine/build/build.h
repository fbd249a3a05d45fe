// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/build/compiler.h"
#include "engine/build/diagnostics.h"

namespace rpl {

/// What to compile.
struct BuildRequest {
  std::string source;        ///< path of a HIP source
  std::string architecture;  ///< "gfx942"
  std::string output;        ///< path; appears complete or not at all
  bool device_only = true;   ///< a plain code object; else an executable for the host with it inside
  std::vector<std::string> include_folders = {};  ///< searched after the source's own
  std::vector<std::string> flags = {};            ///< put behind ours, so that they win
};

struct BuildOutcome {
  bool built = false;
  std::string command;  ///< as it could be typed
  std::vector<Diagnostic> diagnostics;
  std::int64_t wall_ns = 0;
};

/// Compiles with -O3 -std=c++17. A source with errors is no failure of this function: `built` is false and the diagnostics say why.
/// Fails with not_found for the source, missing_capability, interrupted, timeout, io, or internal with the last output of a compiler
/// that failed without a diagnostic.
Result<BuildOutcome> build_hip(const Compiler& compiler, const BuildRequest& request);

/// How this compiler is told where HIP's headers are; nothing for hipcc, which knows its own.
std::vector<std::string> header_flags(const Compiler& compiler);

/// "a.hip:12:5: use of undeclared identifier 'q' (2 more errors)"; empty without an error.
std::string first_error(const BuildOutcome& outcome);

}  // namespace rpl
