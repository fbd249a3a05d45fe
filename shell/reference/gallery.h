// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "shell/core/run/script_files.h"

/// What is written about scripts, from their headers.
namespace rpl {

class Registry;
class ScriptHost;

/// What `help SCRIPT` shows.
std::string script_manual(const ScriptHeader& script, const std::vector<const Command*>& commands);

/// The page docs/gallery.md: every known script, with the commands that it adds.
Result<std::string> gallery_page(const Registry& registry, ScriptHost& scripts);

}  // namespace rpl
