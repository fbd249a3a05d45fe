// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/script_lines.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/user_commands.h"

namespace rpl {
namespace {

struct DefineArgs {
  std::string name;
  std::vector<std::string> line;
};

Result<std::vector<std::string>> body_of(Face& face, const Registry& registry,
                                         const DefineArgs& args, std::string_view verb) {
  if (!args.line.empty()) return args.line;
  return read_body(face, registry, fmt::format("{} {}", verb, args.name));
}

/// The command that a hook's name stands for, or "" when it is not a hook.
std::string_view hooked(std::string_view name) {
  for (const std::string_view prefix : {"hookpost-", "hook-"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return {};
}

bool names_command(const Registry& registry, std::string_view dashed_path) {
  for (const auto& [path, command] : registry.all()) {
    std::string name = path;
    std::ranges::replace(name, ' ', '-');
    if (name == dashed_path) return true;
  }
  return false;
}

void keep_definition(SessionLog& log, std::string_view verb, const std::string& name,
                     const std::vector<std::string>& lines) {
  List list;
  for (const std::string& line : lines) list.emplace_back(line);
  log.append(SessionEventKind::defined, name,
             {{"verb", Value(verb)}, {"lines", Value(std::move(list))}});
}

Result<Document> define(const DefineArgs& args, UserCommands& commands, Registry& registry,
                        Face& face, SessionLog& log) {
  const std::vector<std::string> body = TRY(body_of(face, registry, args, "define"));
  TRY(commands.define(registry, args.name, body));
  keep_definition(log, "define", args.name, body);
  Document document;
  const std::string_view target = hooked(args.name);
  // hook-stop runs behind every stop of a kernel.
  if (!target.empty() && target != "stop" && !names_command(registry, target)) {
    document.notes.push_back(fmt::format("no command '{}': the hook never runs", target));
  }
  return document;
}

Result<Document> document_command(const DefineArgs& args, UserCommands& commands,
                                  Registry& registry, Face& face, SessionLog& log) {
  const std::vector<std::string> lines = TRY(body_of(face, registry, args, "document"));
  TRY(commands.document(registry, args.name, lines));
  keep_definition(log, "document", args.name, lines);
  Document document;
  if (!commands.all().contains(args.name)) {
    document.notes.push_back(fmt::format("'{}' is not defined yet", args.name));
  }
  return document;
}

using Meaning = std::pair<std::string, std::string>;

constexpr auto kAliasColumns =
    bound_to<Meaning>(column<&Meaning::first>("name", "the word"),
                      column<&Meaning::second>("expansion", "what it stands for"));

struct AliasArgs {
  std::string definition;
};

Result<Document> alias(const AliasArgs& args, Registry& registry, SessionLog& log) {
  Document document;
  if (args.definition.empty()) {
    const auto& aliases = registry.aliases();
    document.table(kAliasColumns, std::vector<Meaning>(aliases.begin(), aliases.end()));
    return document;
  }
  const std::size_t equals = args.definition.find('=');
  std::string word = args.definition.substr(0, equals);
  // GDB's options: not to complete it, and where its own begin.
  for (const std::string_view option : {"-a ", "-- "}) {
    if (word.starts_with(option)) word.erase(0, option.size());
  }
  while (!word.empty() && word.back() == ' ') word.pop_back();
  if (equals == std::string::npos || word.empty() || word.find(' ') != std::string::npos) {
    return fail(Errc::usage, fmt::format("'{}' is not an alias", args.definition),
                "usage: alias NAME = COMMAND");
  }
  std::string expansion = args.definition.substr(equals + 1);
  expansion.erase(0, std::min(expansion.find_first_not_of(' '), expansion.size()));
  TRY(registry.add_alias(word, expansion));
  keep_definition(log, "alias", word, {expansion});
  return document;
}

constexpr const char* kDefineHelp =
    "The lines up to `end` become the body of a command, at the prompt and in files alike; "
    "`--line` gives them one by one instead. In the body `$arg0`, `$arg1`, ... are the command's "
    "arguments, `$argc` is how many there are and `$argn` all of them as typed. The body stops at "
    "the first line that fails.\n\n"
    "`define hook-NAME` runs before the command NAME, `define hookpost-NAME` behind it; the blanks "
    "of a longer name are dashes: `hook-info-kernels`. A hook that fails keeps the command from "
    "running. `define hook-stop` runs behind every stop of a kernel, not at its end.\n\n"
    "There are no `if` and `while`: write those in Lua, where `rpl.command` makes commands with "
    "typed parameters and `rpl.on` listens to events.";

}  // namespace

void add_definition_commands(Registry& registry) {
  const auto params = [] {
    std::vector<Bound> all;
    all.push_back(
        arg("name", &DefineArgs::name, "one word").required().completes(Complete::command));
    all.push_back(option("line", &DefineArgs::line, "a line of the body").named("TEXT"));
    return all;
  };
  Command define_command{.path = "define",
                         .does = kKeeps,
                         .summary = "Make a command of other commands.",
                         .help = kDefineHelp,
                         .examples = {"define hello --line 'echo hello, $arg0'"},
                         .changes_program = true};
  add(registry, command<DefineArgs>(std::move(define_command), params(), define));

  Command documenting{
      .path = "document",
      .does = kKeeps,
      .summary = "Write the help of a user-defined command.",
      .help = "The lines up to `end`; the first one is the summary that `help user` lists.",
      .examples = {"document hello --line 'Greet somebody.'"},
      .changes_program = true};
  add(registry, command<DefineArgs>(std::move(documenting), params(), document_command));

  Command aliasing{.path = "alias",
                   .does = kKeeps,
                   .summary = "Give a command, with arguments if wanted, a short name.",
                   .help =
                       "The name stands for these words at the beginning of a line. Alone it lists "
                       "the aliases made so far.",
                   .examples = {"alias ver = show version", "alias"},
                   .raw = true,
                   .raw_text = RawText::expression,
                   .changes_program = true};
  add(registry, command<AliasArgs>(std::move(aliasing),
                                   {rest("definition", &AliasArgs::definition, "NAME = COMMAND")
                                        .completes(Complete::command)},
                                   alias));
}

}  // namespace rpl
