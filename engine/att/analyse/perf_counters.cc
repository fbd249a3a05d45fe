// SPDX-License-Identifier: MIT
#include "engine/att/analyse/perf_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/att/read/json_document.h"
#include "engine/base/median.h"

namespace rpl::att {
namespace {

constexpr std::size_t kMostSamples = std::size_t{1} << 24;
constexpr std::string_view kBusyCounter = "SQ_BUSY_CU_CYCLES";

bool take_sample(const JsonNode& row, PerfSample& out) {
  constexpr std::int64_t kMost = UINT16_MAX;
  std::int64_t cell[kBankCounters + 3];
  if (row.integers(cell) < std::size(cell) || cell[0] < -kLatestTime || cell[0] > kLatestTime)
    return false;
  for (std::size_t i = 1; i < std::size(cell); ++i) {
    if (cell[i] < 0 || cell[i] > kMost) return false;
  }
  out.time = cell[0];
  for (std::size_t i = 0; i < kBankCounters; ++i)
    out.values[i] = static_cast<std::uint16_t>(cell[1 + i]);
  out.cu = static_cast<std::uint16_t>(cell[kBankCounters + 1]);
  out.bank = static_cast<std::uint16_t>(cell[kBankCounters + 2]);
  return true;
}

/// Median of the steps between samples of one unit and bank.
std::optional<double> interval_of(const std::vector<PerfOfEngine>& engines) {
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, std::int64_t> last;
  std::vector<std::int64_t> steps;
  for (const PerfOfEngine& engine : engines) {
    for (const PerfSample& sample : engine.samples) {
      const auto [at, first] = last.try_emplace({engine.se, sample.cu, sample.bank}, sample.time);
      if (!first && sample.time > at->second) steps.push_back(sample.time - at->second);
      at->second = sample.time;
    }
  }
  if (steps.empty()) return std::nullopt;
  return static_cast<double>(upper_median(std::move(steps)));
}

/// Cycles that a count of a busy counter stands for, in units of SQ_BUSY_CU_CYCLES; 0 for what counts no cycles.
double busy_weight(std::string_view name) {
  if (name == "SQ_VALU_MFMA_BUSY_CYCLES") return 0.25;  // cycles, the others count quad-cycles
  return name.starts_with("SQ_ACTIVE_INST_") ? 1 : 0;
}

}  // namespace

Result<PerfOfEngine> read_perf_counters(const std::string& path, std::uint32_t se) {
  JsonDocument document;
  const JsonNode root = TRY(document.read(path));
  PerfOfEngine out{.se = se, .samples = {}, .skipped = 0};
  if (!root.is_object() || !root.member("data")) {
    // member() has nothing for null too, which is a file without samples.
    const bool null_data = std::ranges::any_of(
        root.members(), [](const auto& member) { return member.first == "data"; });
    if (null_data) return out;
    return fail(Errc::corrupt, path + ": no list 'data'");
  }
  const auto data = root.list("data");
  if (!data) return fail(Errc::corrupt, path + ": no list 'data'");
  data->each([&](const JsonNode& row) {
    PerfSample sample;
    if (out.samples.size() < kMostSamples && take_sample(row, sample)) {
      out.samples.push_back(sample);
    } else {
      ++out.skipped;
    }
  });
  return out;
}

std::vector<PerfOfEngine> read_perf_of(const ThreadTrace& trace, std::vector<std::string>& notes) {
  std::vector<PerfOfEngine> out;
  std::set<std::uint32_t> engines;
  for (const WaveFile& wave : trace.manifest.waves) engines.insert(wave.se);
  if (trace.occupancy) {
    for (const OccupancyOfEngine& engine : trace.occupancy->engines) engines.insert(engine.se);
  }
  for (const std::uint32_t se : engines) {
    const std::filesystem::path path =
        std::filesystem::path(trace.folder) / fmt::format("se{}_perfcounter.json", se);
    std::error_code ignored;
    if (trace.folder.empty() || !std::filesystem::is_regular_file(path, ignored)) continue;
    auto read = read_perf_counters(path.string(), se);
    if (!read) {
      notes.push_back(read.error().message);
      continue;
    }
    if (read->skipped > 0)
      notes.push_back(
          fmt::format("{}: {} rows were left out as damaged", path.string(), read->skipped));
    out.push_back(std::move(*read));
  }
  return out;
}

PerfSummary summarise_perf(const std::vector<PerfOfEngine>& engines,
                           const std::vector<std::string>& names) {
  PerfSummary out;
  constexpr std::size_t kMostCounters = 2 * kBankCounters;
  std::vector<std::set<std::pair<std::uint32_t, std::uint16_t>>> units;
  for (const std::string& name : names) {
    if (out.counters.size() == kMostCounters) break;
    PerfCounter& counter = out.counters.emplace_back();
    const std::size_t colon = std::min(name.find(':'), name.size());
    counter.name = name.substr(0, colon);
    counter.simds = colon < name.size() ? name.substr(colon + 1) : "";
    units.emplace_back();
  }
  bool any = false;
  for (const PerfOfEngine& engine : engines) {
    for (const PerfSample& sample : engine.samples) {
      out.first = any ? std::min(out.first, sample.time) : sample.time;
      out.last = any ? std::max(out.last, sample.time) : sample.time;
      any = true;
      for (std::size_t i = 0; i < kBankCounters; ++i) {
        const std::size_t at = sample.bank * kBankCounters + i;
        if (at >= out.counters.size()) continue;
        PerfCounter& counter = out.counters[at];
        counter.total += sample.values[i];
        ++counter.samples;
        counter.largest = std::max(counter.largest, sample.values[i]);
        units[at].insert({engine.se, sample.cu});
      }
    }
  }
  const auto busy = std::ranges::find(out.counters, kBusyCounter, &PerfCounter::name);
  for (std::size_t i = 0; i < out.counters.size(); ++i) {
    PerfCounter& counter = out.counters[i];
    counter.units = units[i].size();
    if (counter.samples > 0)
      counter.per_sample =
          static_cast<double>(counter.total) / static_cast<double>(counter.samples);
    const double weight = busy_weight(counter.name);
    if (weight > 0 && busy != out.counters.end() && counter.samples > 0)
      counter.of_busy_pct =
          percent(weight * static_cast<double>(counter.total), static_cast<double>(busy->total));
  }
  out.interval = interval_of(engines);
  return out;
}

}  // namespace rpl::att
