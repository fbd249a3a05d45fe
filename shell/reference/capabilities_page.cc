// SPDX-License-Identifier: MIT
// docs/capabilities.md: what every command and every function of the Lua interface does.
#include "shell/reference/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/policy.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/script_host.h"

namespace rpl {
namespace {

constexpr const char* kIntroduction = R"(# What commands and Lua functions may do

Every command says in its definition what it does, every function of the Lua interface and every setting too. A person at a terminal and a person's scripts may do
everything. A session of another program (`--interpreter jsonl`, `--interpreter mcp`, `--restricted`) may read and write its own session; the rest is refused unless
rpl was started with the option that the refusal names. [SECURITY.md](SECURITY.md) says what that promises.

| capability | what it does | how a restricted session gets it |
|---|---|---|
)";

constexpr const char* kBehind = R"(
"In part" is refused where it happens: a setting that names a program, a line that a script runs, a file that is named with an option. What is not listed there a command
needs always. Pipes (`| PROGRAM`) and `!` need `run` behind any command.
)";

std::string names_of(Capabilities all) {
  std::vector<std::string_view> names;
  for (const Capability one : kAllCapabilities) {
    if (all.has(one)) names.push_back(to_string(one));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string option_of(Capability one) {
  switch (one) {
    case Capability::read:
    case Capability::session:
      return "it has it; outside of the project: `--allow read DIR`";
    case Capability::write:
      return "`--allow write DIR`: new files in that folder";
    case Capability::trust:
      return "never";
    case Capability::run:
    case Capability::network:
    case Capability::approve:
      return fmt::format("`--allow {}`", to_string(one));
  }
  return "never";
}

/// "run with `--check-cmd`"; what a parameter needs that the command does not need anyway.
std::string parts_of(const Command& command) {
  std::string out = names_of(command.may);
  for (const Param& param : command.params) {
    if (param.needs.within(command.does)) continue;
    const bool named = param.kind == ParamKind::option || param.kind == ParamKind::flag;
    out += fmt::format("{}{} with `{}{}`", out.empty() ? "" : "; ", names_of(param.needs),
                       named ? "--" : "", param.name);
  }
  return out;
}

}  // namespace

std::string capabilities_page(const Registry& registry, const ScriptHost& scripts,
                              const Settings& settings) {
  std::string out = kIntroduction;
  for (const Capability one : kAllCapabilities)
    out += fmt::format("| {} | {} | {} |\n", to_string(one), description(one), option_of(one));
  out += kBehind;
  out += "\n## Commands\n\n| command | does | in part |\n|---|---|---|\n";
  for (const auto& [path, command] : registry.all()) {
    if (command->is_user_defined) continue;
    out += fmt::format("| {} | {} | {} |\n", path, names_of(command->does), parts_of(*command));
  }
  out +=
      "\n## Settings\n\nAll others need nothing.\n\n| setting | changing it needs |\n|---|---|\n";
  for (const auto& [name, setting] : settings.all()) {
    if (!setting.needs.empty()) out += fmt::format("| {} | {} |\n", name, names_of(setting.needs));
  }
  out += "\n## Lua functions\n\n| function | does | in part |\n|---|---|---|\n";
  for (const ScriptFunction& function : scripts.functions())
    out += fmt::format("| {} | {} | {} |\n", function.name, names_of(function.does),
                       names_of(function.may));
  return out;
}

}  // namespace rpl
