// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sqlite3.h>

#include "shell/core/command/define.h"
#include "shell/core/run/history_file.h"
#include "shell/core/session/user_commands.h"
#include "shell/core/session/values.h"
#include "shell/core/session/version.h"

namespace rpl {
namespace {

Result<Document> show_version() {
  Document document;
  document.set("version", Value(version()));
  document.set("compiler", Value(__VERSION__));
  document.set("sqlite", Value(sqlite3_libversion()));
  document.text =
      fmt::format("rpl {}\ncompiler {}, SQLite {}\n", version(), __VERSION__, sqlite3_libversion());
  return document;
}

struct ValuesArgs {
  std::int64_t number = 0;
};

Result<Document> show_values(const ValuesArgs& args, const Values& values) {
  constexpr std::size_t kShown = 10;
  const auto middle = args.number > 0 ? static_cast<std::size_t>(args.number) : values.last();
  const std::size_t first = std::max(middle > kShown ? middle - kShown + 1 : 1, values.first());
  Document document;
  for (std::size_t number = first; number <= values.last() && number < first + kShown; ++number) {
    const auto value = values.at(number);
    const std::uint64_t rows = std::max<std::uint64_t>(value->rows.size(), value->total_rows);
    const bool counted = !value->rows_from || value->total_rows > 0;
    document.rows.push_back({Value(fmt::format("${}", number)), Value(value->schema),
                             Value(static_cast<std::uint64_t>(value->record.size())),
                             counted ? Value(rows) : Value()});
  }
  if (first > values.first())
    document.notes.push_back(fmt::format("{} values are older", first - values.first()));
  if (values.first() > 1) {
    document.notes.push_back(fmt::format(
        "$1 to ${} are kept no longer; for more: set history values N, set history bytes N",
        values.first() - 1));
  }
  return document;
}

struct LimitArgs {
  std::int64_t limit = 20;
};

Result<Document> show_commands(const LimitArgs& args) {
  const std::vector<std::string> lines = TRY(HistoryFile::standard().load());
  const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(args.limit, 0));
  Document document;
  document.total_rows = lines.size();
  const std::size_t first = lines.size() > limit ? lines.size() - limit : 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    document.rows.push_back({Value(static_cast<std::uint64_t>(i + 1)), Value(lines[i])});
  }
  return document;
}

struct NameArgs {
  std::string name;
};

Result<Document> show_user(const NameArgs& args, const UserCommands& commands) {
  Document document;
  const auto& definitions = commands.all();
  if (!args.name.empty() && !definitions.contains(args.name)) {
    return fail(Errc::not_found, fmt::format("'{}' is not a user-defined command", args.name),
                "show user lists them");
  }
  for (const auto& [name, body] : definitions) {
    if (!args.name.empty() && args.name != name) continue;
    for (const std::string& line : body) {
      document.rows.push_back({Value(name), Value(line)});
    }
  }
  return document;
}

Result<Document> show_convenience(const Values& values) {
  Document document;
  for (const auto& [name, value] : values.variables()) {
    document.rows.push_back({Value("$" + name), value});
  }
  return document;
}

Command version_definition() {
  Command command;
  command.path = "show version";
  command.summary = "Show the version of rpl and of what it is built with.";
  command.help = "The compiler and the SQLite library belong in a bug report.";
  command.fields = {{"version", Type::string, Unit::none, "of rpl"},
                    {"compiler", Type::string, Unit::none, "that built it"},
                    {"sqlite", Type::string, Unit::none, "version of the SQLite library"}};
  command.scalar = "version";
  command.examples = {"show version"};
  return command;
}

Command values_definition() {
  Command command;
  command.path = "show values";
  command.summary = "List the value history.";
  command.help =
      "Results are numbered `$1`, `$2`, ...; `$` is the last, `$$` the one before, `$$n` the n-th "
      "before. `print $3.rows[1].id` "
      "takes one apart. Ten are shown: the last, or those up to a number. The latest are kept: as "
      "many as `set history values` says "
      "(1000), of at most `set history bytes` together (64 MiB); numbers go on all the same. 0 "
      "keeps all.";
  command.columns = {
      {"value", Type::string, Unit::none, "how it is called"},
      {"schema", Type::string, Unit::none, "what kind of result it is"},
      {"fields", Type::integer, Unit::count, "named values in it"},
      {"rows", Type::integer, Unit::count, "rows of its table; unknown if made on demand"}};
  command.scalar = "value";
  command.examples = {"show values"};
  return command;
}

Command commands_definition() {
  Command command;
  command.path = "show commands";
  command.summary = "List the lines typed last at the prompt.";
  command.help =
      "From the history file, over all runs. `set history size` says how many are kept. A session "
      "keeps what was asked and answered: "
      "`session log`.";
  command.columns = {{"number", Type::integer, Unit::none, "1 is the oldest line kept"},
                     {"line", Type::string, Unit::none, "as typed"}};
  command.scalar = "line";
  command.aliases = {"history"};
  command.examples = {"history", "show commands --limit 5"};
  return command;
}

}  // namespace

void add_show_commands(Registry& registry) {
  add(registry, command(version_definition(), show_version));
  add(registry,
      command<ValuesArgs>(values_definition(),
                          {arg("number", &ValuesArgs::number, "show the ten up to this one")},
                          show_values));
  add(registry, command<LimitArgs>(commands_definition(),
                                   {option("limit", &LimitArgs::limit, "at most so many lines")},
                                   show_commands));

  Command user;
  user.path = "show user";
  user.summary = "List user-defined commands and what they run.";
  user.help = "All, or one; a line of a definition's body a row.";
  user.columns = {{"name", Type::string, Unit::none, "of the command"},
                  {"line", Type::string, Unit::none, "of its body"}};
  user.scalar = "line";
  user.examples = {"show user"};
  add(registry,
      command<NameArgs>(std::move(user), {arg("name", &NameArgs::name, "one of them")}, show_user));

  Command convenience;
  convenience.path = "show convenience";
  convenience.summary = "List the convenience variables.";
  convenience.help =
      "Those that `set $NAME = EXPRESSION` made and those that rpl keeps, like `$kernel`.";
  convenience.columns = {{"name", Type::string, Unit::none, "with its dollar"},
                         {"value", Type::any, Unit::none, "what it is now"}};
  convenience.scalar = "value";
  convenience.aliases = {"show conv"};
  convenience.examples = {"show convenience"};
  add(registry, command(std::move(convenience), show_convenience));
}

}  // namespace rpl
