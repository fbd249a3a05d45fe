// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/trace/core/tuple_table.h"
#include "engine/trace/import/rocpd/record_plan.h"
#include "engine/trace/import/rocpd/rocpd_rows.h"

namespace rpl {

/// A ColumnPlan of a number in four bytes.
struct NumberPlan {
  std::uint16_t offset = 0;
  std::uint8_t shift = 0;
  std::uint8_t bits = 0;  ///< 1: the constant, 2: there are bytes

  static NumberPlan of(const ColumnPlan& column) {
    return {static_cast<std::uint16_t>(column.offset), column.shift,
            static_cast<std::uint8_t>(column.constant | (column.mask != 0 ? 2 : 0))};
  }
  [[nodiscard]] std::int64_t read(const std::uint8_t* record) const {
    const auto word = static_cast<std::int64_t>(__builtin_bswap64(load_word(record + offset)));
    return (word >> shift & -std::int64_t{bits >> 1}) | (bits & 1);
  }
};

/// The bytes of several columns that take part in telling one lane or launch from another, and the shape that says how to read
/// them.
struct KeyPlan {
  static constexpr std::size_t kWords = 4;
  using Key = TupleTable<kWords + 1>::Key;

  std::array<std::uint16_t, kWords> offsets{};
  std::array<std::uint8_t, kWords> bytes{};
  std::uint32_t shape = 0;

  [[nodiscard]] Key read(const std::uint8_t* record) const {
    const auto word = [&](std::size_t i) {
      return load_word(record + offsets[i]) & kLowBytes[bytes[i]];
    };
    return {shape, word(0), word(1), word(2), word(3)};
  }

 private:
  static constexpr std::array<std::uint64_t, 9> kLowBytes = {0,
                                                             0xff,
                                                             0xffff,
                                                             0xffffff,
                                                             0xffffffff,
                                                             0xffffffffff,
                                                             0xffffffffffff,
                                                             0xffffffffffffff,
                                                             0xffffffffffffffff};
};

/// Numbers for how the columns of a key are stored.
class KeyShapes {
 public:
  /// The columns first … last of a row; false when they have too many bytes for a KeyPlan.
  bool plan(const TableRow& row, DispatchField first, DispatchField last, KeyPlan& into);

 private:
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
};

/// What is read of the dispatches with one record header, in one line of the cache.
struct alignas(64) DispatchPlan {
  NumberPlan start, end, dispatch_id, event_id;
  KeyPlan lane, launch;
  bool made = false, odd = false;

  static DispatchPlan of(const TableRow& row, KeyShapes& shapes);
};
static_assert(sizeof(DispatchPlan) == 64);

/// All columns of the same, for the few rows that stand for a lane or a launch.
struct DispatchColumns {
  std::array<ColumnPlan, kDispatchFields> columns;
  std::uint32_t nulls = 0;

  static DispatchColumns of(const TableRow& row);
  [[nodiscard]] DispatchRow read(const std::uint8_t* record) const;
};

}  // namespace rpl
