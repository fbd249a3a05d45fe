// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/trace/core/columns.h"

namespace rpl {

/// What calls and copies have in common, column by column, 16 bytes a row once they are sorted: when, of which shape (an index of
/// the owner's), and by which correlation id. Rows come unsorted and in parts, which stay apart until sort() orders and packs them all.
class TimedRows {
 public:
  [[nodiscard]] std::size_t size() const {
    std::size_t rows = shape_.size();
    for (const TimedRows& part : more_) rows += part.shape_.size();
    return rows;
  }
  [[nodiscard]] std::int64_t start_ns(std::size_t row) const {
    if (row >= shape_.size()) return part_of(row).start_ns(row);
    if (packed_.empty()) return start_[row];
    const std::uint32_t held = packed_[row];
    return held == CompactColumn::kEscaped ? far_.at(row) : base_[row / kBlock] + held;
  }
  /// end - start as recorded; where that does not fit 64 bits it wraps.
  [[nodiscard]] std::int64_t duration_ns(std::size_t row) const {
    return row < shape_.size() ? duration_.get(row) : part_of(row).duration_.get(row);
  }
  [[nodiscard]] std::int64_t end_ns(std::size_t row) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start_ns(row)) +
                                     static_cast<std::uint64_t>(duration_ns(row)));
  }
  [[nodiscard]] std::uint32_t shape(std::size_t row) const {
    return row < shape_.size() ? shape_[row] : part_of(row).shape_[row];
  }
  [[nodiscard]] std::uint64_t correlation(std::size_t row) const {
    return static_cast<std::uint64_t>(row < shape_.size() ? correlation_.get(row)
                                                          : part_of(row).correlation_.get(row));
  }

  void add(std::int64_t start_ns, std::int64_t end_ns, std::uint32_t shape,
           std::uint64_t correlation) {
    if (!more_.empty()) return more_.back().add(start_ns, end_ns, shape, correlation);
    if (!packed_.empty()) unpack();
    start_.push_back(start_ns);
    duration_.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(end_ns) -
                                                  static_cast<std::uint64_t>(start_ns)));
    shape_.push_back(shape);
    correlation_.push_back(static_cast<std::int64_t>(correlation));
  }
  void reserve(std::size_t rows);
  /// Every shape becomes what stands at its place in `shapes`.
  void renumber(std::span<const std::uint32_t> shapes);
  void append(TimedRows more);
  /// Every row is `ns` later; what 64 bits do not hold wraps.
  void shift(std::int64_t ns);
  /// Stable, by (rank of the shape, start). Gives the rows' places before where `keep_order` says so; empty when they were in order.
  std::vector<std::uint32_t> sort(std::span<const std::uint32_t> rank_of_shape,
                                  bool keep_order = false);
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::size_t kBlock = 256;

  class Merge;

  /// Of those behind the first; `row` becomes the row there.
  const TimedRows& part_of(std::size_t& row) const;
  [[nodiscard]] bool in_order(std::span<const std::uint32_t> rank_of_shape) const;
  void pack();
  void unpack();

  ColumnVector<std::int64_t> start_;  ///< until they are packed, and where packing does not pay
  ColumnVector<std::uint32_t> packed_;
  std::vector<std::int64_t> base_;  ///< least start of each block
  std::unordered_map<std::size_t, std::int64_t> far_;
  CompactColumn duration_, correlation_;
  ColumnVector<std::uint32_t> shape_;
  std::vector<TimedRows> more_;  ///< what was appended since the last sort(); none of them has more
};

/// Lets rows that are made when they are asked for be walked like a vector of them.
template <class Rows, class Row>
class RowIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Row;
  using difference_type = std::ptrdiff_t;
  using reference = Row;
  struct Held {
    Row row;
    const Row* operator->() const { return &row; }
  };
  using pointer = Held;

  RowIterator() = default;
  RowIterator(const Rows& rows, std::size_t at) : rows_(&rows), at_(at) {}

  Row operator*() const { return (*rows_)[at_]; }
  Held operator->() const { return {(*rows_)[at_]}; }
  Row operator[](difference_type n) const { return *(*this + n); }
  RowIterator& operator+=(difference_type n) {
    at_ = static_cast<std::size_t>(static_cast<difference_type>(at_) + n);
    return *this;
  }
  RowIterator& operator-=(difference_type n) { return *this += -n; }
  RowIterator& operator++() { return *this += 1; }
  RowIterator& operator--() { return *this -= 1; }
  RowIterator operator++(int) { return std::exchange(*this, *this + 1); }
  RowIterator operator--(int) { return std::exchange(*this, *this - 1); }
  friend RowIterator operator+(RowIterator i, difference_type n) { return i += n; }
  friend RowIterator operator+(difference_type n, RowIterator i) { return i += n; }
  friend RowIterator operator-(RowIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const RowIterator& a, const RowIterator& b) {
    return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
  }
  friend bool operator==(const RowIterator& a, const RowIterator& b) { return a.at_ == b.at_; }
  friend auto operator<=>(const RowIterator& a, const RowIterator& b) { return a.at_ <=> b.at_; }

 private:
  const Rows* rows_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace rpl
