// SPDX-License-Identifier: MIT
// Memory latency from the number of instructions in flight, as ROCprof Compute Viewer computes it.
#include <algorithm>

#include "engine/att/analyse/perf_counters.h"
#include "engine/att/read/wave_collector.h"
#include "engine/base/interrupt.h"

namespace rpl::att {
namespace {

constexpr double kUsualInterval = 40;  ///< cycles between samples where they do not say
constexpr std::size_t kMostIssues = std::size_t{1} << 24;

bool is_memory(std::string_view kind, std::int32_t category) {
  const auto at = [&](Category wanted) { return category == static_cast<std::int32_t>(wanted); };
  return kind == "LDS" ? at(Category::lds) : at(Category::vmem) || at(Category::flat);
}

/// When the instructions of a kind issued.
class Issues final : public WaveConsumer {
 public:
  explicit Issues(std::string_view kind) : kind_(kind) {}
  void restart() override { wave_.clear(); }
  void head(const WaveHead& /*head*/) override {}
  void instructions(std::span<const WaveInstruction> some) override {
    for (const WaveInstruction& now : some) {
      if (is_memory(kind_, now.category))
        wave_.push_back(now.time + static_cast<std::int64_t>(now.stall));
    }
  }
  void states(const StateCycles& /*cycles*/) override {}
  void stored_wait(std::int32_t /*line*/, std::span<const std::int32_t> /*waited_for*/) override {}
  void commit() {
    if (times.size() + wave_.size() <= kMostIssues)
      times.insert(times.end(), wave_.begin(), wave_.end());
  }

  std::vector<std::int64_t> times;

 private:
  std::string_view kind_;
  std::vector<std::int64_t> wave_;
};

/// The units of which instructions were recorded: wave files name them, else the occupancy events.
std::map<std::uint32_t, std::uint16_t> traced_units(const ThreadTrace& trace) {
  return trace.occupancy ? target_units(*trace.occupancy, trace.manifest.waves)
                         : std::map<std::uint32_t, std::uint16_t>();
}

void follow_level(const PerfOfEngine& engine, std::optional<std::uint16_t> unit,
                  std::size_t counter, const std::vector<std::int64_t>& issues, double interval,
                  CycleHistogram& into) {
  const std::uint16_t bank = static_cast<std::uint16_t>(counter / kBankCounters);
  std::size_t issued = 0, returned = 0;
  for (const PerfSample& sample : engine.samples) {
    if (sample.bank != bank || (unit && sample.cu != *unit)) continue;
    while (issued < issues.size() && issues[issued] <= sample.time) ++issued;
    const std::size_t in_flight = sample.values[counter % kBankCounters];
    const std::size_t done = issued > in_flight ? issued - in_flight : 0;
    for (; returned < done; ++returned) {
      const auto cycles = static_cast<double>(sample.time - issues[returned]);
      into.add(static_cast<std::int64_t>(cycles > interval ? cycles - interval / 2 : cycles / 2));
    }
  }
}

}  // namespace

std::map<std::string, LatencyStats> latencies_by_level(const ThreadTrace& trace,
                                                       const std::vector<PerfOfEngine>& engines) {
  std::map<std::string, LatencyStats> out;
  const PerfSummary summary = summarise_perf(engines, trace.manifest.counters);
  const auto units = traced_units(trace);
  for (const std::string kind : {"VMEM", "LDS"}) {
    const auto level =
        std::ranges::find(summary.counters, "SQ_INST_LEVEL_" + kind, &PerfCounter::name);
    if (level == summary.counters.end() || level->samples == 0) continue;
    CycleHistogram cycles;
    for (const PerfOfEngine& engine : engines) {
      Issues issues(kind);
      WaveBuffers buffers;
      for (const WaveFile& wave : trace.manifest.waves) {
        if (interrupt::pending()) return out;
        if (wave.se != engine.se) continue;
        if (read_wave(trace.path_of(wave), issues, buffers)) issues.commit();
      }
      std::ranges::sort(issues.times);
      const auto unit = units.find(engine.se);
      follow_level(engine, unit == units.end() ? std::nullopt : std::optional(unit->second),
                   static_cast<std::size_t>(level - summary.counters.begin()), issues.times,
                   summary.interval.value_or(kUsualInterval), cycles);
    }
    const LatencyStats stats = cycles.stats();
    if (stats.n > 0) out[kind] = stats;
  }
  return out;
}

}  // namespace rpl::att
