// SPDX-License-Identifier: MIT
#include "shell/core/session/user_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "engine/base/numbers.h"
#include "shell/core/command/line.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/core/session/script_lines.h"

namespace rpl {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::string_view kArgument = "$arg";

bool word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

Status check_name(std::string_view name) {
  const bool valid = !name.empty() && std::ranges::all_of(name, word_character) &&
                     std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name[0] != '-';
  if (valid) return {};
  return fail(Errc::usage, fmt::format("'{}' cannot be the name of a command", name),
              "use one word of letters, digits, '-' and '_'");
}

/// What `$arg…` with this ending stands for; nullopt when it is not an argument.
Result<std::optional<std::string>> argument_value(std::string_view ending,
                                                  const std::vector<std::string>& words,
                                                  std::string_view as_typed) {
  if (ending == "c") return std::optional(fmt::format("{}", words.size()));
  if (ending == "n") return std::optional(std::string(as_typed));
  const auto index = whole_number<std::size_t>(ending);
  if (!index) return std::optional<std::string>();
  if (*index >= words.size()) {
    return fail(Errc::usage, fmt::format("argument $arg{} is missing", *index),
                fmt::format("{} given; the first is $arg0", words.size()));
  }
  return std::optional(words[*index]);
}

std::string help_of(const UserCommands::Lines& documentation, const UserCommands::Lines& body) {
  std::string text;
  for (const std::string& line : documentation) text += line + "\n";
  text += text.empty() ? "It runs:\n\n" : "\nIt runs:\n\n";
  for (const std::string& line : body) text += "    " + line + "\n";
  return text;
}

}  // namespace

Result<std::string> substitute_arguments(std::string_view line,
                                         const std::vector<std::string>& words,
                                         std::string_view as_typed) {
  std::string out;
  while (true) {
    const std::size_t at = line.find(kArgument);
    if (at == std::string_view::npos) break;
    std::size_t end = at + kArgument.size();
    while (end < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_')) {
      ++end;
    }
    const std::string_view ending = line.substr(at + kArgument.size(), end - at - kArgument.size());
    const std::optional<std::string> value = TRY(argument_value(ending, words, as_typed));
    out += line.substr(0, at);
    out += value ? *value : std::string(line.substr(at, end - at));
    line.remove_prefix(end);
  }
  return out + std::string(line);
}

Status UserCommands::define(Registry& registry, const std::string& name, Lines body) {
  TRY(check_name(name));
  const Command* existing = registry.find(name);
  if (existing != nullptr && !existing->is_user_defined) {
    return fail(Errc::denied, fmt::format("'{}' is a built-in command", name),
                "choose another name");
  }
  bodies_[name] = std::move(body);
  return enter(registry, name);
}

Status UserCommands::document(Registry& registry, const std::string& name, Lines lines) {
  TRY(check_name(name));
  documentation_[name] = std::move(lines);
  return bodies_.contains(name) ? enter(registry, name) : Status();
}

Status UserCommands::enter(Registry& registry, const std::string& name) {
  const Lines& documentation = documentation_[name];
  Command command;
  command.path = name;
  command.chapter = Class::user;
  command.summary = documentation.empty() ? "User-defined command." : documentation.front();
  command.help = help_of(documentation, bodies_.at(name));
  command.raw = true;
  command.raw_text = RawText::words;
  command.repeatable = true;
  command.is_user_defined = true;
  command.changes_program = true;
  Param rest;
  rest.name = "arguments";
  rest.kind = ParamKind::rest;
  rest.help = "its arguments: $arg0, $arg1, ...; $argc is how many, $argn all of them";
  command.params.push_back(std::move(rest));
  command.run = [name](Context& here, const Arguments& given) -> Result<Document> {
    const auto text = given.find("arguments");
    const std::string* typed = text == given.end() ? nullptr : text->second.as<std::string>();
    return here.user_commands().run(here.face(), name, typed ? *typed : std::string());
  };
  return registry.add(std::move(command));
}

Result<Document> UserCommands::run(Face& face, const std::string& name,
                                   std::string_view arguments) {
  const auto found = bodies_.find(name);
  if (found == bodies_.end()) {
    return fail(Errc::not_found, fmt::format("'{}' is not a user-defined command", name),
                "show user lists them");
  }
  if (depth_ >= kMaxDepth) {
    return fail(Errc::limit, fmt::format("user-defined commands are nested {} deep", depth_),
                fmt::format("does '{}' call itself?", name));
  }
  std::vector<std::string> words;
  for (Word& word : TRY(split_line(arguments)).words) words.push_back(std::move(word.text));
  std::vector<std::string> lines;
  for (const std::string& line : found->second) {
    lines.push_back(TRY(substitute_arguments(line, words, arguments)));
  }
  ++depth_;
  Document document;
  document.exit_code = run_lines(face, lines);
  --depth_;
  return document;
}

int UserCommands::run_hook(Face& face, std::string_view prefix, const Command& command) {
  std::string name = fmt::format("{}{}", prefix, command.path);
  std::ranges::replace(name, ' ', '-');
  const auto found = bodies_.find(name);
  if (found == bodies_.end() || running_hooks_.contains(name)) return 0;
  running_hooks_.insert(name);
  const std::vector<std::string> lines = found->second;
  const int status = run_lines(face, lines);
  running_hooks_.erase(name);
  return status;
}

}  // namespace rpl
