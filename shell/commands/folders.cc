// SPDX-License-Identifier: MIT
#include "shell/commands/folders.h"

#include <cstdlib>
#include <string_view>

namespace rpl {
namespace {

std::string folder(const char* variable, std::string_view below_home) {
  const char* base = std::getenv(variable);
  // The XDG base directory specification: a relative path is invalid and to be ignored.
  if (base != nullptr && base[0] == '/') return std::string(base) + "/rpl";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/" + std::string(below_home) + "/rpl";
}

}  // namespace

std::string config_folder() { return folder("XDG_CONFIG_HOME", ".config"); }

std::string state_folder() { return folder("XDG_STATE_HOME", ".local/state"); }

}  // namespace rpl
