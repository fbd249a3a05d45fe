// SPDX-License-Identifier: MIT
#include "shell/commands/script_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "engine/base/files.h"
#include "engine/process/emulated_hip.h"
#include "shell/commands/context.h"
#include "shell/commands/manual.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProjectScripts = ".rpl/scripts";
constexpr const char* kGalleryIntroduction = R"(# Scripts that came with rpl

Each answers one question. `rpl -batch -x NAME.lua -- ARGUMENTS` runs one; `source NAME.lua --define` at the prompt adds its command, which then has help,
completion, `/j` and `/c` as every other. `--json` before `-x` gives the result as a document. `help scripts` lists them, `help NAME.lua` shows what stands here,
and [lua.md](lua.md) is how to write your own: a script begins with a comment that says its question, then indented how it is called, then what else there is to know.
Exit statuses are those of every command: 0 done, 1 error, 2 wrong arguments, 3 a gate is not passed, 4 undecided or nothing found, 5 wrong results, 6 something is
not there to do it with.
)";

/// The line without "--" in front; nullopt when it is no comment.
std::optional<std::string_view> comment(std::string_view line) {
  if (!line.starts_with("--") || line.starts_with("--[")) return std::nullopt;
  line.remove_prefix(2);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

bool is_project_script(const std::string& path) {
  return path.starts_with(std::string(kProjectScripts) + "/");
}

}  // namespace

std::vector<std::string> script_folders() {
  std::vector<std::string> folders;
  if (const char* named = std::getenv("RPL_SCRIPTS_DIR"); named != nullptr && *named != '\0') {
    folders.emplace_back(named);
  }
  // One of them stands for all.
  if (auto own = companion_folder("", "scripts", "triage.lua")) folders.push_back(std::move(*own));
  folders.emplace_back(kProjectScripts);
  return folders;
}

Result<std::string> find_script(const std::string& name) {
  std::error_code ignored;
  std::vector<std::string> places{name};
  if (name.find('/') == std::string::npos) {
    for (const std::string& folder : script_folders()) {
      places.push_back(folder + "/" + name);
      if (!name.ends_with(".lua")) places.push_back(folder + "/" + name + ".lua");
    }
  }
  for (const std::string& place : places) {
    if (fs::is_regular_file(place, ignored)) return place;
  }
  return fail(
      Errc::not_found, fmt::format("{}: no such file", name),
      "scripts that came with rpl are found by name: source triage.lua; 'help scripts' lists them");
}

ScriptHeader script_header(const std::string& path, std::string_view text) {
  ScriptHeader header;
  header.name = fs::path(path).filename().string();
  header.path = path;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("#!") || line.starts_with("-- SPDX")) continue;
    const auto said = comment(line);
    if (!said) break;
    if (said->starts_with(' ')) {
      header.calls.emplace_back(said->substr(said->find_first_not_of(' ')));
    } else if (header.question.empty()) {
      header.question = *said;
    } else if (!said->empty()) {
      header.text += (header.text.empty() ? "" : " ") + std::string(*said);
    }
  }
  return header;
}

std::vector<ScriptHeader> known_scripts() {
  std::map<std::string, ScriptHeader> found;
  for (const std::string& folder : script_folders()) {
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent)) {
      const std::string path = entry.path().string();
      if (!path.ends_with(".lua")) continue;
      const auto text = read_text_file(path);
      if (!text) continue;
      ScriptHeader header = script_header(path, *text);
      // Of equal names `source` takes that of the first folder.
      if (!header.question.empty()) found.try_emplace(header.name, std::move(header));
    }
  }
  std::vector<ScriptHeader> scripts;
  for (auto& [name, header] : found) scripts.push_back(std::move(header));
  return scripts;
}

Result<std::vector<const Command*>> commands_of(Context& context, const ScriptHeader& script) {
  std::vector<const Command*> added;
  if (!context.scripts || is_project_script(script.path)) return added;
  std::set<const Command*> before;
  for (const auto& [path, command] : context.registry.all()) before.insert(command.get());
  TRY(context.scripts->load_file(script.path));
  for (const auto& [path, command] : context.registry.all()) {
    if (!before.contains(command.get())) added.push_back(command.get());
  }
  return added;
}

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

Result<std::string> gallery_page(Context& context) {
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
    for (const Command* command : TRY(commands_of(context, script))) {
      chapters += fmt::format("\nCommand `{}`. {}\n{}", command->path, command->help,
                              manual_tables(*command));
    }
  }
  return text + chapters;
}

}  // namespace rpl
