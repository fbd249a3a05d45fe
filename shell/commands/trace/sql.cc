// SPDX-License-Identifier: MIT
// sql: questions that no command asks, put to the recording itself.
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "engine/base/interrupt.h"
#include "engine/document/dynamic_table.h"
#include "engine/store/foreign.h"
#include "engine/trace/import/database.h"
#include "engine/trace/views/sql_tables.h"
#include "engine/trace/views/views.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

struct SqlArgs {
  std::string query, file;
};

/// What a query is put to: the recording's own database, or an empty one where the recording is none.
struct Asked {
  std::shared_ptr<ForeignDatabase> file;
  Database empty;

  Database& database() { return file ? file->database() : empty; }
};

/// One pass over a query; keeps the database alive.
class QueryRows : public RowSource {
 public:
  QueryRows(std::shared_ptr<Asked> database, Statement statement)
      : database_(std::move(database)), statement_(std::move(statement)) {}

  Result<bool> next(Row& row) override {
    if (!TRY(statement_.step())) return false;
    row.clear();
    for (int i = 0; i < statement_.column_count(); ++i) row.push_back(cell(i));
    return true;
  }

 private:
  [[nodiscard]] Value cell(int column) const {
    switch (statement_.type(column)) {
      case SQLITE_INTEGER:
        return Value(statement_.int64(column));
      case SQLITE_FLOAT:
        return Value(statement_.real(column));
      case SQLITE_TEXT:
        return Value(statement_.text(column));
      case SQLITE_BLOB:
        return Value(hex_of(statement_.text(column)));
      default:
        return {};
    }
  }

  static std::string hex_of(std::string_view bytes) {
    std::string out = "0x";
    for (const char byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return out;
  }

  std::shared_ptr<Asked> database_;
  Statement statement_;
};

/// The rows of a query whose first pass has failed before it began.
class FailedRows : public RowSource {
 public:
  explicit FailedRows(Error error) : error_(std::move(error)) {}
  Result<bool> next(Row&) override { return Failure(error_); }

 private:
  Error error_;
};

bool is_database(TraceFormat format) {
  return format == TraceFormat::rocpd || format == TraceFormat::rpd;
}

/// The file of the trace that the query is put to: number from 1, or part of the path. "" for a trace without databases, whose views alone are asked.
Result<std::string> chosen_file(const Trace& trace, const std::string& wanted,
                                std::vector<std::string>& notes) {
  std::vector<std::string> paths;
  for (const TraceFile& file : trace.entities().files) {
    if (is_database(file.format)) paths.push_back(file.path);
  }
  if (paths.empty() && wanted.empty()) return std::string();
  std::vector<std::string> found;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool named = wanted.empty() || wanted == std::to_string(i + 1) ||
                       paths[i].find(wanted) != std::string::npos;
    if (named) found.push_back(paths[i]);
  }
  if (found.empty()) {
    return fail(Errc::not_found, fmt::format("no file '{}' in the trace", wanted),
                paths.empty() ? "it was read from no database: ask without --file"
                              : fmt::format("it has {} database{}: --file 1 to {}", paths.size(),
                                            paths.size() == 1 ? "" : "s", paths.size()));
  }
  if (found.size() > 1) {
    notes.push_back(fmt::format(
        "the trace has {} files; tables without rpl_ are those of {} (--file N chooses)",
        paths.size(), found.front()));
  }
  return found.front();
}

/// Of the first one; "?" has none.
std::string parameter_name(const Statement& statement) {
  const char* name = sqlite3_bind_parameter_name(statement.handle(), 1);
  return name != nullptr ? name : "?";
}

Result<Statement> prepared(Asked& asked, const std::string& query) {
  auto statement = asked.database().prepare(query);
  if (!statement) {
    if (statement.error().code == Errc::denied)
      return fail(Errc::denied, "a query neither opens other files nor sets anything",
                  "recordings are only read; open another one: open FILE");
    return fail(Errc::usage, statement.error().message,
                asked.file ? "rpl_dispatches and others: 'help sql'; the recorder's tables: sql "
                             "select name, sql from sqlite_master"
                           : "the recording is no database, and has rpl_dispatches, rpl_kernels "
                             "and others: 'help sql'");
  }
  if (sqlite3_bind_parameter_count(statement->handle()) > 0) {
    return fail(Errc::usage,
                fmt::format("the query has a parameter, {}, that nothing gives a value",
                            parameter_name(*statement)),
                "write the value; a convenience variable stands alone between blanks: id = $x");
  }
  if (!statement->read_only()) {
    return fail(Errc::denied, "the query would change the recording", "recordings are only read");
  }
  if (statement->column_count() == 0)
    return fail(Errc::usage, "the query has no result", "as in: sql select name from rpl_kernels");
  return statement;
}

constexpr std::string_view kViewsHelp =
    "Recordings of all formats have tables whose names, columns and units are promised: ";

/// "rpl_dispatches, rpl_kernels".
std::string views_list() {
  std::string out;
  for (const views::View& view : views::all_views())
    out += fmt::format("{}`{}`", out.empty() ? "" : ", ", view.name);
  return out;
}

Result<Document> run_sql(const SqlArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  Document out;
  const std::string path = TRY(chosen_file(*now.trace, args.file, out.notes));
  const auto database = std::make_shared<Asked>();
  if (path.empty())
    database->empty = TRY(Database::open_empty());
  else
    database->file = TRY(open_recorded_database(path));
  TRY(views::add_views(database->database(), now.trace));
  const Statement statement = TRY(prepared(*database, args.query));
  if (database->file && !database->file->note().empty())
    out.notes.push_back(database->file->note());
  std::vector<Column> columns;
  for (int i = 0; i < statement.column_count(); ++i)
    columns.push_back({statement.column_name(i), Type::any, Unit::none, "column of the query"});
  if (!columns.empty()) out.scalar = columns.front().name;
  DynamicTable table(std::move(columns));
  table.made_by([database, query = args.query]() -> std::unique_ptr<RowSource> {
    auto again = prepared(*database, query);
    if (!again) return std::make_unique<FailedRows>(std::move(again).error());
    return std::make_unique<QueryRows>(database, std::move(*again));
  });
  std::move(table).put(out);
  out.provenance = provenance_of(*now.trace);
  return out;
}

}  // namespace

void add_sql_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "sql",
              .does = kReads,
              .chapter = Class::data,
              .summary = "Put a SQL query to the recording.",
              .help = std::string(kViewsHelp) + views_list() +
                      ". The query goes on to the end of the line, to ` | ` or to an option; in "
                      "quotes it may contain these too. "
                      "The database is opened apart, read-only; nothing can change it. "
                      "Columns keep their types; blobs are "
                      "hex. Base tables of rocpd carry a suffix, views (`kernels`, "
                      "`top_kernels`, `rocpd_string`, …) "
                      "do not. Ctrl-C ends a long query. With several files the recorder's "
                      "tables are those of the first; --file chooses.",
              .scalar = "",
              .examples = {"sql select name, count(*), sum(duration_ns) from rpl_dispatches "
                           "group by name --trace TRACE",
                           "sql \"select name from sqlite_master limit 1\" --trace TRACE"}},
          {arg("query", &SqlArgs::query, "a SQL query").required().takes_phrase(),
           option("file", &SqlArgs::file,
                  "which file of the trace: its number or part of its path")},
          run_sql));
}

}  // namespace rpl
