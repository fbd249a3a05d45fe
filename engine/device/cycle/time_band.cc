// SPDX-License-Identifier: MIT
#include "engine/device/cycle/time_band.h"

#include <algorithm>

namespace rpl::cycle {

namespace {
constexpr std::array<std::string_view, kTimeClasses> kNames{
    "launch", "memory", "mall", "l2", "vl1d", "lds", "compute", "atomics", "latency", "mixed"};
}  // namespace

std::string_view to_string(TimeClass one) { return kNames[static_cast<std::size_t>(one)]; }

std::optional<TimeClass> time_class(std::string_view name) {
  const auto* const at = std::ranges::find(kNames, name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<TimeClass>(at - kNames.begin());
}

TimeClass class_of(const TimeParts& parts) {
  // A unit that is busy for two thirds of the time holds waves up even when they arrive at random; below it waves mostly wait for latencies.
  constexpr double kBusy = 0.65, kWaiting = 0.5, kLaunch = 0.4, kIssuing = 0.3;
  if (!(parts.total > 0)) return TimeClass::launch;
  if (parts.launch >= kLaunch * parts.total) return TimeClass::launch;
  const double device = parts.total - parts.launch;
  const auto most = std::ranges::max_element(parts.busy);
  if (*most >= kBusy * device) return static_cast<TimeClass>(most - parts.busy.begin());
  if (parts.waiting >= kWaiting) return TimeClass::latency;
  // Few waves that mostly issue: their own instructions and the gaps between them are the time.
  const auto most_busy = static_cast<TimeClass>(most - parts.busy.begin());
  return most_busy == TimeClass::compute && *most >= kIssuing * device ? TimeClass::compute
                                                                       : TimeClass::mixed;
}

std::optional<double> Bands::low_of(TimeClass one, double modelled) const {
  const double factor = low[static_cast<std::size_t>(one)];
  return factor > 0 ? std::optional(modelled * factor) : std::nullopt;
}

std::optional<double> Bands::high_of(TimeClass one, double modelled) const {
  const double factor = high[static_cast<std::size_t>(one)];
  return factor > 0 ? std::optional(modelled * factor) : std::nullopt;
}

double Bands::ratio_of(TimeClass one, TimeClass other) const {
  return std::max(ratio[static_cast<std::size_t>(one)], ratio[static_cast<std::size_t>(other)]);
}

}  // namespace rpl::cycle
