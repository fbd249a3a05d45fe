// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/label.h"
#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// The type of a field or column; decides the JSON Schema and how text is aligned.
enum class Type {
  boolean,
  integer,
  number,  ///< floating point
  string,
  id,       ///< d12, k7f3a2c, t1
  kernel,   ///< a kernel name: shortened in text, full in JSON
  address,  ///< hex string
  dim3,     ///< [x, y, z]
  strings,  ///< list of strings
  record,   ///< nested object, also one whose keys are data (a count per class)
  any,
};

/// What a number counts. Renderers scale and label by it; JSON keys already carry it as a suffix.
enum class Unit { none, count, ns, bytes, gbps, gflops, hz, pct, share, ratio, cycles };

std::string_view to_string(Type type);
std::string_view to_string(Unit unit);

/// Where a column stands in text tables; every other form has all columns.
enum class InText { always, whole, if_room, never };

struct BoundList;
template <class T>
struct Columns;

/// One field of a record or one column of a table, described once for JSON, text, docs, schemas and Lua stubs.
struct Column {
  Label name;  ///< the JSON key, with unit suffix: `total_ns`
  Type type = Type::string;
  Unit unit = Unit::none;
  Label description = {};
  /// `if_room`: left out where the table would be wider than the terminal. `whole`: texts are shortened only when all those are left out and all others are narrow.
  InText in_text = InText::always;
  /// The fields of the record that the value is, or of each record of the list that it is; nullptr: nothing is promised about it.
  BoundList (*nested)() = nullptr;
  /// How it is computed from other fields, or in words, as `explain` shows it; "" where the description says all.
  Label formula = {};
  /// Of a record whose keys are data: the type of its values, which `nested` then describes.
  std::optional<Type> values = {};
};

/// Where a number comes from (design §1).
enum class Provenance { none, measured, modelled, recorded, estimated };
std::string_view to_string(Provenance provenance);

using Row = std::vector<Value>;

/// Rows produced on demand, so that ten million of them never exist at once. One pass; single-threaded.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Replaces `row` by the next one; false at the end.
  virtual Result<bool> next(Row& row) = 0;
};

/// What every command returns. `fields` are the record (top-level JSON keys), `columns`/`rows` the table.
/// Both may be present (critpath). Handlers fill values; names, units and descriptions come from the command's definition.
struct Document {
  std::string schema;          ///< "rpl.info.kernels/1"; filled in by the dispatcher
  std::vector<Column> fields;  ///< filled in by the dispatcher from the definition
  std::vector<Column>
      columns;            ///< likewise; empty: no table. SQL results and scripts bring their own
  Record record;          ///< the values of `fields`, by name
  std::vector<Row> rows;  ///< values by column
  /// Instead of `rows` for unbounded tables: starts a fresh pass each time, so that renderers, scripts and the value
  /// history may all read it. Holds what it reads from alive.
  std::function<std::unique_ptr<RowSource>()> rows_from;
  std::uint64_t total_rows = 0;    ///< how many there are when only some are shown; 0: all are here
  std::string scalar;              ///< the field (or column of the first row) that `/q` prints
  std::vector<std::string> notes;  ///< said on stderr in text, in `notes` in JSON
  Provenance provenance = Provenance::none;
  std::string
      text;  ///< when not empty, what the text renderer shows instead of fields and table (a drawing)
  std::string
      heading;  ///< when not empty, what the text renderer shows instead of the fields, above the table
  std::vector<std::string> next;  ///< commands worth typing now; shown in text only
  int exit_code = 0;  ///< of the process when this is the last result (gates: 3, undecided: 4)

  // Defined in engine/document/bound.h, which describes the lists.
  /// Appends the values of an object's fields to those that are there.
  template <class T>
  void put(std::type_identity_t<Columns<T>> list, const T& object);
  /// Makes the objects the table, each one row; at most `most` of them unless it is 0.
  template <class T>
  void table(std::type_identity_t<Columns<T>> list, const std::vector<T>& objects,
             std::int64_t most = 0);
  /// A table whose rows are made as they are read: `start` begins a pass and gives a function that replaces an object by the next one,
  /// or returns false at the end. Both hold what they read from.
  template <class List, class Start>
  void stream(const List& list, Start start);
  /// The same for `count` objects that `make` gives by their index.
  template <class List, class Make>
  void stream(const List& list, std::size_t count, Make make);

  void set(std::string_view name, Value value);
  [[nodiscard]] const Value* get(std::string_view name) const;
  [[nodiscard]] bool has_table() const { return !columns.empty(); }
  /// Calls `visit` for each row, from `rows` or `rows_from`, until it returns false or the rows end. Interruptible.
  Status each_row(const std::function<bool(const Row&)>& visit) const;
};

}  // namespace rpl
