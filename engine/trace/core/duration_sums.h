// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/trace/core/stats.h"

namespace rpl {

/// Sums of durations, exact for those of a CompactColumn's words: 2^32 squares of 64 bits fit.
class DurationSums {
 public:
  void add(std::uint32_t duration) {
    ++calls_;
    sum_ += duration;
    squares_ += std::uint64_t{duration} * duration;
    least_ = std::min(least_, duration);
    most_ = std::max(most_, duration);
  }

  /// Durations that are negative or above four seconds.
  void add_escaped(std::int64_t duration) {
    ++escaped_calls_;
    escaped_sum_ += static_cast<std::uint64_t>(duration);
    escaped_squares_ += static_cast<long double>(duration) * static_cast<long double>(duration);
    escaped_least_ = std::min(escaped_least_, duration);
    escaped_most_ = std::max(escaped_most_, duration);
  }

  void add(const DurationSums& other) {
    calls_ += other.calls_;
    sum_ += other.sum_;
    squares_ += other.squares_;
    least_ = std::min(least_, other.least_);
    most_ = std::max(most_, other.most_);
    escaped_calls_ += other.escaped_calls_;
    escaped_sum_ += other.escaped_sum_;
    escaped_squares_ += other.escaped_squares_;
    escaped_least_ = std::min(escaped_least_, other.escaped_least_);
    escaped_most_ = std::max(escaped_most_, other.escaped_most_);
  }

  [[nodiscard]] DurationSummary summary() const {
    DurationSummary summary;
    summary.calls = std::uint64_t{calls_} + escaped_calls_;
    if (summary.calls == 0) return summary;
    summary.total_ns = static_cast<std::int64_t>(sum_ + escaped_sum_);
    summary.min_ns = std::min(calls_ ? std::int64_t{least_} : escaped_least_, escaped_least_);
    summary.max_ns = std::max(calls_ ? std::int64_t{most_} : escaped_most_, escaped_most_);
    const auto n = static_cast<long double>(summary.calls);
    const auto total = static_cast<long double>(summary.total_ns);
    summary.mean_ns = static_cast<double>(total / n);
    if (summary.calls < 2) return summary;
    const long double squares = static_cast<long double>(squares_) + escaped_squares_;
    const long double variance = (squares - total * total / n) / (n - 1);
    summary.stddev_ns = static_cast<double>(std::sqrt(std::max(variance, 0.0L)));
    return summary;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  Wide squares_ = 0;
  std::uint64_t sum_ = 0;
  std::uint32_t calls_ = 0;
  std::uint32_t least_ = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t most_ = 0;
  std::uint32_t escaped_calls_ = 0;
  std::uint64_t escaped_sum_ = 0;
  long double escaped_squares_ = 0;
  std::int64_t escaped_least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t escaped_most_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace rpl
