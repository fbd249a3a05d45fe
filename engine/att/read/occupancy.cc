// SPDX-License-Identifier: MIT
#include "engine/att/read/occupancy.h"

#include <algorithm>
#include <tuple>

#include "engine/att/read/json_document.h"
#include "engine/att/read/wave_strip.h"
#include "engine/base/numbers.h"

namespace rpl::att {
namespace {

constexpr std::int64_t kPacketLoss = 6, kTraceStall = 9;  // rocprof-trace-decoder, event types

bool take_event(const JsonNode& row, OccupancyEvent& event) {
  std::int64_t cell[6];
  if (row.integers(cell) < 6 || cell[0] < -kLatestTime || cell[0] > kLatestTime) return false;
  if (cell[1] < 0 || cell[1] > UINT16_MAX || cell[2] < 0 || cell[2] > UINT8_MAX || cell[3] < 0 ||
      cell[3] > UINT8_MAX || cell[5] < 0 || cell[5] > UINT32_MAX) {
    return false;
  }
  event = {.time = cell[0],
           .kernel = static_cast<std::uint32_t>(cell[5]),
           .cu = static_cast<std::uint16_t>(cell[1]),
           .simd = static_cast<std::uint8_t>(cell[2]),
           .slot = static_cast<std::uint8_t>(cell[3]),
           .start = cell[4] != 0};
  return true;
}

void take_recorder_events(const JsonNode& tree, OccupancyFile& file) {
  for (const auto& [key, value] : tree.members()) {
    for (const JsonNode& event : value.elements()) {
      const auto type = event.member("type");
      const auto number = type ? type->integer() : std::nullopt;
      if (number == kPacketLoss) ++file.packet_losses;
      if (number == kTraceStall) ++file.stalls;
    }
  }
}

}  // namespace

Result<OccupancyFile> read_occupancy(const std::string& path) {
  JsonDocument document;
  const JsonNode root = TRY(document.read(path));
  OccupancyFile file;
  if (!root.is_object()) return fail(Errc::corrupt, path + ": not an object");
  for (const auto& [key, value] : root.members()) {
    const auto se = whole_number<std::uint32_t>(key);
    if (!se || !value.is_list()) continue;
    OccupancyOfEngine& engine = file.engines.emplace_back();
    engine.se = *se;
    value.each([&](const JsonNode& row) {
      OccupancyEvent event;
      if (take_event(row, event)) {
        engine.events.push_back(event);
      } else {
        ++file.skipped;
      }
    });
  }
  if (const auto events = root.member("events")) take_recorder_events(*events, file);
  if (const auto names = root.member("dispatches")) {
    for (const auto& [key, value] : names->members()) {
      const auto id = whole_number<std::uint32_t>(key);
      if (id) file.dispatches[*id] = value.text().value_or("");
    }
  }
  std::ranges::sort(file.engines, {}, &OccupancyOfEngine::se);
  return file;
}

EngineOccupancy occupancy_of(const OccupancyOfEngine& engine) {
  EngineOccupancy out{.se = engine.se, .events = engine.events.size()};
  if (engine.events.empty()) return out;
  std::vector<bool> units(UINT16_MAX + 1);
  std::int64_t active = 0;
  double area = 0;
  std::int64_t last = out.first = out.last = engine.events.front().time;
  for (const OccupancyEvent& event : engine.events) {
    area += static_cast<double>(active) * static_cast<double>(event.time - last);
    last = event.time;
    active = event.start ? active + 1 : std::max<std::int64_t>(active - 1, 0);
    out.starts += event.start ? 1 : 0;
    out.peak_waves = std::max(out.peak_waves, active);
    out.first = std::min(out.first, event.time);
    out.last = std::max(out.last, event.time);
    units[event.cu] = true;
  }
  out.cus = static_cast<std::uint64_t>(std::ranges::count(units, true));
  out.final_waves = active;
  out.span = out.last - out.first;
  if (out.span > 0) out.avg_waves = area / static_cast<double>(out.span);
  return out;
}

OccupancyStrip occupancy_strip(const OccupancyFile& file,
                               const std::map<std::uint32_t, std::int64_t>& offsets,
                               std::size_t bins) {
  OccupancyStrip strip;
  const auto offset_of = [&](std::uint32_t se) {
    const auto found = offsets.find(se);
    return found == offsets.end() ? 0 : found->second;
  };
  bool any = false;
  for (const auto& engine : file.engines) {
    for (const OccupancyEvent& event : engine.events) {
      const std::int64_t time = event.time + offset_of(engine.se);
      strip.first = any ? std::min(strip.first, time) : time;
      strip.last = any ? std::max(strip.last, time) : time;
      any = true;
    }
  }
  const auto span = static_cast<double>(strip.last - strip.first);
  if (!any || span <= 0 || bins == 0) return strip;
  strip.waves.assign(bins, 0);
  const double width = span / static_cast<double>(bins);
  for (const auto& engine : file.engines) {
    double active = 0;
    double from = 0;
    for (const OccupancyEvent& event : engine.events) {
      const auto to = static_cast<double>(event.time + offset_of(engine.se) - strip.first);
      if (active > 0) {
        spread_over_bins(from, to, width, bins, [&](std::size_t bin, double length) {
          strip.waves[bin] += active * length / width;
        });
      }
      from = to;
      active = event.start ? active + 1 : std::max(active - 1, 0.0);
    }
  }
  return strip;
}

std::map<std::uint32_t, std::uint16_t> target_units(const OccupancyFile& file,
                                                    const std::vector<WaveFile>& waves) {
  using StartPlace = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;
  std::map<std::uint32_t, std::uint16_t> out;
  for (const auto& engine : file.engines) {
    std::vector<StartPlace> begins;
    for (const WaveFile& wave : waves) {
      if (wave.se == engine.se) begins.emplace_back(wave.simd, wave.slot, wave.begin);
    }
    std::ranges::sort(begins);
    std::map<std::uint16_t, std::size_t> votes;
    for (const OccupancyEvent& event : engine.events) {
      if (event.start &&
          std::ranges::binary_search(begins, StartPlace(event.simd, event.slot, event.time)))
        ++votes[event.cu];
    }
    const auto most =
        std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    if (most != votes.end()) out[engine.se] = most->first;
  }
  return out;
}

std::vector<std::string> kernels_of(const OccupancyFile& file) {
  std::map<std::string, std::uint64_t> starts;
  for (const auto& engine : file.engines) {
    for (const OccupancyEvent& event : engine.events) {
      if (!event.start) continue;
      const auto name = file.dispatches.find(event.kernel);
      if (name != file.dispatches.end()) ++starts[name->second];
    }
  }
  std::vector<std::pair<std::string, std::uint64_t>> ordered(starts.begin(), starts.end());
  std::ranges::stable_sort(ordered,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> names;
  for (auto& [name, count] : ordered) names.push_back(std::move(name));
  return names;
}

}  // namespace rpl::att
