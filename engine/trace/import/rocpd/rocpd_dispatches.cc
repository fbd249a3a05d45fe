// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_dispatches.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

using enum DispatchField;

Status require(const DispatchTable& table, const RocpdSource& source) {
  std::string lacking;
  for (const DispatchField field : {start, end, DispatchField::kernel}) {
    if (table.has(field)) continue;
    lacking += fmt::format("{}{}", lacking.empty() ? "" : ", ",
                           kDispatchColumns[static_cast<std::size_t>(field)]);
  }
  if (!table.has(pid) && !table.has(track)) {
    lacking += fmt::format("{}pid or track_id", lacking.empty() ? "" : ", ");
  }
  if (lacking.empty()) return {};
  return fail(Errc::unsupported,
              fmt::format("rocpd schema {}: the table {} has no column {}",
                          source.version.empty() ? "of unknown version" : source.version,
                          table.name, lacking),
              "this build reads schema 3 to 3.0.5 and 4.1");
}

}  // namespace

Result<DispatchTable> dispatch_table(ForeignDatabase& database, const RocpdSource& source) {
  DispatchTable table;
  if (!source.has("rocpd_kernel_dispatch")) return table;
  table.name = source.table("rocpd_kernel_dispatch");
  const std::vector<std::string> columns = TRY(database.columns(table.name));
  for (std::size_t field = 0; field < kDispatchFields; ++field) {
    const auto found = std::find(columns.begin(), columns.end(), kDispatchColumns[field]);
    table.column[field] = found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
  }
  TRY(require(table, source));
  return table;
}

DispatchRows::DispatchRows(ForeignDatabase& database, const DispatchTable& table,
                           RocpdEntities& entities, RawTrace& raw)
    : database_(database), table_(table), entities_(entities), raw_(raw) {}

Result<Statement> DispatchRows::select(std::string_view tail) {
  std::string sql = "SELECT ";
  for (std::size_t field = 0; field < kDispatchFields; ++field) {
    if (field != 0) sql += ',';
    sql += table_.column[field] >= 0 ? sql_name(kDispatchColumns[field]) : "NULL";
  }
  // An index would give another order of rows.
  return database_.database().prepare(
      fmt::format("{} FROM {} NOT INDEXED {}", sql, sql_name(table_.name), tail));
}

Result<RawDispatch> DispatchRows::convert(const Statement& statement) {
  DispatchRow row;
  bool odd = false;
  for (std::size_t field = 0; field < kDispatchFields; ++field) {
    const int type = statement.type(static_cast<int>(field));
    if (type == SQLITE_NULL) {
      row.nulls |= 1U << field;
      continue;
    }
    odd |= type != SQLITE_INTEGER;
    row.values[field] = statement.int64(static_cast<int>(field));
  }
  odd_rows_ += odd ? 1 : 0;
  if (row.is_null(start) || row.is_null(end)) ++timeless_rows_;
  RawDispatch dispatch;
  // One missing time is taken from the other.
  dispatch.start_ns = row.is_null(start) ? row[end] : row[start];
  dispatch.end_ns = row.is_null(end) ? dispatch.start_ns : row[end];
  dispatch.lane = TRY(entities_.lane(row));
  dispatch.launch = TRY(entities_.launch(row));
  dispatch.dispatch_id = row[dispatch_id];
  dispatch.event_id = row[event_id];
  return dispatch;
}

Status DispatchRows::read_all(const Monitor& monitor) {
  Statement statement = TRY(select(""));
  std::size_t rows = 0;
  while (TRY(statement.step())) {
    raw_.add(TRY(convert(statement)));
    if (++rows % interrupt::kRowsBetweenChecks != 0) continue;
    TRY(interrupt::check());
    monitor.report("reading dispatches", rows, 0);
  }
  return {};
}

Result<RawDispatch> DispatchRows::read_one(std::int64_t rowid) {
  if (!one_) one_ = TRY(select("WHERE rowid = ?"));
  TRY(one_->bind(rowid));
  if (!TRY(one_->step()))
    return fail(Errc::corrupt, fmt::format("row {} of {} cannot be read", rowid, table_.name));
  const RawDispatch dispatch = TRY(convert(*one_));
  TRY(one_->reset());
  return dispatch;
}

void DispatchRows::add_notes() {
  if (odd_rows_ != 0) {
    raw_.notes.push_back(
        fmt::format("{} dispatch rows hold values that are not integers; they were read as SQLite "
                    "converts them",
                    odd_rows_));
  }
  if (timeless_rows_ != 0) {
    raw_.notes.push_back(fmt::format("{} dispatches have no start or no end time", timeless_rows_));
  }
}

}  // namespace rpl
