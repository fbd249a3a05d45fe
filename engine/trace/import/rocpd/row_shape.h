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

namespace rpl {

/// What rows of a table can look like, by its declaration: a row of another table, or one whose header was changed, mostly cannot be one. SQLite itself
/// reads such rows without a word. Rules: https://www.sqlite.org/fileformat2.html §2.1 (records), datatype3.html §3 (a TEXT column never holds a number).
/// Of the recorder, not of SQLite: whole-number columns hold no fractions and no text but an empty one, and each row's `guid` is that of its table's name.
class RowShape {
 public:
  /// nullopt where there is no such table, or one with generated columns. `guid`: of the recording, "" where it is not known.
  static Result<std::optional<RowShape>> of(ForeignDatabase& database, const std::string& table,
                                            std::string_view guid);

  /// Whether a record of `payload` bytes, of which the first `local` lie at `record`, may be a row. At most nine bytes are read beyond `local`.
  [[nodiscard]] bool fits(const std::uint8_t* record, std::uint64_t payload,
                          std::uint32_t local) const;
  /// The same of a record's serial types alone, for rows that are read one by one. Whole numbers that may be missing are not looked at: some recorders
  /// write addresses as texts.
  [[nodiscard]] bool fits_types(std::span<const std::uint64_t> types) const;
  /// Whether all rows of a leaf that check_leaf() had nothing against fit.
  [[nodiscard]] bool fits_leaf(const std::uint8_t* page, std::uint32_t page_bytes) const;

 private:
  /// One bit for each kind of value that a column may hold (row_shape.cc).
  using Kinds = std::uint8_t;

  std::vector<Kinds> columns_;
  std::string guid_;
  int guid_column_ = -1;
};

/// The guid that the suffix of a table's name is made of ("_000003ce_5d4c_…" of "000003ce-5d4c-…"); "" for none.
std::string guid_of_suffix(std::string_view suffix);

}  // namespace rpl
