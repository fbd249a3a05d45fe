// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sqlite3.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/base/interrupt.h"
#include "engine/trace/views/sql_tables.h"
#include "engine/trace/views/views.h"

namespace rpl::views {
namespace {

constexpr std::size_t kRowsBetweenLooks = 8192;

/// Texts that come again, by their numbers in the table rpl_texts. Keys are the trace's.
class Texts {
 public:
  explicit Texts(Statement insert) : insert_(std::move(insert)) {}

  Result<std::int64_t> number_of(std::string_view text) {
    const auto [place, added] =
        numbers_.try_emplace(text, static_cast<std::int64_t>(numbers_.size()) + 1);
    if (added) {
      TRY(insert_.bind(place->second, text));
      TRY(insert_.run());
    }
    return place->second;
  }

 private:
  Statement insert_;
  std::unordered_map<std::string_view, std::int64_t> numbers_;
};

/// "rpl_dispatches" is a view over the table "rpl_dispatches_rows".
std::string table_of(const View& view) { return fmt::format("{}_rows", view.name); }

std::string create_sql(const View& view) {
  std::string stored, shown, marks;
  for (const ViewColumn& column : view.columns) {
    const std::string_view comma = stored.empty() ? "" : ", ";
    stored += fmt::format("{}\"{}\" {}", comma, column.name,
                          column.repeats ? "INTEGER" : to_string(column.type));
    shown += column.repeats
                 ? fmt::format(
                       "{}(SELECT t.text FROM rpl_texts AS t WHERE t.number = r.\"{}\") AS \"{}\"",
                       comma, column.name, column.name)
                 : fmt::format("{}r.\"{}\"", comma, column.name);
  }
  return fmt::format(
      "CREATE TABLE \"{0}\" ({1}); CREATE VIEW \"{2}\" AS SELECT {3} FROM \"{0}\" AS r;",
      table_of(view), stored, view.name, shown);
}

Result<Statement> insert_of(Database& database, const View& view) {
  std::string marks;
  for (std::size_t i = 0; i < view.columns.size(); ++i) marks += i == 0 ? "?" : ", ?";
  return database.prepare(fmt::format("INSERT INTO \"{}\" VALUES ({})", table_of(view), marks));
}

Status bind_cell(sqlite3_stmt* statement, int index, const ViewColumn& column, const Cell& cell,
                 Texts& texts) {
  int code = SQLITE_OK;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    code = sqlite3_bind_int64(statement, index, *integer);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    code = sqlite3_bind_double(statement, index, *real);
  } else if (const auto* text = std::get_if<std::string_view>(&cell); text && column.repeats) {
    code = sqlite3_bind_int64(statement, index, TRY(texts.number_of(*text)));
  } else if (text) {
    code = sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  } else {
    code = sqlite3_bind_null(statement, index);
  }
  if (code == SQLITE_OK) return {};
  return Failure(sqlite_error(sqlite3_db_handle(statement), code));
}

Status write_rows(Database& database, const View& view, const Source& source, Texts& texts,
                  const Monitor& monitor) {
  Statement insert = TRY(insert_of(database, view));
  const std::size_t rows = view.rows(source);
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % kRowsBetweenLooks == 0) {
      TRY(interrupt::check());
      monitor.report("writing rows", row, rows);
    }
    int index = 0;
    for (const ViewColumn& column : view.columns)
      TRY(bind_cell(insert.handle(), ++index, column, column.cell(source, row), texts));
    TRY(insert.step());
    TRY(insert.reset());
  }
  return {};
}

}  // namespace

Result<WrittenViews> write_views(const std::shared_ptr<const Trace>& trace, const std::string& path,
                                 const Monitor& monitor) {
  Database database = TRY(Database::create_plain(path));
  // A file that fails is thrown away: nothing needs to be taken back.
  TRY(database.execute(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE"));
  TRY(database.execute("CREATE TABLE rpl_texts (number INTEGER PRIMARY KEY, text TEXT)"));
  WrittenViews out;
  TRY(database.execute("BEGIN"));
  Texts texts(TRY(database.prepare("INSERT INTO rpl_texts VALUES (?, ?)")));
  for (const View& view : all_views()) {
    const Source source = TRY(source_of(view, trace));
    TRY(database.execute(create_sql(view)));
    TRY(write_rows(database, view, source, texts, monitor));
    ++out.views;
    out.rows += view.rows(source);
  }
  TRY(database.execute("COMMIT"));
  return out;
}

}  // namespace rpl::views
