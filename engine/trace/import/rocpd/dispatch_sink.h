// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/trace/core/columns.h"
#include "engine/trace/core/tuple_table.h"
#include "engine/trace/import/rocpd/dispatch_plan.h"
#include "engine/trace/import/rocpd/rocpd_dispatches.h"
#include "engine/trace/import/rocpd/rocpd_rows.h"

namespace rpl {

/// One thread's share of the dispatches. Lanes and launches are numbered as this share first saw them; the rows that stand for
/// them are kept, because turning them into entities takes SQLite, which is not for several threads. The layout's columns are
/// kDispatchColumns. Rows of a page are noted first and then read column by column, so that the processor works on several at once.
class DispatchSink {
 public:
  /// Rows go into `columns` from row `first` on, as long as they end before row `end`; into columns of its own if there are more.
  DispatchSink(TraceColumns& columns, std::size_t first, std::size_t end);

  [[gnu::always_inline]] bool row(const TableRow& row, const RecordPlan& record) {
    if (record.number >= plans_.size() || !plans_[record.number].made) make(row, record.number);
    if (plans_[record.number].odd) return odd(row.rowid());
    if (waiting_ == noted_.size()) take_noted();
    noted_[waiting_++] = {row.record(), record.number};
    return true;
  }
  bool odd(std::int64_t rowid);
  /// Records are read no more after this.
  void end_of_page() { take_noted(); }

  /// A row that SQLite's API has to read, and where it belongs.
  struct OddRow {
    std::size_t slot = 0;
    std::int64_t rowid = 0;
  };
  /// Values of a compact column that its words do not hold.
  using FarValues = std::vector<std::pair<std::size_t, std::int64_t>>;

  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Where its rows begin in columns().
  [[nodiscard]] std::size_t first() const { return first_; }
  /// Those that were given, or its own; far values are not in them.
  [[nodiscard]] TraceColumns& columns() { return spilled_ ? own_ : *given_; }
  [[nodiscard]] bool spilled() const { return spilled_; }
  /// The columns that it was given, after they were moved.
  void give(TraceColumns& columns) { given_ = &columns; }

  std::vector<DispatchRow> lanes, launches;
  std::vector<OddRow> odd_rows;  ///< slots from 0 on, like these:
  FarValues far_durations, far_dispatch_ids, far_event_ids;
  std::vector<LengthsOfLaunch> lengths;  ///< of each of `launches`
  std::uint32_t highest_event = 0;       ///< CompactColumn::raw

 private:
  struct Noted {
    const std::uint8_t* record = nullptr;
    std::uint16_t plan = 0;
  };
  /// Where the next row goes.
  struct Ends {
    std::int64_t* start_ns = nullptr;
    std::uint32_t *duration_ns = nullptr, *launch = nullptr, *lane = nullptr,
                  *dispatch_id = nullptr, *event_id = nullptr;
  };
  static constexpr std::size_t kNotedAtOnce = 64;

  void make(const TableRow& row, std::size_t plan);
  void take_noted();
  void take_values(std::span<const Noted> noted, const Ends& ends);
  void take_lanes(std::span<const Noted> noted, const Ends& ends);
  void take_launches(std::span<const Noted> noted, const Ends& ends);
  std::uint32_t intern(TupleTable<KeyPlan::kWords + 1>& index,
                       const TupleTable<KeyPlan::kWords + 1>::Key& key,
                       std::vector<DispatchRow>& rows, const Noted& noted);
  void make_room(std::size_t rows);
  [[nodiscard]] Ends ends();

  TraceColumns* given_;
  std::size_t first_, room_;  ///< room_: for so many rows
  TraceColumns own_;
  bool spilled_ = false;
  std::size_t rows_ = 0, waiting_ = 0;
  std::array<Noted, kNotedAtOnce> noted_;
  std::vector<DispatchPlan> plans_;           ///< by number of the record's plan
  std::vector<DispatchColumns> all_columns_;  ///< the same
  KeyShapes shapes_;
  TupleTable<KeyPlan::kWords + 1> lane_index_, launch_index_;
};

}  // namespace rpl
