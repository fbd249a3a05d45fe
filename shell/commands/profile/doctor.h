// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/target/traits.h"

namespace rpl {

class Face;
class SessionLog;
class Settings;

enum class CheckStatus {
  ok,
  missing,
  warning,     ///< there, but in a state that spoils something
  not_needed,  ///< missing, and nothing that is done on this machine asks for it
  unknown,     ///< the system does not say
};
/// "ok", "missing", "warning", "not needed", "unknown".
std::string_view to_string(CheckStatus status);

/// One thing that `doctor` looked at.
struct Check {
  std::string group;  ///< "building kernels"
  std::string name;   ///< "device libraries"
  CheckStatus status = CheckStatus::ok;
  bool needed =
      false;  ///< the main job cannot be done without it: profile, capture, analyze, propose, approve, replay
  std::string found;    ///< what was found, or what went wrong
  std::string purpose;  ///< what it is for
  std::string fix;      ///< a command to type; empty where none would help
};

/// Looks at everything once, by group. `target`: where programs run; becomes what the main job runs on here, emu or local. Runs `--version` of the compiler and `--help` of
/// rocprofv3, and asks nothing of a network.
std::vector<Check> examine(const Settings& settings, const SessionLog& log, const Face& face,
                           TargetKind& target);

}  // namespace rpl
