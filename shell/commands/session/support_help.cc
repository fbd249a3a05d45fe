// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/run/completion.h"
#include "shell/core/run/script_files.h"
#include "shell/reference/gallery.h"
#include "shell/reference/manual.h"

namespace rpl {
namespace {

struct TopicArgs {
  std::vector<std::string> topic;
};

std::vector<const Command*> commands_where(const Registry& registry,
                                           const std::function<bool(const Command&)>& wanted) {
  std::vector<const Command*> found;
  for (const auto& [path, command] : registry.all()) {
    if (!command->hidden && wanted(*command)) found.push_back(command.get());
  }
  return found;
}

Row help_row(std::string_view kind, std::string_view name, std::string_view description) {
  return {Value(kind), Value(name), Value(), Value(), Value(), Value(), Value(description)};
}

/// Name and description in two columns.
std::string listing(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row[1].as<std::string>()->size());
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}  {}\n", *row[1].as<std::string>(), width,
                        *row.back().as<std::string>());
  }
  return text;
}

Document help_overview(const Registry& registry) {
  Document document;
  for (const Class chapter : all_chapters()) {
    if (listed_commands(registry, chapter).empty()) continue;
    document.rows.push_back(help_row("class", to_string(chapter), description(chapter)));
  }
  document.text =
      "Classes of commands:\n\n" + listing(document.rows) +
      "\nhelp CLASS lists its commands, help COMMAND explains one, apropos WORD searches.\n"
      "help scripts lists the scripts that came with rpl: each answers one question.\n"
      "Any part of a command that is unique is enough: i ker is info kernels.\n";
  return document;
}

Document help_list(const std::vector<const Command*>& commands, std::string_view title) {
  Document document;
  for (const Command* command : commands) {
    document.rows.push_back(help_row("command", command->path, command->summary));
  }
  document.text =
      fmt::format("{}\n\n{}\nhelp COMMAND explains one.\n", title, listing(document.rows));
  return document;
}

Document help_scripts() {
  Document document;
  for (const ScriptHeader& script : known_scripts())
    document.rows.push_back(help_row("script", script.name, script.question));
  document.text = fmt::format(
      "Scripts that answer one question each:\n\n{}\nhelp SCRIPT explains one, 'source SCRIPT -- "
      "ARGUMENTS' runs it.\n",
      listing(document.rows));
  return document;
}

std::optional<ScriptHeader> script_named(std::string_view name) {
  for (ScriptHeader& script : known_scripts()) {
    if (script.name == name || script.name == fmt::format("{}.lua", name)) return std::move(script);
  }
  return std::nullopt;
}

Result<Document> help_script(const Registry& registry, ScriptHost& scripts,
                             const ScriptHeader& script) {
  const auto commands = TRY(commands_of(registry, scripts, script));
  Document document;
  document.set("topic", Value(script.name));
  document.set("usage", Value(fmt::format("{}", fmt::join(script.calls, "\n"))));
  document.set("summary", Value(script.question));
  document.set("help", Value(script.text));
  for (const Command* command : commands)
    document.rows.push_back(help_row("command", command->path, command->summary));
  document.text = script_manual(script, commands);
  return document;
}

Row param_row(const Param& param) {
  List choices;
  for (const Label& choice : param.choices) choices.emplace_back(choice);
  const bool dashes = param.kind == ParamKind::option || param.kind == ParamKind::flag;
  return {Value("parameter"),      Value((dashes ? "--" : "") + param.name),
          Value(type_name(param)), Value(),
          param.default_value,     choices.empty() ? Value() : Value(std::move(choices)),
          Value(param.help)};
}

Row column_row(std::string_view kind, const Column& column) {
  return {Value(kind),
          Value(column.name),
          Value(to_string(column.type)),
          column.unit == Unit::none ? Value() : Value(to_string(column.unit)),
          Value(),
          Value(),
          Value(column.description)};
}

Document help_command(const Command& command) {
  Document document;
  document.set("topic", Value(command.path));
  document.set("usage", Value(command.usage()));
  document.set("summary", Value(command.summary));
  document.set("help", Value(command.help));
  for (const Param& param : command.params) document.rows.push_back(param_row(param));
  for (const Column& field : command.fields) document.rows.push_back(column_row("field", field));
  for (const Column& column : command.columns) {
    document.rows.push_back(column_row("column", column));
  }
  for (const Label& example : command.examples) {
    document.rows.push_back(help_row("example", example, ""));
  }
  document.text = manual_text(command);
  return document;
}

std::optional<Class> chapter_named(std::string_view name) {
  for (const Class chapter : all_chapters()) {
    if (to_string(chapter) == name) return chapter;
  }
  return std::nullopt;
}

Result<Document> help(const TopicArgs& args, const Registry& registry, ScriptHost& scripts) {
  if (args.topic.empty()) return help_overview(registry);
  const std::string topic = fmt::format("{}", fmt::join(args.topic, " "));
  const auto resolved = registry.resolve(args.topic);
  const bool whole = resolved && resolved->words == args.topic.size();
  const std::optional<Class> chapter = args.topic.size() == 1 ? chapter_named(topic) : std::nullopt;
  if (chapter && !(whole && resolved->command->path == topic)) {
    return help_list(listed_commands(registry, *chapter), description(*chapter));
  }
  if (whole) return help_command(*resolved->command);
  if (topic == "scripts") return help_scripts();
  const auto below =
      commands_where(registry, [&](const Command& c) { return c.path.starts_with(topic + " "); });
  if (!below.empty()) return help_list(below, fmt::format("Commands that begin with '{}':", topic));
  if (const auto script = args.topic.size() == 1 ? script_named(topic) : std::nullopt)
    return help_script(registry, scripts, *script);
  if (!resolved) return Failure(resolved.error());
  return fail(Errc::not_found, fmt::format("no command '{}'", topic),
              fmt::format("help {}", resolved->command->path));
}

bool contains(std::string_view text, std::string_view word) {
  const auto found = std::ranges::search(text, word, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
  return !found.empty() || word.empty();
}

bool mentions(const Command& command, std::string_view word) {
  if (contains(command.path, word) || contains(command.summary, word)) return true;
  if (contains(command.help, word)) return true;
  const auto column_mentions = [&](const Column& column) { return contains(column.name, word); };
  const auto param_mentions = [&](const Param& param) {
    return contains(param.name, word) || contains(param.help, word);
  };
  return std::ranges::any_of(command.aliases, [&](const auto& a) { return contains(a, word); }) ||
         std::ranges::any_of(command.params, param_mentions) ||
         std::ranges::any_of(command.fields, column_mentions) ||
         std::ranges::any_of(command.columns, column_mentions);
}

struct WordArgs {
  std::string word;
};

Result<Document> apropos(const WordArgs& args, const Registry& registry, const Settings& settings) {
  Document document;
  for (const Command* command :
       commands_where(registry, [&](const Command& c) { return mentions(c, args.word); })) {
    document.rows.push_back({Value("command"), Value(command->path), Value(command->summary)});
  }
  for (const auto& [name, setting] : settings.all()) {
    if (!contains(name, args.word) && !contains(setting.param.help, args.word)) continue;
    document.rows.push_back({Value("setting"), Value(name), Value(setting.param.help)});
  }
  for (const ScriptHeader& script : known_scripts()) {
    if (!contains(script.name, args.word) && !contains(script.question, args.word) &&
        !contains(script.text, args.word))
      continue;
    document.rows.push_back({Value("script"), Value(script.name), Value(script.question)});
  }
  if (document.rows.empty()) {
    document.notes.push_back(fmt::format("nothing mentions '{}'", args.word));
  }
  return document;
}

Result<Document> complete_line(const LineArgs& args, Context& context) {
  const Completions found = complete(context, args.line, args.line.size());
  Document document;
  for (const std::string& candidate : found.candidates) {
    document.rows.push_back({Value(args.line.substr(0, found.start) + candidate)});
  }
  return document;
}

Command help_definition() {
  Command command;
  command.path = "help";
  command.summary = "Explain a command or list the commands of a class.";
  command.help =
      "Alone it lists the classes of commands. With a class or with the first word of a family "
      "(`help info`) it lists "
      "their commands; with a command it shows how to call it, what its parameters are, what it "
      "returns and examples. `help scripts` lists the scripts that came with rpl, and with the "
      "name of one it explains that and adds its command.";
  command.fields = {{"topic", Type::string, Unit::none, "the command's full name"},
                    {"usage", Type::string, Unit::none, "how it is called"},
                    {"summary", Type::string, Unit::none, "what it does, in a sentence"},
                    {"help", Type::string, Unit::none, "Markdown"}};
  command.columns = {{"kind", Type::string, Unit::none,
                      "class, command, parameter, field, column, example or script"},
                     {"name", Type::string, Unit::none, "how it is spelled"},
                     {"type", Type::string, Unit::none, "of a parameter, field or column"},
                     {"unit", Type::string, Unit::none, "of a field or column"},
                     {"default", Type::any, Unit::none, "of a parameter that may be left out"},
                     {"choices", Type::strings, Unit::none, "all that a parameter takes"},
                     {"description", Type::string, Unit::none, "what it is"}};
  command.aliases = {"h"};
  command.examples = {"help", "help status", "help info", "help show version", "help scripts"};
  return command;
}

}  // namespace

void add_help_commands(Registry& registry) {
  add(registry,
      command<TopicArgs>(help_definition(),
                         {arg("topic", &TopicArgs::topic, "a class or the words of a command")
                              .completes(Complete::command)},
                         help));

  Command search;
  search.path = "apropos";
  search.summary = "Find the commands, settings and scripts that mention a word.";
  search.help =
      "Looks in names, aliases, help texts, parameters and columns; capitals do not matter.";
  search.columns = {{"kind", Type::string, Unit::none, "command, setting or script"},
                    {"name", Type::string, Unit::none, "how it is spelled"},
                    {"summary", Type::string, Unit::none, "what it is"}};
  search.scalar = "name";
  search.examples = {"apropos history"};
  add(registry, command<WordArgs>(
                    std::move(search),
                    {arg("word", &WordArgs::word, "a word or part of one").required()}, apropos));

  Command completion;
  completion.path = "complete";
  completion.summary = "List the ways in which a line can go on.";
  completion.help =
      "What Tab offers at the prompt, one completed line a row: for editors and other programs.";
  completion.columns = {{"line", Type::string, Unit::none, "the line, completed"}};
  completion.raw = true;
  completion.scalar = "line";
  completion.examples = {"complete show v"};
  add(registry,
      command<LineArgs>(
          std::move(completion),
          {rest("line", &LineArgs::line, "the beginning of a line").completes(Complete::command)},
          complete_line));
}

}  // namespace rpl
