// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/core/damage.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/import/rocpd/rocpd_entities.h"

namespace rpl {

/// The dispatch table of one source and where its columns are.
struct DispatchTable {
  std::string name;
  std::array<int, kDispatchFields> column{};  ///< position in the table's declaration, -1 = absent

  [[nodiscard]] bool has(DispatchField field) const {
    return column[static_cast<std::size_t>(field)] >= 0;
  }
};

/// Fails with unsupported when the table lacks what a trace cannot do without, naming it. A source without the table
/// gives an empty name.
Result<DispatchTable> dispatch_table(ForeignDatabase& database, const RocpdSource& source);

/// Reads dispatch rows through SQLite's API and turns rows into dispatches; the reference for the leaf decoder.
class DispatchRows {
 public:
  DispatchRows(ForeignDatabase& database, const DispatchTable& table, RocpdEntities& entities,
               RawTrace& raw);

  /// Appends all rows to raw, in the table's order.
  Status read_all(const Monitor& monitor);
  /// The row with this rowid, as read_all() would have added it.
  Result<RawDispatch> read_one(std::int64_t rowid);
  /// Forgets what was counted for add_notes(), before all rows are read again.
  void forget() { odd_rows_ = timeless_rows_ = 0; }
  /// About values that were no integers and rows without times.
  void add_notes();

 private:
  Result<RawDispatch> convert(const Statement& statement);
  Result<Statement> select(std::string_view tail);

  ForeignDatabase& database_;
  const DispatchTable& table_;
  RocpdEntities& entities_;
  RawTrace& raw_;
  std::optional<Statement> one_;
  std::size_t odd_rows_ = 0, timeless_rows_ = 0;
};

/// How long the dispatches of one launch configuration lasted, as words of a compact column: four seconds and more are kEscaped.
struct LengthsOfLaunch {
  std::uint32_t shortest = CompactColumn::kEscaped, longest = 0;

  void add(std::uint32_t duration) {
    // Hardly ever a new end: nothing is stored.
    if (duration < shortest) [[unlikely]]
      shortest = duration;
    if (duration > longest) [[unlikely]]
      longest = duration;
  }
  void add(const LengthsOfLaunch& others) {
    if (others.shortest < shortest) shortest = others.shortest;
    if (others.longest > longest) longest = others.longest;
  }
};

/// What is asked of all dispatches of a source to find those that cannot be as they were recorded.
struct DispatchFacts {
  std::vector<LengthsOfLaunch> lengths;  ///< by RawTrace::launches()
  std::uint32_t highest_event = 0;       ///< CompactColumn::raw

  /// Of the dispatches from row `first_row` on.
  static DispatchFacts of(const RawTrace& raw, std::size_t first_row);
};

class TableReader;

/// Reads the dispatch table from the pages of the file, about ten times faster than through SQLite's API. Appends the same
/// dispatches in the same order as DispatchRows::read_all().
///
/// Returns what DispatchFacts::of() would say of them; nullopt, with nothing appended, when only SQLite should read the table: see TableReader, and
/// more than a few rows that the API has to convert.
Result<std::optional<DispatchFacts>> decode_leaves(TableReader& reader, const RocpdSource& source,
                                                   RocpdEntities& entities, DispatchRows& rows,
                                                   RawTrace& raw, const Monitor& monitor);

/// Looks for dispatches, from row `first_row` of `raw` on, of which `facts` are, that cannot be as they were recorded: of an event
/// that there is not (`last_event`: the highest id; nullopt: not known), as long as nothing of their kernel while others ran on their stream, or on an
/// agent that is no GPU.
/// Before the rows are sorted.
void check_dispatches(const RawTrace& raw, std::size_t first_row, const DispatchFacts& facts,
                      std::optional<std::int64_t> last_event, Damage& damage);

}  // namespace rpl
