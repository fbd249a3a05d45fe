// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sqlite3.h>

#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/session/history_file.h"
#include "shell/core/session/user_commands.h"
#include "shell/core/session/values.h"
#include "shell/core/session/version.h"

namespace rpl {
namespace {

struct Versions {
  std::string_view rpl = version(), compiler = __VERSION__, sqlite = sqlite3_libversion();
};

constexpr auto kVersionFields =
    bound_to<Versions>(column<&Versions::rpl>("version", "of rpl"),
                       column<&Versions::compiler>("compiler", "that built it"),
                       column<&Versions::sqlite>("sqlite", "version of the SQLite library"));

Result<Document> show_version() {
  Document document;
  const Versions all;
  document.put(kVersionFields, all);
  document.text =
      fmt::format("rpl {}\ncompiler {}, SQLite {}\n", all.rpl, all.compiler, all.sqlite);
  return document;
}

struct ValuesArgs {
  std::int64_t number = 0;
};

struct Held {
  std::size_t number = 0;
  std::shared_ptr<const Document> value;

  [[nodiscard]] std::string name() const { return fmt::format("${}", number); }
  [[nodiscard]] std::size_t fields() const { return value->record.size(); }
  [[nodiscard]] std::optional<std::uint64_t> rows() const {
    const bool counted = !value->rows_from || value->total_rows > 0;
    if (!counted) return std::nullopt;
    return std::max<std::uint64_t>(value->rows.size(), value->total_rows);
  }
};

constexpr auto kValueColumns =
    bound_to<Held>(column<&Held::name>("value", "how it is called"),
                   column<&Held::value, &Document::schema>("schema", "what kind of result it is"),
                   column<&Held::fields>("fields", "named values in it"),
                   column<&Held::rows>("rows", "rows of its table; unknown if made on demand"));

Result<Document> show_values(const ValuesArgs& args, const Values& values) {
  constexpr std::size_t kShown = 10;
  const auto middle = args.number > 0 ? static_cast<std::size_t>(args.number) : values.last();
  const std::size_t first = std::max(middle > kShown ? middle - kShown + 1 : 1, values.first());
  std::vector<Held> rows;
  for (std::size_t number = first; number <= values.last() && number < first + kShown; ++number)
    rows.push_back({number, values.at(number)});
  Document document;
  document.table(kValueColumns, rows);
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

struct Typed {
  std::size_t number = 0;
  std::string line;
};

constexpr auto kTypedColumns =
    bound_to<Typed>(column<&Typed::number>("number", "1 is the oldest line kept").in(Unit::none),
                    column<&Typed::line>("line", "as typed"));

Result<Document> show_commands(const LimitArgs& args) {
  const std::vector<std::string> lines = TRY(HistoryFile::standard().load());
  const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(args.limit, 0));
  std::vector<Typed> rows;
  for (std::size_t i = lines.size() > limit ? lines.size() - limit : 0; i < lines.size(); ++i)
    rows.push_back({i + 1, lines[i]});
  Document document;
  document.table(kTypedColumns, rows);
  document.total_rows = lines.size();
  return document;
}

struct NameArgs {
  std::string name;
};

using BodyLine = std::pair<std::string, std::string>;

constexpr auto kBodyColumns = bound_to<BodyLine>(column<&BodyLine::first>("name", "of the command"),
                                                 column<&BodyLine::second>("line", "of its body"));

Result<Document> show_user(const NameArgs& args, const UserCommands& commands) {
  std::vector<BodyLine> rows;
  const auto& definitions = commands.all();
  if (!args.name.empty() && !definitions.contains(args.name)) {
    return fail(Errc::not_found, fmt::format("'{}' is not a user-defined command", args.name),
                "show user lists them");
  }
  for (const auto& [name, body] : definitions) {
    if (!args.name.empty() && args.name != name) continue;
    for (const std::string& line : body) rows.emplace_back(name, line);
  }
  Document document;
  document.table(kBodyColumns, rows);
  return document;
}

using Variable = std::pair<std::string, Value>;

constexpr auto kVariableColumns =
    bound_to<Variable>(column<&Variable::first>("name", "with its dollar"),
                       column<&Variable::second>("value", "what it is now"));

Result<Document> show_convenience(const Values& values) {
  std::vector<Variable> rows;
  for (const auto& [name, value] : values.variables()) rows.emplace_back("$" + name, value);
  Document document;
  document.table(kVariableColumns, rows);
  return document;
}

Command version_definition() {
  return {.path = "show version",
          .does = kReads,
          .summary = "Show the version of rpl and of what it is built with.",
          .help = "The compiler and the SQLite library belong in a bug report.",
          .fields = described(kVersionFields),
          .scalar = "version",
          .examples = {"show version"}};
}

Command values_definition() {
  return {
      .path = "show values",
      .does = kReads,
      .summary = "List the value history.",
      .help =
          "Results are numbered `$1`, `$2`, ...; `$` is the last, `$$` the one before, `$$n` the "
          "n-th before. `print $3.rows[1].id` takes one apart. Ten are shown: the last, or those "
          "up to a number. The latest are kept: as many as `set history values` says (1000), of at "
          "most `set history bytes` together (64 MiB); numbers go on all the same. 0 keeps all.",
      .columns = described(kValueColumns),
      .scalar = "value",
      .examples = {"show values"}};
}

Command commands_definition() {
  return {.path = "show commands",
          .does = kReads,
          .summary = "List the lines typed last at the prompt.",
          .help =
              "From the history file, over all runs. `set history size` says how many are kept. A "
              "session keeps what was asked and answered: `session log`.",
          .columns = described(kTypedColumns),
          .scalar = "line",
          .aliases = {"history"},
          .examples = {"history", "show commands --limit 5"}};
}

}  // namespace

void add_show_commands(Registry& registry) {
  add(registry, command(version_definition(), show_version));
  add(registry,
      command<ValuesArgs>(values_definition(),
                          {arg("number", &ValuesArgs::number, "show the ten up to this one")},
                          show_values));
  add(registry, command<LimitArgs>(
                    commands_definition(),
                    {option("limit", &LimitArgs::limit, "at most so many lines").in(at_least(0))},
                    show_commands));

  Command user{.path = "show user",
               .does = kReads,
               .summary = "List user-defined commands and what they run.",
               .help = "All, or one; a line of a definition's body a row.",
               .columns = described(kBodyColumns),
               .scalar = "line",
               .examples = {"show user"}};
  add(registry,
      command<NameArgs>(std::move(user), {arg("name", &NameArgs::name, "one of them")}, show_user));

  Command convenience{
      .path = "show convenience",
      .does = kReads,
      .summary = "List the convenience variables.",
      .help = "Those that `set $NAME = EXPRESSION` made and those that rpl keeps, like `$kernel`.",
      .columns = described(kVariableColumns),
      .scalar = "value",
      .aliases = {"show conv"},
      .examples = {"show convenience"}};
  add(registry, command(std::move(convenience), show_convenience));
}

}  // namespace rpl
