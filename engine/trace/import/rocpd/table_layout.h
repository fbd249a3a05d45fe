// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/store/foreign.h"
#include "engine/trace/import/rocpd/row_shape.h"

namespace rpl {

enum class ColumnKind : std::uint8_t { integer, real, text };

/// What SQLite makes of values for a column, from its declared type (https://www.sqlite.org/datatype3.html §3.1).
enum class Affinity : std::uint8_t { integer, text, none, real, numeric };
Affinity affinity_of(const std::string& type);

/// A column that is wanted, by name (a constant), and what it is read as.
struct WantedColumn {
  std::string_view name;
  ColumnKind kind = ColumnKind::integer;
};

struct TableColumn {
  std::string_view name;
  ColumnKind kind = ColumnKind::integer;
  int at = -1;  ///< position in the table's declaration; -1: the table lacks it
};

/// A table and where the wanted columns stand in its records.
struct TableLayout {
  std::string name;                  ///< in full; "" when there is no such table
  std::vector<TableColumn> columns;  ///< as wanted, at most 32
  int rowid_column = -1;     ///< the wanted column that is the rowid, which records hold as NULL
  std::uint32_t needed = 0;  ///< columns, as bits: SQLite's API reads rows where one is NULL
  /// Page of the table's root; 0 when only SQLite can read it: views, WITHOUT ROWID, generated columns, wanted integers in a
  /// column of REAL affinity.
  std::uint32_t root = 0;
  std::optional<RowShape> shape;  ///< of its rows, for who looks for others; nullopt: nobody
};

Result<TableLayout> table_layout(ForeignDatabase& database, const std::string& table,
                                 std::span<const WantedColumn> columns);

}  // namespace rpl
