// SPDX-License-Identifier: MIT
#include "engine/target/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rpl::profile {

std::string_view to_string(StabilityClass value) {
  switch (value) {
    case StabilityClass::stable:
      return "stable";
    case StabilityClass::moderate:
      return "moderate";
    case StabilityClass::unstable:
      return "unstable";
  }
  return "";
}

Stability stability_of(std::span<const double> samples) {
  // The older tool's limits, kept for those who compare with its documents.
  constexpr double kStable = 0.05, kModerate = 0.10;
  Stability out{.runs = std::max<std::size_t>(samples.size(), 1),
                .samples = {samples.begin(), samples.end()}};
  if (out.samples.empty()) return out;
  const auto count = static_cast<double>(out.runs);
  out.mean = std::accumulate(out.samples.begin(), out.samples.end(), 0.0) / count;
  if (out.runs < 2) return out;
  double squares = 0;
  for (const double sample : out.samples) squares += (sample - out.mean) * (sample - out.mean);
  out.stddev = std::sqrt(squares / (count - 1));
  if (out.mean <= 0) return out;
  out.cv = *out.stddev / out.mean;
  out.kind = *out.cv <= kStable     ? StabilityClass::stable
             : *out.cv <= kModerate ? StabilityClass::moderate
                                    : StabilityClass::unstable;
  return out;
}

std::string stability_advice(const Stability& stability, std::string_view what, bool modelled) {
  if (stability.kind != StabilityClass::unstable) return {};
  constexpr double kPercent = 100;
  const std::string found =
      fmt::format("unstable: {} differs by {:.1f} % (standard deviation / mean) between {} runs",
                  what, *stability.cv * kPercent, stability.runs);
  if (modelled) {
    return found +
           ", and on the emulated device equal work takes equal time: the program asks for "
           "something else in each run; fix its seeds and sizes";
  }
  constexpr std::size_t kEnough = 10;
  const std::string more = stability.runs < kEnough
                               ? fmt::format("take more runs (--runs {})", kEnough)
                               : std::string("take the smallest run");
  return fmt::format(
      "{}, so that a difference below twice that says nothing; {}, let nothing else run on the "
      "machine, fix the clocks: 'info capabilities' says what disturbs",
      found, more);
}

}  // namespace rpl::profile
