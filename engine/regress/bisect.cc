// SPDX-License-Identifier: MIT
#include "engine/regress/bisect.h"

#include <algorithm>

namespace rpl::regress {
namespace {

constexpr std::int64_t kLooks = 16;

/// What does not run is not fast.
bool is_fast(const std::optional<double>& ns, double goal) { return ns && *ns <= goal; }

}  // namespace

Result<std::optional<Crossing>> last_crossing(std::int64_t last, double goal_ns,
                                              const TimeAt& time_at) {
  std::optional<double> high_ns = TRY(time_at(last));
  if (!high_ns) return std::optional<Crossing>();
  const bool side = is_fast(high_ns, goal_ns);
  std::int64_t high = last, low = last;
  std::optional<double> low_ns = high_ns;

  const std::int64_t step = std::max<std::int64_t>(1, last / kLooks);
  while (low > 0 && is_fast(low_ns, goal_ns) == side) {
    high = low;
    high_ns = low_ns;
    low = std::max<std::int64_t>(0, low - step);
    low_ns = TRY(time_at(low));
  }
  if (is_fast(low_ns, goal_ns) == side) return std::optional<Crossing>();
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::optional<double> ns = TRY(time_at(middle));
    const bool same = is_fast(ns, goal_ns) == side;
    (same ? high : low) = middle;
    (same ? high_ns : low_ns) = ns;
  }
  if (!high_ns) return std::optional<Crossing>();
  return std::optional(Crossing{.pass = high, .before = low_ns, .after = *high_ns});
}

}  // namespace rpl::regress
