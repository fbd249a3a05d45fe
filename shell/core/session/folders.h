// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

class SessionLog;

/// Where the person's own files are: $XDG_CONFIG_HOME/rpl, else ~/.config/rpl. Init files.
std::string config_folder();

/// What rpl remembers between runs: $XDG_STATE_HOME/rpl, else ~/.local/state/rpl. History and trusted files.
std::string state_folder();

/// Whether a numbered folder is made, so that of two shells that ask at once each has its own, or only free.
enum class Numbered { made, free };
/// KIND/N of the session ("profiles", "captures"): the first N that is free. Fails where there can be no session.
Result<std::string> numbered_folder(SessionLog& log, std::string_view kind, Numbered state);

}  // namespace rpl
