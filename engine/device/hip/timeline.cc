// SPDX-License-Identifier: MIT
#include "engine/device/hip/timeline.h"

#include <algorithm>

namespace rpl::emu::hip {
namespace {

// Shares are sums of quotients.
constexpr double kWhole = 1.0 + 1e-9;

}  // namespace

/// `wanted.start` when `share` is free all along; else a later time from which on it may be.
std::int64_t Timeline::busy_until(const Span& wanted, double share) const {
  // The load changes only where something begins; it is enough to look at the start and at the beginnings within the span.
  std::vector<std::int64_t> points = {wanted.start};
  for (const Taken& taken : kernels_) {
    if (taken.span.start > wanted.start && taken.span.start < wanted.end)
      points.push_back(taken.span.start);
  }
  for (const std::int64_t point : points) {
    double load = share;
    std::int64_t first_end = 0;
    for (const Taken& taken : kernels_) {
      if (taken.span.start > point || taken.span.end <= point) continue;
      load += taken.share;
      first_end = first_end == 0 ? taken.span.end : std::min(first_end, taken.span.end);
    }
    if (load > kWhole) return first_end;
  }
  return wanted.start;
}

Span Timeline::place_kernel(std::int64_t ready, std::int64_t duration, double share) {
  share = std::clamp(share, 0.0, 1.0);
  Span span{ready, ready + duration};
  for (;;) {
    const std::int64_t later = busy_until(span, share);
    if (later == span.start) break;
    span = {later, later + duration};
  }
  const auto after = std::ranges::upper_bound(kernels_, span.end, {},
                                              [](const Taken& taken) { return taken.span.end; });
  kernels_.insert(after, Taken{span, share});
  return span;
}

Span Timeline::place_copy(Engine engine, std::int64_t ready, std::int64_t duration) {
  std::int64_t& free = engines_[static_cast<std::size_t>(engine)];
  const std::int64_t start = std::max(ready, free);
  free = start + duration;
  return {start, free};
}

void Timeline::forget_before(std::int64_t time) {
  while (!kernels_.empty() && kernels_.front().span.end <= time) kernels_.pop_front();
}

}  // namespace rpl::emu::hip
