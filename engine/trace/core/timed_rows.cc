// SPDX-License-Identifier: MIT
#include "engine/trace/core/timed_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rpl {
namespace {

template <class Column>
void permute(Column& column, const std::vector<std::uint32_t>& order) {
  Column moved;
  moved.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved[i] = column[order[i]];
  column = std::move(moved);
}

void permute(CompactColumn& column, const std::vector<std::uint32_t>& order) {
  CompactColumn moved;
  moved.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved.set(i, column.get(order[i]));
  column = std::move(moved);
}

}  // namespace

void TimedRows::reserve(std::size_t rows) {
  start_.reserve(rows);
  duration_.reserve(rows);
  shape_.reserve(rows);
  correlation_.reserve(rows);
}

void TimedRows::renumber(std::span<const std::uint32_t> shapes) {
  for (std::uint32_t& shape : shape_) shape = shapes[shape];
}

void TimedRows::shift(std::int64_t ns) {
  unpack();
  for (std::int64_t& start : start_)
    start = static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                      static_cast<std::uint64_t>(ns));
}

void TimedRows::append(TimedRows more) {
  if (size() == 0) {
    *this = std::move(more);
    return;
  }
  unpack();
  more.unpack();
  const std::size_t before = size();
  const auto at = static_cast<std::ptrdiff_t>(before);
  const auto behind = [&](CompactColumn& column, const CompactColumn& rows) {
    column.resize(before + rows.size());
    std::ranges::copy(rows.raw(), column.raw().begin() + at);
    for (const auto& [row, value] : rows.escaped()) column.escaped()[before + row] = value;
  };
  start_.insert(start_.end(), more.start_.begin(), more.start_.end());
  behind(duration_, more.duration_);
  behind(correlation_, more.correlation_);
  shape_.insert(shape_.end(), more.shape_.begin(), more.shape_.end());
}

/// Counted by rank first, because rows of several threads come by turns; within a rank they are nearly in order.
std::vector<std::uint32_t> TimedRows::ordered(std::span<const std::uint32_t> rank_of_shape) const {
  const std::size_t ranks =
      rank_of_shape.empty() ? 0 : std::size_t{*std::ranges::max_element(rank_of_shape)} + 1;
  std::vector<std::uint32_t> next(ranks + 1);
  for (const std::uint32_t shape : shape_) ++next[rank_of_shape[shape] + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> order(size());
  const std::vector<std::uint32_t> first = next;
  for (std::uint32_t row = 0; row < size(); ++row) order[next[rank_of_shape[shape_[row]]]++] = row;
  const auto by_start = [this](std::uint32_t row) { return start_[row]; };
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto rows = std::span(order).subspan(first[rank], first[rank + 1] - first[rank]);
    if (!std::ranges::is_sorted(rows, {}, by_start)) std::ranges::stable_sort(rows, {}, by_start);
  }
  return order;
}

std::vector<std::uint32_t> TimedRows::sort(std::span<const std::uint32_t> rank_of_shape) {
  unpack();
  bool in_order = true;
  for (std::size_t row = 1; row < size() && in_order; ++row) {
    const std::uint32_t before = rank_of_shape[shape_[row - 1]], rank = rank_of_shape[shape_[row]];
    in_order = before < rank || (before == rank && start_[row - 1] <= start_[row]);
  }
  std::vector<std::uint32_t> order;
  if (!in_order) {
    order = ordered(rank_of_shape);
    permute(start_, order);
    permute(duration_, order);
    permute(shape_, order);
    permute(correlation_, order);
  }
  pack();
  return order;
}

void TimedRows::pack() {
  constexpr std::size_t kFarShare = 64;
  packed_.reserve(size());
  base_.reserve(size() / kBlock + 1);
  for (std::size_t first = 0; first < size(); first += kBlock) {
    const std::size_t end = std::min(size(), first + kBlock);
    const std::int64_t least =
        *std::min_element(start_.begin() + static_cast<std::ptrdiff_t>(first),
                          start_.begin() + static_cast<std::ptrdiff_t>(end));
    base_.push_back(least);
    for (std::size_t row = first; row < end; ++row) {
      const std::uint64_t away =
          static_cast<std::uint64_t>(start_[row]) - static_cast<std::uint64_t>(least);
      const bool fits = away < CompactColumn::kEscaped;
      packed_.push_back(fits ? static_cast<std::uint32_t>(away) : CompactColumn::kEscaped);
      if (!fits) far_.emplace(row, start_[row]);
    }
    if (far_.size() <= kBlock + end / kFarShare) continue;
    // So far apart that a map of exceptions would be larger than the column.
    packed_ = ColumnVector<std::uint32_t>();
    base_.clear();
    far_.clear();
    return;
  }
  start_ = ColumnVector<std::int64_t>();
}

void TimedRows::unpack() {
  if (packed_.empty()) return;
  ColumnVector<std::int64_t> starts(size());
  for (std::size_t row = 0; row < size(); ++row) starts[row] = start_ns(row);
  start_ = std::move(starts);
  packed_ = ColumnVector<std::uint32_t>();
  base_.clear();
  far_.clear();
}

std::size_t TimedRows::bytes() const {
  constexpr std::size_t kMapEntry = 48;
  return start_.capacity() * sizeof(std::int64_t) + base_.capacity() * sizeof(std::int64_t) +
         (packed_.capacity() + shape_.capacity() + duration_.size() + correlation_.size()) *
             sizeof(std::uint32_t) +
         (far_.size() + duration_.escaped().size() + correlation_.escaped().size()) * kMapEntry;
}

}  // namespace rpl
