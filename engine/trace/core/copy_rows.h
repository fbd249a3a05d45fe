// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/trace/core/timed_rows.h"

namespace rpl {

inline constexpr std::uint64_t kUnknownBytes = ~std::uint64_t{0};

/// One memory copy (or fill), a node of the graph like a dispatch.
struct Copy {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t process = 0, stream = 0xffffffffU, queue = 0xffffffffU;
  std::int64_t thread = 0;
  std::uint32_t name = 0;  ///< index into CopyTable::names: MEMORY_COPY_HOST_TO_DEVICE …
  std::uint32_t src_agent = 0xffffffffU, dst_agent = 0xffffffffU;
  std::uint64_t bytes = 0;  ///< kUnknownBytes when the format does not say
  std::uint64_t correlation =
      0;  ///< stack id: equals ApiCall::correlation of the call that issued it; 0 = unknown
  std::uint64_t from_address = 0, to_address = 0;  ///< 0 = unknown
};

/// Copies, 16 bytes each, and 24 more where amounts and addresses are kept; a row is made when it is asked for.
class CopyRows {
 public:
  /// What many copies have in common.
  struct Shape {
    std::uint32_t process = 0, stream = 0, queue = 0;
    std::int64_t thread = 0;
    std::uint32_t name = 0, src_agent = 0, dst_agent = 0;
    friend auto operator<=>(const Shape&, const Shape&) = default;
  };
  using const_iterator = RowIterator<CopyRows, Copy>;

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] Copy operator[](std::size_t row) const;
  [[nodiscard]] Copy front() const { return (*this)[0]; }
  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, size()}; }
  [[nodiscard]] std::int64_t start_ns(std::size_t row) const { return rows_.start_ns(row); }
  [[nodiscard]] std::int64_t end_ns(std::size_t row) const { return rows_.end_ns(row); }
  [[nodiscard]] std::int64_t duration_ns(std::size_t row) const { return rows_.duration_ns(row); }
  [[nodiscard]] std::uint64_t correlation(std::size_t row) const { return rows_.correlation(row); }
  [[nodiscard]] const Shape& shape(std::size_t row) const { return shapes_[rows_.shape(row)]; }
  [[nodiscard]] std::uint32_t shape_number(std::size_t row) const { return rows_.shape(row); }
  [[nodiscard]] std::size_t shapes() const { return shapes_.size(); }

  /// Without amounts and addresses, until the first push_back(): they are then unknown.
  void leave_out_amounts() { amounts_ = false; }
  [[nodiscard]] bool keeps_amounts() const { return amounts_; }
  void push_back(const Copy& copy);
  void append(CopyRows more);
  /// Every name becomes the one at its place in `names`.
  void rename(std::span<const std::uint32_t> names);
  /// Every row is `ns` later.
  void shift(std::int64_t ns) { rows_.shift(ns); }
  /// By start; copies that start together stay in the order in which they came.
  void sort();
  [[nodiscard]] std::size_t bytes() const {
    return rows_.bytes() + kept_.capacity() * sizeof(Amount);
  }

 private:
  struct Amount {
    std::uint64_t bytes = 0, from_address = 0, to_address = 0;
  };

  std::uint32_t intern(const Shape& shape);

  TimedRows rows_;
  std::vector<Shape> shapes_;
  std::map<Shape, std::uint32_t> known_;
  bool amounts_ = true;
  std::vector<Amount> kept_;
};

}  // namespace rpl
