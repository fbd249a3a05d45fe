// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/base/interrupt.h"
#include "engine/base/parallel.h"
#include "engine/base/result.h"

namespace rpl {

/// How a scan over rows is cut: `parts` contiguous ranges of about equal size, one thread each.
class RowParts {
 public:
  RowParts(std::size_t first, std::size_t last) : first_(first), last_(std::max(first, last)) {
    constexpr std::size_t kRowsWorthAThread = 200'000;
    constexpr std::size_t kMostRanges = 2;  // memory bandwidth is used up by then
    parts_ = std::clamp<std::size_t>((last_ - first_) / kRowsWorthAThread, 1,
                                     worthwhile_threads(kMostRanges));
  }

  [[nodiscard]] std::size_t count() const { return parts_; }
  [[nodiscard]] std::size_t begin(std::size_t part) const {
    return first_ + (last_ - first_) * part / parts_;
  }

  /// Calls work(part, from, to) for consecutive ranges of at most 64 k rows of each part, parts in parallel. Fails with
  /// interrupted between ranges.
  template <class Work>
  Status run(const Work& work) const {
    in_parallel(parts_, parts_, [&](std::size_t part) {
      const std::size_t end = begin(part + 1);
      for (std::size_t from = begin(part); from < end; from += interrupt::kRowsBetweenChecks) {
        if (interrupt::pending()) return;
        work(part, from, std::min(end, from + interrupt::kRowsBetweenChecks));
      }
    });
    return interrupt::check();
  }

  /// Calls work(part, from, to) once for each part, parts in parallel; for what is over within milliseconds.
  template <class Work>
  void run_all(const Work& work) const {
    in_parallel(parts_, parts_,
                [&](std::size_t part) { work(part, begin(part), begin(part + 1)); });
  }

 private:
  std::size_t first_, last_, parts_ = 1;
};

}  // namespace rpl
