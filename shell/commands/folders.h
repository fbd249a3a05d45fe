// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl {

/// Where the person's own files are: $XDG_CONFIG_HOME/rpl, else ~/.config/rpl. Init files.
std::string config_folder();

/// What rpl remembers between runs: $XDG_STATE_HOME/rpl, else ~/.local/state/rpl. History and trusted files.
std::string state_folder();

}  // namespace rpl
