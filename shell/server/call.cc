// SPDX-License-Identifier: MIT
#include "shell/server/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/document/json.h"
#include "engine/process/run.h"
#include "shell/core/command/standing_arguments.h"

namespace rpl {
namespace {

Result<const Command*> command_of(const Registry& registry, std::string_view text) {
  if (const Command* exact = registry.find(text)) return exact;
  if (const Command* tool = tool_named(registry, text)) return tool;
  const std::vector<std::string> words = split_words(text);
  auto resolved = registry.resolve(words);
  if (!resolved && text.find('_') != std::string_view::npos) {
    std::string spaced(text);
    std::ranges::replace(spaced, '_', ' ');
    return command_of(registry, spaced);
  }
  if (!resolved) return std::move(resolved).failure();
  if (resolved->words != words.size()) {
    return fail(
        Errc::usage, fmt::format("'{}' is not a command", text),
        fmt::format("'{}' is; what follows it belongs in 'arguments'", resolved->command->path));
  }
  return resolved->command;
}

std::string text_of(const Value& value) {
  const auto* text = value.as<std::string>();
  return text == nullptr ? to_json(value) : *text;
}

void append_param(std::vector<std::string>& words, const Param& param, const Value& value) {
  if (const auto* list = value.as<List>()) {
    for (const Value& one : *list) append_param(words, param, one);
    return;
  }
  switch (param.kind) {
    case ParamKind::flag:
      words.push_back(value == Value(true) ? "--" + param.name : "--no-" + param.name);
      break;
    case ParamKind::option:
      words.push_back("--" + param.name);
      [[fallthrough]];
    case ParamKind::positional:
    case ParamKind::rest:
      words.push_back(text_of(value));
      break;
  }
}

}  // namespace

Result<Invocation> invocation_of(const Registry& registry, std::string_view words,
                                 const Record& arguments) {
  Invocation out;
  out.command = TRY(command_of(registry, words));
  StandingArguments standing;
  Record own;
  for (const auto& [name, value] : arguments) {
    if (value.is_null() || TRY(take_standing(*out.command, name, value, standing))) continue;
    own.emplace_back(name, value);
  }
  apply(standing, out);
  out.arguments = TRY(check_arguments(*out.command, {}, own));
  return out;
}

std::string line_of(const Invocation& invocation) {
  const Command& command = *invocation.command;
  std::vector<std::string> words, behind;
  for (const Param& param : command.params) {
    const auto found = invocation.arguments.find(param.name);
    if (found != invocation.arguments.end())
      append_param(param.kind == ParamKind::rest ? behind : words, param, found->second);
  }
  std::string line = command.path;
  if (!words.empty()) line += " " + command_line(words);
  for (const std::string& name : invocation.open) line += " " + command_line({"--trace", name});
  if (invocation.form.limit) line += fmt::format(" --limit {}", *invocation.form.limit);
  if (behind.empty()) return line;
  // The text of a raw command stands as it is; words behind `--` are quoted.
  return command.raw ? line + " " + behind.front() : line + " -- " + command_line(behind);
}

}  // namespace rpl
