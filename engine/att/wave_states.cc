// SPDX-License-Identifier: MIT
#include "engine/att/wave_states.h"

#include <algorithm>

#include "engine/att/json_document.h"
#include "engine/att/manifest.h"
#include "engine/att/strip.h"

namespace rpl::att {

std::string_view wave_state_name(std::size_t state) {
  constexpr std::array<std::string_view, kWaveStates> kStateNames{"EMPTY", "IDLE", "EXEC", "WAIT",
                                                                  "STALL"};
  return state < kWaveStates ? kStateNames[state] : "?";
}

Result<StateSteps> read_state_steps(const std::string& path, std::size_t state) {
  JsonDocument document;
  const auto root = TRY(document.read(path));
  const auto times = root.list("time"), counts = root.list("state");
  StateSteps steps{.state = state, .time = {}, .waves = {}};
  if (!times || !counts) return fail(Errc::corrupt, path + ": no lists 'time' and 'state'");
  for (const JsonNode& item : times->elements()) {
    const auto time = item.integer();
    if (!time || *time < -kLatestTime || *time > kLatestTime)
      return fail(Errc::corrupt, path + ": a time that cannot be");
    steps.time.push_back(*time);
  }
  for (const JsonNode& item : counts->elements()) {
    const auto count = item.count(1 << 20);
    if (!count) return fail(Errc::corrupt, path + ": a number of waves that cannot be");
    steps.waves.push_back(static_cast<std::int32_t>(*count));
  }
  if (steps.time.size() != steps.waves.size() || !std::ranges::is_sorted(steps.time))
    return fail(Errc::corrupt, path + ": its times do not fit its counts");
  return steps;
}

std::int64_t cycles_of(const StateSteps& steps) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + 1 < steps.time.size(); ++i) {
    std::int64_t part = 0;
    if (__builtin_mul_overflow(steps.time[i + 1] - steps.time[i],
                               std::int64_t{steps.waves[i]}, &part) ||
        __builtin_add_overflow(sum, part, &sum)) {
      return INT64_MAX;
    }
  }
  return sum;
}

StateStrip state_strip(const std::vector<StateSteps>& states, std::size_t bins) {
  StateStrip strip;
  bool any = false;
  for (const StateSteps& steps : states) {
    if (steps.time.empty()) continue;
    strip.first = any ? std::min(strip.first, steps.time.front()) : steps.time.front();
    strip.last = any ? std::max(strip.last, steps.time.back()) : steps.time.back();
    any = true;
  }
  if (!any || strip.last <= strip.first || bins == 0) return strip;
  strip.bins.assign(bins, {});
  const double width = static_cast<double>(strip.last - strip.first) / static_cast<double>(bins);
  for (const StateSteps& steps : states) {
    for (std::size_t i = 0; i + 1 < steps.time.size(); ++i) {
      if (steps.waves[i] == 0) continue;
      spread_over_bins(static_cast<double>(steps.time[i] - strip.first),
                       static_cast<double>(steps.time[i + 1] - strip.first), width, bins,
                       [&](std::size_t bin, double length) {
                         strip.bins[bin][steps.state] += steps.waves[i] * length;
                       });
    }
  }
  return strip;
}

}  // namespace rpl::att
