// SPDX-License-Identifier: MIT
#include "engine/plot/ticks.h"

#include <algorithm>
#include <cstddef>

namespace rpl {
namespace {

/// The smallest of 1, 2, 5, 10, 20, … that is at least `ns`.
std::int64_t round_step(std::int64_t ns) {
  std::int64_t decade = 1;
  while (decade < INT64_MAX / 100 && decade * 10 <= ns) decade *= 10;
  for (const std::int64_t factor : {1, 2, 5}) {
    if (decade * factor >= ns) return decade * factor;
  }
  return decade * 10;
}

}  // namespace

std::vector<std::int64_t> round_ticks(std::int64_t from_ns, std::int64_t to_ns,
                                      std::int64_t origin_ns, std::size_t most) {
  std::vector<std::int64_t> ticks;
  if (to_ns <= from_ns || most == 0) return ticks;
  const std::int64_t span = to_ns - from_ns;
  const std::int64_t step = round_step((span - 1) / static_cast<std::int64_t>(most) + 1);
  const std::int64_t offset = from_ns - origin_ns;
  std::int64_t first = offset / step * step;
  if (first < offset) first += step;
  const std::int64_t last = offset + span;
  for (std::int64_t tick = first; tick <= last && ticks.size() < most; tick += step) {
    ticks.push_back(origin_ns + tick);
    // The next one may lie beyond the largest number.
    if (last - tick < step) break;
  }
  if (ticks.empty()) ticks.push_back(from_ns);
  return ticks;
}

}  // namespace rpl
