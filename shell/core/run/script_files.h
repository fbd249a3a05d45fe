// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "shell/core/command/registry.h"

namespace rpl {

class Registry;
class ScriptHost;

/// Where `require` and `source NAME.lua` look, beside the folder of the script that runs: $RPL_SCRIPTS_DIR, the scripts that came with
/// rpl, .rpl/scripts.
std::vector<std::string> script_folders();

/// The path of a script: as given, or for a name without a slash in one of script_folders(), those that came with rpl before the working folder;
/// ".lua" may be left out there.
Result<std::string> find_script(const std::string& name);

/// What a script says about itself, in the comment that it begins with:
///
///     -- Where was the GPU idle?                           the question that it answers
///     --   rpl -batch -x gaps.lua -- trace.db --top 10     indented: how it is called
///     -- Copies do not count.                              anything else is worth knowing before
///
/// `help`, `apropos`, docs/gallery.md and the test of the scripts all read it from here.
struct ScriptHeader {
  std::string name;  ///< of the file, without folders
  std::string path;
  std::string question;            ///< "" when it says nothing
  std::vector<std::string> calls;  ///< command lines
  std::string text;                ///< one paragraph; may be empty
};

/// Reads the header of a script's text; any bytes.
ScriptHeader script_header(const std::string& path, std::string_view text);

/// The headers of all scripts that `source NAME.lua` finds, by name. Those without a question are left out.
std::vector<ScriptHeader> known_scripts();

/// The commands that a script adds, which runs its outermost lines. Empty for a script of .rpl/scripts: a project's files run only when they are asked to.
Result<std::vector<const Command*>> commands_of(const Registry& registry, ScriptHost& scripts,
                                                const ScriptHeader& script);

}  // namespace rpl
