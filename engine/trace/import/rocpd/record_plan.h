// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "engine/trace/core/tuple_table.h"
#include "engine/trace/import/rocpd/rocpd_dispatches.h"
#include "engine/trace/import/rocpd/rocpd_rows.h"

namespace rpl {

static_assert(std::endian::native == std::endian::little,
              "records are read as little-endian words");

inline std::uint64_t load_word(const std::uint8_t* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// How to read one column from a record of a known header: the eight bytes at `offset`, big-endian, shifted down with
/// their sign. Columns without bytes (NULL, the constants 0 and 1) have mask 0, all others -1.
struct ColumnPlan {
  std::uint16_t offset = 0;
  std::uint8_t shift = 0;
  std::uint8_t constant = 0;
  std::int32_t mask = 0;

  [[nodiscard]] std::int64_t read(const std::uint8_t* record) const {
    const auto word = static_cast<std::int64_t>(__builtin_bswap64(load_word(record + offset)));
    return (word >> shift & std::int64_t{mask}) | std::int64_t{constant};
  }
};

/// Bytes of a record that take part in telling one lane or launch from another.
struct KeyWord {
  std::uint16_t offset = 0;
  std::uint64_t mask = 0;
};

/// The bytes of several columns, and the shape that says how to read them.
struct KeyPlan {
  static constexpr std::size_t kWords = 4;

  std::array<std::uint64_t, kWords> masks{};
  std::array<std::uint16_t, kWords> offsets{};
  std::uint32_t shape = 0;

  [[nodiscard]] TupleTable<kWords + 1>::Key read(const std::uint8_t* record) const {
    return {shape, load_word(record + offsets[0]) & masks[0],
            load_word(record + offsets[1]) & masks[1], load_word(record + offsets[2]) & masks[2],
            load_word(record + offsets[3]) & masks[3]};
  }
};

/// How to read records with one header, so that the header is parsed once for thousands of rows. Small: a loop that meets a
/// hundred headers by turns finds all of their plans in the first-level cache.
struct RecordPlan {
  std::uint32_t payload_bytes = 0;
  bool odd =
      false;  ///< SQLite's API has to read such rows: values that are no integers, columns added later
  bool broken = false;  ///< no valid record
  std::uint16_t number = 0;
  ColumnPlan start, end, dispatch_id, event_id;
  KeyPlan lane, launch;
};

/// The same for all columns; rarely needed.
struct RowPlan {
  std::array<ColumnPlan, kDispatchFields> fields{};
  std::uint32_t nulls = 0;

  [[nodiscard]] DispatchRow row(const std::uint8_t* record) const;
};

/// Plans by the bytes of the record header. Record format: https://www.sqlite.org/fileformat2.html §2.1.
class PlanCache {
 public:
  explicit PlanCache(const DispatchTable& table) : table_(table) {}

  /// nullptr when the header is too long to be kept, or after very many others; valid until the next call.
  const RecordPlan* find(const std::uint8_t* record) {
    const std::size_t bytes = record[0];
    if (bytes > kMaxHeader || bytes == 0) return nullptr;
    TupleTable<kHeaderWords>::Key key;
    // g++ leaves a loop of so few words rolled; it runs for each row.
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kHeaderWords; ++i)
      key[i] = load_word(record + 8 * i) & kMasks[bytes][i];
    if (const std::uint32_t* known = index_.find(key)) return &plans_[*known];
    return add(record, bytes, key);
  }

  /// All columns of a record that `plan`, found here, belongs to.
  [[nodiscard]] DispatchRow row(const RecordPlan& plan, const std::uint8_t* record) const {
    return rows_[plan.number].row(record);
  }

  static constexpr std::size_t kHeaderWords = 5;
  static constexpr std::size_t kMaxHeader = 8 * kHeaderWords;

 private:
  using Masks = std::array<std::array<std::uint64_t, kHeaderWords>, kMaxHeader + 1>;
  using Shape = std::vector<std::uint64_t>;

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

  struct Parsed {
    std::vector<std::uint64_t> types;
    std::vector<std::uint32_t> offsets;
  };

  const RecordPlan* add(const std::uint8_t* record, std::size_t header_bytes,
                        const TupleTable<kHeaderWords>::Key& key);
  static bool parse(const std::uint8_t* record, std::size_t header_bytes, Parsed& into,
                    RecordPlan& plan);
  /// False when SQLite's API has to read such rows.
  bool plan_fields(const Parsed& parsed, RowPlan& plan) const;
  bool plan_key(const Parsed& parsed, DispatchField first, DispatchField last, KeyPlan& into);

  const DispatchTable& table_;
  std::vector<RecordPlan> plans_;
  std::vector<RowPlan> rows_;
  TupleTable<kHeaderWords> index_;
  std::map<Shape, std::uint32_t> shapes_;
};

}  // namespace rpl
