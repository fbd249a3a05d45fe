// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace rpl::emu::hip {

/// A source that hiprtc was handed, and what became of it.
struct SourceProgram {
  std::string source, name;  ///< the name as messages show it
  std::vector<std::pair<std::string, std::string>> headers =
      {};                                     ///< by the name of #include, with their text
  std::vector<std::string> expressions = {};  ///< names whose lowered ones are wanted
  std::map<std::string, std::string> lowered = {};
  std::string log;
  std::vector<std::byte> code = {};
  bool compiled = false;
};

/// Compiles it for an architecture ("gfx90a") as `rpl build` does: by clang or hipcc, with HIP's headers included before the source. `options` are those
/// of hiprtc; one that names another architecture fails. False when the source has errors, which are in the log. Fails with missing_capability without a
/// compiler, usage for an option, and as build_hip() does.
Result<bool> compile_program(SourceProgram& program, std::string_view architecture,
                             const std::vector<std::string>& options);

}  // namespace rpl::emu::hip
