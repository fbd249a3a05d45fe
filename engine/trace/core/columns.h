// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "engine/trace/core/column_memory.h"

namespace rpl {

/// Signed 64-bit values stored in four bytes each; the few that do not fit 0 … 2^32 - 2 are kept apart. Not thread-safe to fill.
class CompactColumn {
 public:
  static constexpr std::uint32_t kEscaped = 0xffffffffU;

  [[nodiscard]] std::int64_t get(std::size_t row) const {
    const std::uint32_t held = low_[row];
    return held == kEscaped ? far(row) : std::int64_t{held};
  }
  void set(std::size_t row, std::int64_t value) {
    if (value >= 0 && value < std::int64_t{kEscaped}) {
      low_[row] = static_cast<std::uint32_t>(value);
    } else {
      set_far(row, value);
    }
  }
  void push_back(std::int64_t value) {
    low_.push_back(0);
    set(low_.size() - 1, value);
  }
  /// New rows are uninitialised until set.
  void resize(std::size_t rows) { low_.resize(rows); }
  void reserve(std::size_t rows) { low_.reserve(rows); }
  [[nodiscard]] std::size_t size() const { return low_.size(); }
  /// The stored words; a word equal to kEscaped stands for get(row). For scans over many rows.
  [[nodiscard]] std::span<const std::uint32_t> raw() const { return low_; }
  [[nodiscard]] std::span<std::uint32_t> raw() { return low_; }
  [[nodiscard]] std::unordered_map<std::size_t, std::int64_t>& escaped() { return escaped_; }
  [[nodiscard]] const std::unordered_map<std::size_t, std::int64_t>& escaped() const {
    return escaped_;
  }

 private:
  // The rare cases are compiled once, in columns.cc.
  [[nodiscard]] std::int64_t far(std::size_t row) const;
  void set_far(std::size_t row, std::int64_t value);

  ColumnVector<std::uint32_t> low_;
  std::unordered_map<std::size_t, std::int64_t> escaped_;
};

/// The dispatch table, structure of arrays, 28 bytes a row. Rows are sorted by (start, file, row in the file).
/// Resizing a Column leaves new rows uninitialised.
struct TraceColumns {
  ColumnVector<std::int64_t> start_ns;
  CompactColumn duration_ns;
  ColumnVector<std::uint32_t> launch;  ///< index into TraceEntities::launches
  ColumnVector<std::uint32_t> lane;    ///< index into TraceEntities::lanes
  CompactColumn dispatch_id;           ///< as recorded
  CompactColumn event_id;              ///< as recorded; 0 = none

  /// Calls `use` with each column.
  template <class Use>
  void for_each(const Use& use) {
    use(start_ns);
    use(duration_ns);
    use(launch);
    use(lane);
    use(dispatch_id);
    use(event_id);
  }
  void resize(std::size_t rows) {
    for_each([&](auto& column) { column.resize(rows); });
  }
  void reserve(std::size_t rows) {
    for_each([&](auto& column) { column.reserve(rows); });
  }
};

}  // namespace rpl
