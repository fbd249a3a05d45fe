// SPDX-License-Identifier: MIT
#include "engine/trace/core/timed_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "engine/base/parallel.h"

namespace rpl {

/// Puts the rows of all parts where they belong: counted by rank first, because rows of several threads come by turns; within a rank they
/// are nearly in order. Every row is moved once, and what held it is given back before anything else is asked for.
class TimedRows::Merge {
 public:
  Merge(TimedRows& rows, std::span<const std::uint32_t> rank_of_shape, bool keep_order)
      : rank_of_shape_(rank_of_shape),
        ranks_(rank_of_shape.empty() ? 0
                                     : std::size_t{*std::ranges::max_element(rank_of_shape)} + 1) {
    const std::size_t size = rows.size();
    std::vector<TimedRows> parts = std::exchange(rows.more_, {});
    parts.insert(parts.begin(), std::exchange(rows, {}));
    shares_.resize(parts.size());
    const std::size_t threads = size < kRowsWorthAThread ? 1 : worthwhile_threads(2);
    in_parallel(parts.size(), threads, [&](std::size_t i) { count(parts[i], shares_[i]); });
    give_places();
    out_.start_.resize(size);
    out_.duration_.resize(size);
    out_.correlation_.resize(size);
    out_.shape_.resize(size);
    if (keep_order) order_.resize(size);
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      shares_[i].first = first;
      first += static_cast<std::uint32_t>(parts[i].shape_.size());
    }
    in_parallel(parts.size(), threads, [&](std::size_t i) { move(parts[i], shares_[i]); });
  }

  /// The rows by (rank, start), and their places before where these are kept.
  std::pair<TimedRows, std::vector<std::uint32_t>> sorted() {
    for (const Share& share : shares_) {
      for (const auto& [row, ns] : share.far_durations) out_.duration_.set(row, ns);
      for (const auto& [row, id] : share.far_correlations) out_.correlation_.set(row, id);
    }
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      const auto first = out_.start_.begin() + at(rank), end = out_.start_.begin() + at(rank + 1);
      if (!std::is_sorted(first, end)) sort_rank(at(rank), at(rank + 1));
    }
    return {std::move(out_), std::move(order_)};
  }

 private:
  static constexpr std::size_t kRowsWorthAThread = 50'000;
  /// What a part has of each rank, then where the next of them goes.
  struct Share {
    std::vector<std::uint32_t> next;
    std::uint32_t first = 0;  ///< number of its first row
    std::vector<std::pair<std::uint32_t, std::int64_t>> far_durations, far_correlations;
  };

  [[nodiscard]] std::ptrdiff_t at(std::size_t rank) const {
    return static_cast<std::ptrdiff_t>(begins_[rank]);
  }

  void count(const TimedRows& part, Share& share) const {
    share.next.resize(ranks_);
    for (const std::uint32_t shape : part.shape_) ++share.next[rank_of_shape_[shape]];
  }

  void give_places() {
    std::uint32_t place = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      begins_.push_back(place);
      for (Share& share : shares_) place += std::exchange(share.next[rank], place);
    }
    begins_.push_back(place);
  }

  void move(const TimedRows& part, Share& share) {
    const std::span duration = part.duration_.raw(), correlation = part.correlation_.raw();
    const std::span to_duration = out_.duration_.raw(), to_correlation = out_.correlation_.raw();
    for (std::size_t row = 0; row < part.shape_.size(); ++row) {
      const std::uint32_t shape = part.shape_[row];
      const std::uint32_t to = share.next[rank_of_shape_[shape]]++;
      out_.start_[to] = part.start_ns(row);
      out_.shape_[to] = shape;
      to_duration[to] = duration[row];
      to_correlation[to] = correlation[row];
      if (duration[row] == CompactColumn::kEscaped)
        share.far_durations.emplace_back(to, part.duration_.get(row));
      if (correlation[row] == CompactColumn::kEscaped)
        share.far_correlations.emplace_back(to, part.correlation_.get(row));
      if (!order_.empty()) order_[to] = share.first + static_cast<std::uint32_t>(row);
    }
  }

  void sort_rank(std::ptrdiff_t first, std::ptrdiff_t end) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(end - first));
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
    std::ranges::stable_sort(order, {}, [this](std::uint32_t row) { return out_.start_[row]; });
    permute(out_.start_, first, order);
    permute(out_.shape_, first, order);
    permute(out_.duration_, first, order);
    permute(out_.correlation_, first, order);
    if (!order_.empty()) permute(order_, first, order);
  }

  template <class Column>
  static void permute(Column& column, std::ptrdiff_t first,
                      const std::vector<std::uint32_t>& order) {
    std::vector<typename Column::value_type> moved;
    moved.reserve(order.size());
    for (const std::uint32_t row : order) moved.push_back(column[row]);
    std::ranges::copy(moved, column.begin() + first);
  }

  static void permute(CompactColumn& column, std::ptrdiff_t first,
                      const std::vector<std::uint32_t>& order) {
    std::vector<std::int64_t> moved;
    moved.reserve(order.size());
    for (const std::uint32_t row : order) moved.push_back(column.get(row));
    auto row = static_cast<std::size_t>(first);
    for (const std::int64_t value : moved) column.set(row++, value);
  }

  std::span<const std::uint32_t> rank_of_shape_;
  std::size_t ranks_;
  std::vector<Share> shares_;
  std::vector<std::uint32_t> begins_;  ///< of each rank, and the end of the last
  TimedRows out_;
  std::vector<std::uint32_t> order_;
};

void TimedRows::reserve(std::size_t rows) {
  start_.reserve(rows);
  duration_.reserve(rows);
  shape_.reserve(rows);
  correlation_.reserve(rows);
}

void TimedRows::renumber(std::span<const std::uint32_t> shapes) {
  for (std::uint32_t& shape : shape_) shape = shapes[shape];
  for (TimedRows& part : more_) part.renumber(shapes);
}

void TimedRows::shift(std::int64_t ns) {
  unpack();
  for (std::int64_t& start : start_)
    start = static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                      static_cast<std::uint64_t>(ns));
  for (TimedRows& part : more_) part.shift(ns);
}

void TimedRows::append(TimedRows more) {
  std::vector<TimedRows> parts = std::exchange(more.more_, {});
  if (size() == 0) {
    *this = std::move(more);
  } else if (!more.shape_.empty()) {
    more_.push_back(std::move(more));
  }
  for (TimedRows& part : parts) more_.push_back(std::move(part));
}

const TimedRows& TimedRows::part_of(std::size_t& row) const {
  row -= shape_.size();
  const TimedRows* part = more_.data();
  for (; row >= part->shape_.size(); ++part) row -= part->shape_.size();
  return *part;
}

bool TimedRows::in_order(std::span<const std::uint32_t> rank_of_shape) const {
  if (!more_.empty()) return false;
  for (std::size_t row = 1; row < shape_.size(); ++row) {
    const std::uint32_t before = rank_of_shape[shape_[row - 1]], rank = rank_of_shape[shape_[row]];
    if (before > rank || (before == rank && start_ns(row - 1) > start_ns(row))) return false;
  }
  return true;
}

std::vector<std::uint32_t> TimedRows::sort(std::span<const std::uint32_t> rank_of_shape,
                                           bool keep_order) {
  std::vector<std::uint32_t> order;
  if (!in_order(rank_of_shape))
    std::tie(*this, order) = Merge(*this, rank_of_shape, keep_order).sorted();
  if (packed_.empty()) pack();
  return order;
}

void TimedRows::pack() {
  constexpr std::size_t kFarShare = 64;
  const std::size_t rows = size();
  packed_.resize(rows);
  base_.reserve(rows / kBlock + 1);
  for (std::size_t first = 0; first < rows; first += kBlock) {
    const std::size_t end = std::min(rows, first + kBlock);
    const std::int64_t* const starts = start_.data();
    std::int64_t least = starts[first], most = starts[first];
    for (std::size_t row = first; row < end; ++row) {
      least = std::min(least, starts[row]);
      most = std::max(most, starts[row]);
    }
    base_.push_back(least);
    for (std::size_t row = first; row < end; ++row)
      packed_[row] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(starts[row]) -
                                                static_cast<std::uint64_t>(least));
    if (static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) <
        CompactColumn::kEscaped)
      continue;
    for (std::size_t row = first; row < end; ++row) {
      const bool fits =
          static_cast<std::uint64_t>(starts[row]) - static_cast<std::uint64_t>(least) <
          CompactColumn::kEscaped;
      if (fits) continue;
      packed_[row] = CompactColumn::kEscaped;
      far_.emplace(row, starts[row]);
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
  ColumnVector<std::int64_t> starts(shape_.size());
  for (std::size_t row = 0; row < starts.size(); ++row) starts[row] = start_ns(row);
  start_ = std::move(starts);
  packed_ = ColumnVector<std::uint32_t>();
  base_.clear();
  far_.clear();
}

std::size_t TimedRows::bytes() const {
  constexpr std::size_t kMapEntry = 48;
  std::size_t of_parts = 0;
  for (const TimedRows& part : more_) of_parts += part.bytes();
  return start_.capacity() * sizeof(std::int64_t) + base_.capacity() * sizeof(std::int64_t) +
         (packed_.capacity() + shape_.capacity() + duration_.size() + correlation_.size()) *
             sizeof(std::uint32_t) +
         (far_.size() + duration_.escaped().size() + correlation_.escaped().size()) * kMapEntry +
         of_parts;
}

}  // namespace rpl
