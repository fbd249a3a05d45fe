// SPDX-License-Identifier: MIT
#include "engine/att/read/wave_states.h"

#include <algorithm>

#include "engine/att/read/json_document.h"
#include "engine/att/read/manifest.h"
#include "engine/att/read/number_scan.h"
#include "engine/att/read/wave_strip.h"
#include "engine/trace/bytes/byte_source.h"

namespace rpl::att {

std::string_view wave_state_name(std::size_t state) {
  constexpr std::array<std::string_view, kWaveStates> kStateNames{"EMPTY", "IDLE", "EXEC", "WAIT",
                                                                  "STALL"};
  return state < kWaveStates ? kStateNames[state] : "?";
}

namespace {

constexpr std::uint64_t kMostStateBytes = std::uint64_t{512} << 20;

/// The numbers of `"key":[1,2,3]` in the form that rocprofv3 writes; false for any other, which is then read as a tree.
bool plain_list(std::string_view text, std::string_view key, std::vector<std::int64_t>& out) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return false;
  const char* p = text.data() + at + key.size();
  while (true) {
    std::int64_t value = 0;
    if (!number_at(p, value)) return false;
    out.push_back(value);
    if (*p == ']') return true;
    if (*p++ != ',') return false;
  }
}

struct StateLists {
  std::vector<std::int64_t> time, waves;
};

Result<StateLists> lists_of(const std::string& path) {
  const ByteSource source = TRY(ByteSource::open(path));
  StateLists lists;
  if (source.size() <= kMostStateBytes) {
    constexpr std::size_t kBehind = 16;  // zeros, which end every number
    std::string text(static_cast<std::size_t>(source.size()) + kBehind, '\0');
    const std::size_t got = TRY(source.read_at(0, {text.data(), text.size() - kBehind}));
    // A file that was cut behind both lists is not whole either.
    if (got > 0 && text[got - 1] == '}' && plain_list(text, "\"time\":[", lists.time) &&
        plain_list(text, "\"state\":[", lists.waves)) {
      return lists;
    }
  }
  JsonDocument document;
  const auto root = TRY(document.read(path));
  const auto times = root.list("time"), counts = root.list("state");
  if (!times || !counts) return fail(Errc::corrupt, path + ": no lists 'time' and 'state'");
  auto time = times->integers();
  auto waves = counts->integers();
  if (!time || !waves)
    return fail(Errc::corrupt, path + ": not all of its values are whole numbers");
  return StateLists{std::move(*time), std::move(*waves)};
}

}  // namespace

Result<StateSteps> read_state_steps(const std::string& path, std::size_t state) {
  StateLists lists = TRY(lists_of(path));
  StateSteps steps{.state = state, .time = std::move(lists.time), .waves = {}};
  if (!steps.time.empty() && (*std::ranges::min_element(steps.time) < -kLatestTime ||
                              *std::ranges::max_element(steps.time) > kLatestTime)) {
    return fail(Errc::corrupt, path + ": a time out of range");
  }
  constexpr std::int64_t kMostWavesAtOnce = 1 << 20;
  steps.waves.reserve(lists.waves.size());
  for (const std::int64_t count : lists.waves) {
    if (count < 0 || count > kMostWavesAtOnce)
      return fail(Errc::corrupt, path + ": a number of waves out of range");
    steps.waves.push_back(static_cast<std::int32_t>(count));
  }
  if (steps.time.size() != steps.waves.size() || !std::ranges::is_sorted(steps.time))
    return fail(Errc::corrupt, path + ": its times and its numbers of waves do not match");
  return steps;
}

std::int64_t cycles_of(const StateSteps& steps) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + 1 < steps.time.size(); ++i) {
    std::int64_t part = 0;
    if (__builtin_mul_overflow(steps.time[i + 1] - steps.time[i], std::int64_t{steps.waves[i]},
                               &part) ||
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

StateStrip narrowed(const StateStrip& strip, std::size_t bins) {
  StateStrip out{.first = strip.first, .last = strip.last, .bins = {}};
  if (strip.bins.empty() || bins == 0) return out;
  out.bins.assign(bins, {});
  const double width = static_cast<double>(strip.bins.size()) / static_cast<double>(bins);
  for (std::size_t i = 0; i < strip.bins.size(); ++i) {
    spread_over_bins(static_cast<double>(i), static_cast<double>(i + 1), width, bins,
                     [&](std::size_t bin, double part) {
                       for (std::size_t state = 0; state < kWaveStates; ++state)
                         out.bins[bin][state] += part * strip.bins[i][state];
                     });
  }
  return out;
}

}  // namespace rpl::att
