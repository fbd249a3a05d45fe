// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/trace/core/columns.h"
#include "engine/trace/core/tuple_table.h"
#include "engine/trace/import/rocpd/record_plan.h"
#include "engine/trace/import/rocpd/rocpd_rows.h"

namespace rpl {

/// The bytes of several columns that take part in telling one lane or launch from another, and the shape that says how to read
/// them.
struct KeyPlan {
  static constexpr std::size_t kWords = 4;

  std::array<std::uint64_t, kWords> masks{};
  std::array<std::uint32_t, kWords> offsets{};
  std::uint32_t shape = 0;

  [[nodiscard]] TupleTable<kWords + 1>::Key read(const std::uint8_t* record) const {
    return {shape, load_word(record + offsets[0]) & masks[0],
            load_word(record + offsets[1]) & masks[1], load_word(record + offsets[2]) & masks[2],
            load_word(record + offsets[3]) & masks[3]};
  }
};

/// One thread's share of the dispatches. Lanes and launches are numbered as this share first saw them; the rows that stand for
/// them are kept, because turning them into entities takes SQLite, which is not for several threads. The layout's columns are
/// kDispatchColumns.
class DispatchSink {
 public:
  /// `rows`: about as many as there will be, with those of other shares that are to be appended.
  explicit DispatchSink(std::size_t rows) { resize(rows); }

  bool row(const TableRow& row, const RecordPlan& plan);
  bool odd(std::int64_t rowid);
  /// After the last row: cuts the columns to what is there.
  void finish() { resize(rows_); }

  /// A row that SQLite's API has to read, and where it belongs.
  struct OddRow {
    std::size_t slot = 0;
    std::int64_t rowid = 0;
  };
  TraceColumns columns;
  std::vector<DispatchRow> lanes, launches;
  std::vector<OddRow> odd_rows;

 private:
  /// Of the records with one header.
  struct Plan {
    ColumnPlan start, end, dispatch_id, event_id;
    KeyPlan lane, launch;
    bool made = false, odd = false;
  };
  /// How one column is stored.
  using Shape = std::vector<std::uint32_t>;

  void make(const TableRow& row, Plan& plan);
  bool make_key(const TableRow& row, DispatchField first, DispatchField last, KeyPlan& into);
  void resize(std::size_t rows);
  void grow();

  std::size_t rows_ = 0;
  std::vector<Plan> plans_;  ///< by number of the record's plan
  std::map<Shape, std::uint32_t> shapes_;
  TupleTable<5> lane_index_, launch_index_;
};

}  // namespace rpl
