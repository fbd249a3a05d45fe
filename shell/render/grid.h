// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace rpl {

struct GridColumn {
  std::string heading;  ///< with the unit: "total ms"
  std::string description;
  bool right = false;  ///< numbers
};

struct GridCell {
  std::string text;             ///< scaled, shortened
  std::string whole;            ///< the kernel's whole name, when `text` is not it
  std::optional<double> share;  ///< 0 to 1, of a column of shares
};

/// A table as people read it, whatever it is written in: numbers scaled by column, kernel names shortened, columns that text never
/// shows left out.
struct Grid {
  std::vector<GridColumn> columns;
  std::vector<std::vector<GridCell>> rows;
  std::string left_out;  ///< "25 of 80 rows"; "" when all are here
};

/// At most `limit` rows (0: all). Fails with what reading the rows fails with.
Result<Grid> grid_of(const Document& document, std::uint64_t limit);

/// A record of records with the same keys ({"VALU": {"hits": 56, …}, …}) as a table with a row for each; nullopt for any other value.
std::optional<Grid> grid_of_record(const Value& value);

}  // namespace rpl
