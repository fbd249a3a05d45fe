// SPDX-License-Identifier: MIT
// Views as virtual tables (sqlite.org/vtab.html), eponymous: they are there without a statement that makes them.
#include "engine/trace/views/sql_tables.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <new>
#include <optional>
#include <string>

#include "engine/trace/views/views.h"

namespace rpl::views {
namespace {

/// What a module knows; SQLite deletes it with the connection.
struct Given {
  const View* view = nullptr;
  std::shared_ptr<const Trace> trace;
};

/// SQLite's part comes first, so that a pointer to it is one to the whole.
struct TableState : sqlite3_vtab {
  const Given* given = nullptr;
  std::optional<Source> source;
  std::uint64_t read = 0;  ///< the columns that `source` serves
};

struct CursorState : sqlite3_vtab_cursor {
  std::size_t row = 0, rows = 0;
};

int connect_table(sqlite3* connection, void* given, int, const char* const*, sqlite3_vtab** out,
                  char**) {
  const auto* of = static_cast<const Given*>(given);
  std::string columns;
  for (const ViewColumn& column : of->view->columns)
    columns += fmt::format("{}\"{}\" {}", columns.empty() ? "" : ", ", column.name,
                           to_string(column.type));
  const int code =
      sqlite3_declare_vtab(connection, fmt::format("CREATE TABLE x({})", columns).c_str());
  if (code != SQLITE_OK) return code;
  auto* table = new (std::nothrow) TableState();
  if (table == nullptr) return SQLITE_NOMEM;
  table->given = of;
  *out = table;
  return SQLITE_OK;
}

int disconnect_table(sqlite3_vtab* table) {
  delete static_cast<TableState*>(table);
  return SQLITE_OK;
}

/// Rows are read from the first to the last, and SQLite looks at the conditions itself. Which columns the query uses goes on to first_row().
int best_index(sqlite3_vtab* /*table*/, sqlite3_index_info* info) {
  info->idxNum = static_cast<int>(info->colUsed & 0x7fffffffU);
  constexpr double kRowsGuessed = 1e6;
  info->estimatedCost = kRowsGuessed;
  info->estimatedRows = static_cast<sqlite3_int64>(kRowsGuessed);
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** out) {
  *out = new (std::nothrow) CursorState();
  return *out == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<CursorState*>(cursor);
  return SQLITE_OK;
}

/// What the rows need is read when the first query asks for them.
int first_row(sqlite3_vtab_cursor* at, int columns, const char*, int, sqlite3_value**) {
  auto* cursor = static_cast<CursorState*>(at);
  auto* table = static_cast<TableState*>(cursor->pVtab);
  const std::uint64_t wanted = table->read | static_cast<std::uint64_t>(columns);
  if (!table->source || wanted != table->read) {
    auto source = source_of(*table->given->view, table->given->trace, wanted);
    if (!source) {
      sqlite3_free(table->zErrMsg);
      table->zErrMsg = sqlite3_mprintf("%s", source.error().message.c_str());
      return source.error().code == Errc::interrupted ? SQLITE_INTERRUPT : SQLITE_ERROR;
    }
    table->source = std::move(*source);
    table->read = wanted;
  }
  cursor->row = 0;
  cursor->rows = table->given->view->rows(*table->source);
  return SQLITE_OK;
}

int next_row(sqlite3_vtab_cursor* cursor) {
  ++static_cast<CursorState*>(cursor)->row;
  return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* at) {
  const auto* cursor = static_cast<CursorState*>(at);
  return cursor->row >= cursor->rows ? 1 : 0;
}

int column_of_row(sqlite3_vtab_cursor* at, sqlite3_context* result, int column) {
  const auto* cursor = static_cast<CursorState*>(at);
  const auto* table = static_cast<TableState*>(cursor->pVtab);
  const Cell cell = table->given->view->columns[static_cast<std::size_t>(column)].cell(
      *table->source, cursor->row);
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    sqlite3_result_int64(result, *integer);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    sqlite3_result_double(result, *real);
  } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
    // The text is the trace's, which lives longer than the query.
    sqlite3_result_text64(result, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  } else {
    sqlite3_result_null(result);
  }
  return SQLITE_OK;
}

int row_number(sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(static_cast<CursorState*>(cursor)->row) + 1;
  return SQLITE_OK;
}

sqlite3_module made_module() {
  sqlite3_module out{};
  out.xConnect = connect_table;  // without xCreate: a table of its own name, and no other
  out.xBestIndex = best_index;
  out.xDisconnect = disconnect_table;
  out.xOpen = open_cursor;
  out.xClose = close_cursor;
  out.xFilter = first_row;
  out.xNext = next_row;
  out.xEof = at_end;
  out.xColumn = column_of_row;
  out.xRowid = row_number;
  return out;
}

}  // namespace

Status add_views(Database& database, std::shared_ptr<const Trace> trace) {
  static const sqlite3_module kModule = made_module();
  for (const View& view : all_views()) {
    auto* given = new Given{&view, trace};
    const int code =
        sqlite3_create_module_v2(database.handle(), std::string(view.name).c_str(), &kModule, given,
                                 [](void* of) { delete static_cast<Given*>(of); });
    if (code != SQLITE_OK) return Failure(sqlite_error(database.handle(), code));
  }
  return {};
}

}  // namespace rpl::views
