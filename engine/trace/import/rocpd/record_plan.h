// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "engine/trace/core/tuple_table.h"
#include "engine/trace/import/rocpd/table_layout.h"

namespace rpl {

static_assert(std::endian::native == std::endian::little,
              "records are read as little-endian words");

inline std::uint64_t load_word(const std::uint8_t* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// How to read one column from a record of a known header. Integers and reals: the eight bytes at `offset`, big-endian, shifted
/// down with their sign. Columns without bytes (NULL, the constants 0 and 1) have mask 0, all others -1. Texts: `mask` bytes at
/// `offset`.
struct ColumnPlan {
  std::uint32_t offset = 0;
  std::uint8_t shift = 0;
  std::uint8_t constant = 0;
  bool real = false;  ///< the bits are a double's
  std::int32_t mask = 0;

  [[nodiscard]] std::int64_t read(const std::uint8_t* record) const {
    const auto word = static_cast<std::int64_t>(__builtin_bswap64(load_word(record + offset)));
    return (word >> shift & std::int64_t{mask}) | std::int64_t{constant};
  }
  /// Of an integer: 0 for a column without any.
  [[nodiscard]] std::uint32_t bytes() const { return mask == 0 ? 0 : (64U - shift) / 8; }
};

/// How to read records with one header, so that the header is parsed once for thousands of rows. Small: a loop that meets a
/// hundred headers by turns finds all of their plans in the first-level cache.
struct RecordPlan {
  std::uint32_t payload_bytes = 0;
  std::uint32_t nulls = 0;  ///< by column of the layout
  std::uint32_t first = 0;  ///< of its columns, in the cache's list
  std::uint16_t number = 0;
  bool odd = false;  ///< SQLite's API has to read such rows: values of other types, columns added
                     ///< later
  bool broken = false;  ///< no valid record
};

/// One row: a record and how to read it. Texts live as long as the record.
class TableRow {
 public:
  TableRow(std::int64_t rowid, int rowid_column, std::uint32_t nulls, const ColumnPlan* columns,
           const std::uint8_t* record)
      : rowid_(rowid),
        rowid_column_(rowid_column),
        nulls_(nulls),
        columns_(columns),
        record_(record) {}

  /// By column of the layout, as SQLite's API gives it: NULL and columns that the table lacks are 0 or "".
  [[nodiscard]] std::int64_t integer(int column) const {
    return column == rowid_column_ ? rowid_ : columns_[column].read(record_);
  }
  [[nodiscard]] double real(int column) const {
    const std::int64_t bits = columns_[column].read(record_);
    return columns_[column].real ? std::bit_cast<double>(bits) : static_cast<double>(bits);
  }
  [[nodiscard]] std::string_view text(int column) const {
    const ColumnPlan& plan = columns_[column];
    return {reinterpret_cast<const char*>(record_) + plan.offset,
            static_cast<std::size_t>(plan.mask)};
  }
  [[nodiscard]] bool is_null(int column) const { return (nulls_ >> column & 1U) != 0; }

  [[nodiscard]] std::int64_t rowid() const { return rowid_; }
  [[nodiscard]] std::uint32_t nulls() const { return nulls_; }
  [[nodiscard]] const ColumnPlan* columns() const { return columns_; }
  [[nodiscard]] const std::uint8_t* record() const { return record_; }

 private:
  std::int64_t rowid_;
  int rowid_column_;
  std::uint32_t nulls_;
  const ColumnPlan* columns_;
  const std::uint8_t* record_;
};

/// Plans by the bytes of the record header. Record format: https://www.sqlite.org/fileformat2.html §2.1.
class PlanCache {
 public:
  explicit PlanCache(const TableLayout& layout) : layout_(layout) {}

  /// nullptr when the header is too long to be kept, or after very many others; valid until the next call.
  const RecordPlan* find(const std::uint8_t* record) {
    const std::size_t bytes = record[0];
    if (bytes > kMaxHeader || bytes == 0) return nullptr;
    // Most tables have short headers, of which a few come by turns.
    Short* slot = nullptr;
    if (bytes <= kShortHeader) {
      const std::uint64_t first = load_word(record) & kMasks[bytes][0],
                          second = load_word(record + 8) & kMasks[bytes][1];
      slot = &short_[((first ^ second * kOdd) * kOdd) >> (64 - kShortBits)];
      if (slot->first == first && slot->second == second) return &plans_[slot->plan];
      *slot = {first, second, 0, 0, 0};
    } else if (bytes <= kMediumHeader) {
      const std::uint64_t first = load_word(record), second = load_word(record + 8),
                          third = load_word(record + 16) & kMasks[bytes][2],
                          fourth = load_word(record + 24) & kMasks[bytes][3];
      const std::uint64_t mixed =
          first * kOdd + second * (kOdd + 2) + third * (kOdd + 4) + fourth * (kOdd + 6);
      slot = &short_[((mixed ^ mixed >> 32) * kOdd) >> (64 - kShortBits)];
      const std::uint64_t changed = (slot->first ^ first) | (slot->second ^ second) |
                                    (slot->third ^ third) | (slot->fourth ^ fourth);
      if (changed == 0) return &plans_[slot->plan];
      *slot = {first, second, third, fourth, 0};
    }
    Key key;
    // g++ leaves a loop of so few words rolled; it runs for each row.
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kHeaderWords; ++i)
      key[i] = load_word(record + 8 * i) & kMasks[bytes][i];
    const std::uint32_t* known = index_.find(key);
    if (known == nullptr && !add(record, bytes, key)) {
      if (slot != nullptr) *slot = {};
      return nullptr;
    }
    const std::uint32_t plan =
        known != nullptr ? *known : static_cast<std::uint32_t>(plans_.size() - 1);
    if (slot != nullptr) slot->plan = plan;
    return &plans_[plan];
  }

  /// Headers met so far of rows that cannot be of this table (RowShape).
  [[nodiscard]] std::size_t misfits() const { return misfits_; }

  [[nodiscard]] const ColumnPlan* columns(const RecordPlan& plan) const {
    return columns_.data() + plan.first;
  }

  static constexpr std::size_t kHeaderWords = 5;
  static constexpr std::size_t kMaxHeader = 8 * kHeaderWords;

 private:
  using Key = TupleTable<kHeaderWords>::Key;
  using Masks = std::array<std::array<std::uint64_t, kHeaderWords>, kMaxHeader + 1>;

  static constexpr std::uint64_t low_bytes(std::size_t count) {
    return count >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * count) - 1;
  }
  static constexpr Masks make_masks() {
    Masks masks{};
    for (std::size_t bytes = 0; bytes <= kMaxHeader; ++bytes) {
      for (std::size_t i = 0; i < kHeaderWords; ++i) {
        masks[bytes][i] = bytes > 8 * i ? low_bytes(bytes - 8 * i) : 0;
      }
    }
    return masks;
  }
  static const Masks kMasks;

  static constexpr std::size_t kShortHeader = 16, kMediumHeader = 32;
  static constexpr unsigned kShortBits = 9;
  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
  /// A header of up to four words and its plan. None is all zeros: the first byte is the length.
  struct Short {
    std::uint64_t first = 0, second = 0, third = 0, fourth = 0;
    std::uint32_t plan = 0;
  };

  struct Parsed {
    std::vector<std::uint64_t> types;
    std::vector<std::uint32_t> offsets;
  };

  /// False when there are too many.
  bool add(const std::uint8_t* record, std::size_t header_bytes, const Key& key);
  static bool parse(const std::uint8_t* record, std::size_t header_bytes, Parsed& into,
                    RecordPlan& plan);
  /// False when SQLite's API has to read such rows.
  bool plan_columns(const Parsed& parsed, RecordPlan& plan);

  const TableLayout& layout_;
  std::vector<RecordPlan> plans_;
  std::vector<ColumnPlan> columns_;
  TupleTable<kHeaderWords> index_;
  std::size_t misfits_ = 0;
  std::array<Short, std::size_t{1} << kShortBits> short_{};
};

}  // namespace rpl
