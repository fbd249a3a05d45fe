// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/trace/core/timed_rows.h"

namespace rpl {

/// One host API call (HIP, HSA, RCCL, …).
struct ApiCall {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t process = 0;
  std::int64_t thread = 0;
  std::uint32_t name = 0;      ///< index into ApiTable::names
  std::uint32_t category = 0;  ///< index into ApiTable::names: HIP_RUNTIME_API_EXT …
  std::uint64_t correlation = 0;
};

/// API calls, 16 bytes each; a row is made when it is asked for.
class CallRows {
 public:
  /// What many calls have in common.
  struct Shape {
    std::uint32_t process = 0;
    std::int64_t thread = 0;
    std::uint32_t name = 0, category = 0;
    friend auto operator<=>(const Shape&, const Shape&) = default;
  };
  using const_iterator = RowIterator<CallRows, ApiCall>;

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] ApiCall operator[](std::size_t row) const {
    const Shape& shape = shapes_[rows_.shape(row)];
    return {rows_.start_ns(row), rows_.end_ns(row), shape.process,         shape.thread,
            shape.name,          shape.category,    rows_.correlation(row)};
  }
  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, size()}; }
  [[nodiscard]] std::int64_t start_ns(std::size_t row) const { return rows_.start_ns(row); }
  [[nodiscard]] std::uint64_t correlation(std::size_t row) const { return rows_.correlation(row); }
  [[nodiscard]] const Shape& shape(std::size_t row) const { return shapes_[rows_.shape(row)]; }
  [[nodiscard]] std::uint32_t shape_number(std::size_t row) const { return rows_.shape(row); }
  [[nodiscard]] std::span<const Shape> shapes() const { return shapes_; }

  void push_back(const ApiCall& call);
  /// The number of a shape, for add().
  std::uint32_t intern(const Shape& shape);
  void add(std::int64_t start_ns, std::int64_t end_ns, std::uint32_t shape,
           std::uint64_t correlation) {
    rows_.add(start_ns, end_ns, shape, correlation);
  }
  /// Rows whose shape i is number shapes[i] here.
  void absorb(TimedRows rows, std::span<const std::uint32_t> shapes);
  void append(CallRows more);
  /// Every name and category becomes the one at its place in `names`.
  void rename(std::span<const std::uint32_t> names);
  /// Every row is `ns` later.
  void shift(std::int64_t ns) { rows_.shift(ns); }
  /// By (process, thread, start); rows of equal ones stay in the order in which they came.
  void sort();
  [[nodiscard]] std::size_t bytes() const { return rows_.bytes(); }

 private:
  TimedRows rows_;
  std::vector<Shape> shapes_;
  std::map<Shape, std::uint32_t> known_;
};

}  // namespace rpl
