// SPDX-License-Identifier: MIT
#include "shell/core/run/script_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "engine/process/emulated_hip.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/script_host.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProjectScripts = ".rpl/scripts";
/// The line without "--" in front; nullopt when it is not a comment.
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
    shipped_folder(named);
    folders.emplace_back(named);
  }
  // One of them stands for all.
  if (auto own = companion_folder("", "scripts", "triage.lua")) folders.push_back(std::move(*own));
  folders.emplace_back(kProjectScripts);
  return folders;
}

Result<std::string> find_script(const std::string& name) {
  std::error_code ignored;
  std::vector<std::string> places;
  if (name.find('/') == std::string::npos) {
    for (const std::string& folder : script_folders()) {
      // A file beside you does not take the place of one that came with rpl: ./NAME names it.
      if (folder == kProjectScripts) places.push_back(name);
      places.push_back(folder + "/" + name);
      if (!name.ends_with(".lua")) places.push_back(folder + "/" + name + ".lua");
    }
  } else {
    places.push_back(name);
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

Result<std::vector<const Command*>> commands_of(const Registry& registry, ScriptHost& scripts,
                                                const ScriptHeader& script) {
  std::vector<const Command*> added;
  if (!scripts.available() || is_project_script(script.path)) return added;
  std::set<const Command*> before;
  for (const auto& [path, command] : registry.all()) before.insert(command.get());
  TRY(scripts.load_file(script.path));
  for (const auto& [path, command] : registry.all()) {
    if (!before.contains(command.get())) added.push_back(command.get());
  }
  return added;
}

}  // namespace rpl
