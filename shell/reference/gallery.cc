// SPDX-License-Identifier: MIT
#include "shell/reference/manual.h"

#include <fmt/format.h>

namespace rpl {
namespace {

constexpr const char* kGalleryIntroduction = R"(# Scripts that came with rpl

Each answers one question. `rpl -batch -x NAME.lua -- ARGUMENTS` runs one; `source NAME.lua --define` at the prompt adds its command, which then has help,
completion, `/j` and `/c` as every other. `--json` before `-x` gives the result as a document. `help scripts` lists them, `help NAME.lua` shows what stands here,
and [lua.md](lua.md) is how to write your own: a script begins with a comment that says its question, then indented how it is called, then what else there is to know.
Exit statuses are those of every command: 0 done, 1 error, 2 wrong arguments, 3 a gate is not passed, 4 undecided or nothing found, 5 wrong results, 6 something is
not there to do it with.
)";

}  // namespace

std::string script_manual(const ScriptHeader& script, const std::vector<const Command*>& commands) {
  std::string text = fmt::format("{}: {}\n\n", script.name, script.question);
  for (const std::string& call : script.calls) text += fmt::format("  {}\n", call);
  if (!script.text.empty()) text += "\n" + wrapped_text(script.text);
  if (commands.empty())
    return text + fmt::format(
                      "\n'source {} --define' adds the command that it defines; 'help' then "
                      "explains that.\n",
                      script.name);
  for (const Command* command : commands) text += "\nIts command\n\n" + manual_text(*command);
  return text;
}

Result<std::string> gallery_page(const Registry& registry, ScriptHost& scripts) {
  std::string text = kGalleryIntroduction;
  std::string chapters;
  text += "\n| script | answers |\n|---|---|\n";
  for (const ScriptHeader& script : known_scripts()) {
    const std::string anchor = script.name.substr(0, script.name.size() - 4);
    text += fmt::format("| [{}](#{}) | {} |\n", anchor, anchor, script.question);
    chapters += fmt::format("\n## {}\n\n{}\n\n```\n", anchor, script.question);
    for (const std::string& call : script.calls) chapters += call + "\n";
    chapters += "```\n";
    if (!script.text.empty()) chapters += "\n" + script.text + "\n";
    for (const Command* command : TRY(commands_of(registry, scripts, script))) {
      chapters += fmt::format("\nCommand `{}`. {}\n{}", command->path, command->help,
                              manual_tables(*command));
    }
  }
  return text + chapters;
}

}  // namespace rpl
