// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/run/completion.h"
#include "shell/core/run/script_files.h"
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

/// One thing that a page of help names. Texts are those of definitions, or of the scripts at hand.
struct HelpRow {
  std::string_view kind;
  std::string name;
  std::string description;
  std::string_view type = {}, unit = {};
  Value initial = {};
  std::vector<Label> choices = {};
};
using HelpRows = std::vector<HelpRow>;

constexpr auto kHelpColumns = bound_to<HelpRow>(
    column<&HelpRow::kind>("kind", "class, command, parameter, field, column, example or script"),
    column<&HelpRow::name>("name", "how it is spelled"),
    column<&HelpRow::type>("type", "of a parameter, field or column").or_null(),
    column<&HelpRow::unit>("unit", "of a field or column").or_null(),
    column<&HelpRow::initial>("default", "of a parameter that may be left out"),
    column<&HelpRow::choices>("choices", "all that a parameter takes").or_null(),
    column<&HelpRow::description>("description", "what it is"));

constexpr auto kFoundColumns =
    bound_to<HelpRow>(column<&HelpRow::kind>("kind", "command, setting or script"),
                      column<&HelpRow::name>("name", "how it is spelled"),
                      column<&HelpRow::description>("summary", "what it is"));

struct Topic {
  std::string topic, usage, summary, help;
};

constexpr auto kTopicFields =
    bound_to<Topic>(column<&Topic::topic>("topic", "the command's full name"),
                    column<&Topic::usage>("usage", "how it is called"),
                    column<&Topic::summary>("summary", "what it does, in a sentence"),
                    column<&Topic::help>("help", "Markdown"));

Document help_page(const HelpRows& rows, std::string text) {
  Document document;
  document.table(kHelpColumns, rows);
  document.text = std::move(text);
  return document;
}

/// Name and description in two columns.
std::string listing(const HelpRows& rows) {
  std::size_t width = 0;
  for (const HelpRow& row : rows) width = std::max(width, row.name.size());
  std::string text;
  for (const HelpRow& row : rows)
    text += fmt::format("  {:<{}}  {}\n", row.name, width, row.description);
  return text;
}

HelpRows rows_of(const std::vector<const Command*>& commands) {
  HelpRows rows;
  for (const Command* command : commands)
    rows.push_back({"command", command->path, command->summary});
  return rows;
}

Document help_overview(const Registry& registry) {
  HelpRows rows;
  for (const Class chapter : all_chapters()) {
    if (listed_commands(registry, chapter).empty()) continue;
    rows.push_back({"class", std::string(to_string(chapter)), std::string(description(chapter))});
  }
  return help_page(
      rows,
      "Classes of commands:\n\n" + listing(rows) +
          "\nhelp CLASS lists its commands, help COMMAND explains one, apropos WORD searches.\n"
          "help scripts lists the scripts that came with rpl: each answers one question.\n"
          "Any part of a command that is unique is enough: i ker is info kernels.\n");
}

Document help_list(const std::vector<const Command*>& commands, std::string_view title) {
  const HelpRows rows = rows_of(commands);
  return help_page(rows,
                   fmt::format("{}\n\n{}\nhelp COMMAND explains one.\n", title, listing(rows)));
}

Document help_scripts() {
  HelpRows rows;
  for (const ScriptHeader& script : known_scripts())
    rows.push_back({"script", script.name, script.question});
  return help_page(rows, fmt::format("Scripts that answer one question each:\n\n{}\nhelp SCRIPT "
                                     "explains one, 'source SCRIPT -- ARGUMENTS' runs it.\n",
                                     listing(rows)));
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
  Document document = help_page(rows_of(commands), script_manual(script, commands));
  document.put(kTopicFields, Topic{script.name, fmt::format("{}", fmt::join(script.calls, "\n")),
                                   script.question, script.text});
  return document;
}

HelpRow param_row(const Param& param) {
  const bool dashes = param.kind == ParamKind::option || param.kind == ParamKind::flag;
  return {"parameter",  (dashes ? "--" : "") + param.name,
          param.help,   type_words(param),
          {},           param.default_value,
          param.choices};
}

HelpRow column_row(std::string_view kind, const Column& column) {
  return {kind, column.name, column.description, to_string(column.type), to_string(column.unit)};
}

Document help_command(const Command& command) {
  HelpRows rows;
  for (const Param& param : command.params) rows.push_back(param_row(param));
  for (const Column& field : command.fields) rows.push_back(column_row("field", field));
  for (const Column& column : command.columns) rows.push_back(column_row("column", column));
  for (const Label& example : command.examples) rows.push_back({"example", example, ""});
  Document document = help_page(rows, manual_text(command));
  document.put(kTopicFields, Topic{command.path, command.usage(), command.summary, command.help});
  return document;
}

/// GDB's chapters of help: ours that hold the same, or commands by name.
std::optional<std::vector<std::string_view>> gdb_topic(std::string_view name) {
  if (name == "breakpoints")
    return std::vector<std::string_view>{
        "break",           "tbreak",   "rbreak",           "watch",
        "rwatch",          "awatch",   "delete",           "clear",
        "enable",          "disable",  "enable once",      "condition",
        "ignore",          "commands", "save breakpoints", "info breakpoints",
        "info watchpoints"};
  if (name == "stack")
    return std::vector<std::string_view>{"backtrace", "frame",       "up",
                                         "down",      "frame apply", "info frame",
                                         "info args", "info locals", "finish"};
  if (name == "running-kernels" || name == "threads")
    return std::vector<std::string_view>{"thread", "thread apply", "taas",      "wave",
                                         "lane",   "workgroup",    "info waves"};
  return std::nullopt;
}

std::optional<Class> chapter_named(std::string_view name) {
  if (name == "user-defined") return Class::user;
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
  if (const auto commands = gdb_topic(topic)) {
    std::vector<const Command*> found;
    for (const std::string_view path : *commands) {
      if (const Command* command = registry.find(path)) found.push_back(command);
    }
    return help_list(found, fmt::format("Commands about {}:", topic));
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

Result<Document> apropos(const WordArgs& given, const Registry& registry,
                         const Settings& settings) {
  // GDB's -v asks for whole helps.
  const bool verbose = given.word.starts_with("-v ");
  const WordArgs args{verbose ? given.word.substr(3) : given.word};
  HelpRows rows =
      rows_of(commands_where(registry, [&](const Command& c) { return mentions(c, args.word); }));
  for (const auto& [name, setting] : settings.all()) {
    if (contains(name, args.word) || contains(setting.param.help, args.word))
      rows.push_back({"setting", name, setting.param.help});
  }
  for (const ScriptHeader& script : known_scripts()) {
    if (contains(script.name, args.word) || contains(script.question, args.word) ||
        contains(script.text, args.word))
      rows.push_back({"script", script.name, script.question});
  }
  Document document;
  document.table(kFoundColumns, rows);
  if (rows.empty()) document.notes.push_back(fmt::format("nothing mentions '{}'", args.word));
  return document;
}

constexpr auto kLineColumns =
    bound_to<LineArgs>(column<&LineArgs::line>("line", "the line, completed"));

Result<Document> complete_line(const LineArgs& args, Vocabulary known) {
  const Completions found = complete(known, args.line, args.line.size());
  std::vector<LineArgs> lines;
  for (const std::string& candidate : found.candidates)
    lines.push_back({args.line.substr(0, found.start) + candidate});
  Document document;
  document.table(kLineColumns, lines);
  return document;
}

Command help_definition() {
  return {
      .path = "help",
      .does = kReads,
      .summary = "Explain a command or list the commands of a class.",
      .help =
          "Alone it lists the classes of commands. With a class or with the first word of a family "
          "(`help info`) it lists their commands; with a command it shows how to call it, what its "
          "parameters are, what it returns and examples. `help scripts` lists the scripts that "
          "came with rpl, and with the name of one it explains that and adds its command.",
      .fields = described(kTopicFields),
      .columns = described(kHelpColumns),
      .aliases = {"h"},
      .examples = {"help", "help status", "help info", "help show version", "help scripts"}};
}

}  // namespace

void add_help_commands(Registry& registry) {
  add(registry,
      command<TopicArgs>(help_definition(),
                         {arg("topic", &TopicArgs::topic, "a class or the words of a command")
                              .completes(Complete::command)},
                         help));

  Command search{
      .path = "apropos",
      .does = kReads,
      .summary = "Find the commands, settings and scripts that mention a word.",
      .help =
          "Looks in names, aliases, help texts, parameters and columns; capitals do not matter.",
      .columns = described(kFoundColumns),
      .scalar = "name",
      .examples = {"apropos history"}};
  add(registry,
      command<WordArgs>(
          std::move(search),
          {arg("word", &WordArgs::word, "a word or part of one").required().takes_phrase()},
          apropos));

  Command completion{.path = "complete",
                     .does = kReads,
                     .summary = "List the ways in which a line can go on.",
                     .help =
                         "What Tab offers at the prompt, one completed line a row: for editors and "
                         "other programs.",
                     .columns = described(kLineColumns),
                     .scalar = "line",
                     .examples = {"complete show v"},
                     .raw = true};
  add(registry,
      command<LineArgs>(
          std::move(completion),
          {rest("line", &LineArgs::line, "the beginning of a line").completes(Complete::command)},
          complete_line));
}

}  // namespace rpl
