// SPDX-License-Identifier: MIT
#include "engine/device/hip/timeline.h"

#include <algorithm>
#include <cmath>

namespace rpl::emu::hip {
namespace {

// Shares are sums of quotients.
constexpr double kWhole = 1.0 + 1e-9;

}  // namespace

std::ranges::subrange<Timeline::Kernels::const_iterator> Timeline::after(std::int64_t time) const {
  const auto first = std::ranges::upper_bound(kernels_, time, {},
                                              [](const Taken& taken) { return taken.span.end; });
  return {first, kernels_.end()};
}

/// `wanted.start` when so many places are free all along; else a later time from which on it may be.
std::int64_t Timeline::busy_until(const Span& wanted, double places) const {
  // The load changes only where something begins; it is enough to look at the start and at the beginnings within the span.
  std::vector<std::int64_t> points = {wanted.start};
  const auto there = after(wanted.start);
  for (const Taken& taken : there) {
    if (taken.span.start > wanted.start && taken.span.start < wanted.end)
      points.push_back(taken.span.start);
  }
  for (const std::int64_t point : points) {
    double load = places;
    std::int64_t first_end = 0;
    for (const Taken& taken : there) {
      if (taken.span.start > point || taken.span.end <= point) continue;
      load += taken.load.places;
      first_end = first_end == 0 ? taken.span.end : std::min(first_end, taken.span.end);
    }
    if (load > kWhole) return first_end;
  }
  return wanted.start;
}

/// What share of its own speed a kernel has beside those that are there at `time`.
double Timeline::speed_at(std::int64_t time, const DeviceLoad& load) const {
  double speed = 1;
  for (std::size_t i = 0; i < load.bandwidths.size(); ++i) {
    if (load.bandwidths[i] <= 0) continue;
    double left = 1;
    for (const Taken& taken : after(time)) {
      if (taken.span.start <= time && taken.span.end > time) left -= taken.load.bandwidths[i];
    }
    speed = std::min(speed, std::max(0.0, left) / load.bandwidths[i]);
  }
  return speed;
}

/// The end of a kernel that begins at `start`: its speed changes where another one begins or ends.
std::int64_t Timeline::end_of(std::int64_t start, std::int64_t duration,
                              const DeviceLoad& load) const {
  std::vector<std::int64_t> changes;
  for (const Taken& taken : after(start)) {
    for (const std::int64_t time : {taken.span.start, taken.span.end}) {
      if (time > start) changes.push_back(time);
    }
  }
  std::ranges::sort(changes);
  std::int64_t now = start;
  double left = static_cast<double>(duration);
  for (const std::int64_t change : changes) {
    const double speed = speed_at(now, load);
    if (static_cast<double>(change - now) * speed >= left) break;
    left -= static_cast<double>(change - now) * speed;
    now = change;
  }
  return now + std::llround(left / speed_at(now, load));
}

Span Timeline::place_kernel(std::int64_t ready, std::int64_t duration, const DeviceLoad& wanted) {
  DeviceLoad load = wanted;
  load.places = std::clamp(load.places, 0.0, 1.0);
  Span span{ready, end_of(ready, duration, load)};
  for (;;) {
    const std::int64_t later = busy_until(span, load.places);
    if (later == span.start) break;
    span = {later, end_of(later, duration, load)};
  }
  const auto after = std::ranges::upper_bound(kernels_, span.end, {},
                                              [](const Taken& taken) { return taken.span.end; });
  kernels_.insert(after, Taken{span, load});
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
