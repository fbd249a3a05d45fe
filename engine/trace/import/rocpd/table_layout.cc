// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/table_layout.h"

#include <algorithm>
#include <initializer_list>

#include "engine/base/text.h"

namespace rpl {
namespace {

bool contains_any(std::string text, std::initializer_list<std::string_view> words) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// A primary key that has no index of its own is the rowid (https://www.sqlite.org/rowidtable.html).
Result<bool> has_key_index(Database& database, const std::string& table) {
  Statement keys =
      TRY(database.prepare("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk' LIMIT 1"));
  TRY(keys.bind(table));
  return keys.step();
}

Result<bool> is_without_rowid(Database& database, const std::string& table) {
  // Takes a table's name only if the table is WITHOUT ROWID (https://www.sqlite.org/pragma.html#pragma_index_info). pragma_table_list would say
  // it too, but looks up the columns of every view in the file for it, which takes milliseconds.
  Statement info = TRY(database.prepare("SELECT 1 FROM pragma_index_info(?)"));
  TRY(info.bind(table));
  return info.step();
}

Result<std::uint32_t> root_of(Database& database, const std::string& table) {
  Statement root =
      TRY(database.prepare("SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?"));
  TRY(root.bind(table));
  if (!TRY(root.step()) || root.int64(0) < 2 || root.int64(0) > 0xffffffffLL) return 0;
  return static_cast<std::uint32_t>(root.int64(0));
}

}  // namespace

Affinity affinity_of(const std::string& type) {
  if (contains_any(type, {"INT"})) return Affinity::integer;
  if (contains_any(type, {"CHAR", "CLOB", "TEXT"})) return Affinity::text;
  if (type.empty() || contains_any(type, {"BLOB"})) return Affinity::none;
  return contains_any(type, {"REAL", "FLOA", "DOUB"}) ? Affinity::real : Affinity::numeric;
}

Result<TableLayout> table_layout(ForeignDatabase& database, const std::string& table,
                                 std::span<const WantedColumn> columns) {
  TableLayout layout;
  for (const WantedColumn& column : columns)
    layout.columns.push_back({column.name, column.kind, -1});
  Database& sqlite = database.database();
  bool plain = true;
  int count = 0, keys = 0, rowid_column = -1;
  for (const ForeignDatabase::Declared& declared : *TRY(database.declared(table))) {
    layout.name = table;
    plain = plain && !declared.hidden;
    keys += declared.key ? 1 : 0;
    const auto wanted = std::ranges::find(columns, declared.name, &WantedColumn::name);
    const int at = count++;
    if (wanted == columns.end()) continue;
    const auto index = static_cast<std::size_t>(wanted - columns.begin());
    layout.columns[index].at = at;
    if (declared.key) rowid_column = static_cast<int>(index);
    if (wanted->kind != ColumnKind::real && affinity_of(declared.type) == Affinity::real)
      plain = false;
  }
  if (layout.name.empty() || !plain || TRY(is_without_rowid(sqlite, table))) return layout;
  if (keys == 1 && rowid_column >= 0 && !TRY(has_key_index(sqlite, table)))
    layout.rowid_column = rowid_column;
  layout.root = TRY(root_of(sqlite, table));
  return layout;
}

}  // namespace rpl
