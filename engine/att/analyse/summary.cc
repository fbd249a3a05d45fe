// SPDX-License-Identifier: MIT
#include "engine/att/analyse/summary.h"

#include <algorithm>
#include <set>

namespace rpl::att {
namespace {

Cost cost_of(const Instruction& row) {
  return {.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle};
}

void add_listing(const CodeTable& code, Summary& out) {
  for (const Instruction& row : code.rows) {
    if (row.label) continue;
    const Cost cost = cost_of(row);
    const auto pipe = static_cast<std::size_t>(row.traits.category);
    out.totals += cost;
    out.mix[pipe] += cost;
    if (row.traits.end) {
      out.end_latency += cost.latency;
      out.drain += cost.issue();
    }
    if (row.traits.wait) {
      out.wait_stall += row.stall;
      if (row.stall > 0) out.wait_by_counter[waited_counters(row.text)] += row.stall;
    } else if (row.traits.barrier) {
      out.barrier_stall += row.stall;
    } else {
      out.pipe_stall[pipe] += row.stall;
    }
  }
}

/// Waves without their listing: cycles by pipe are known, waits are not told from other internal instructions.
void add_without_listing(const WaveFacts& facts, Summary& out) {
  for (std::size_t pipe = 0; pipe < kCategories; ++pipe) {
    out.totals += facts.categories[pipe];
    out.pipe_stall[pipe] = facts.categories[pipe].stall;
  }
}

using Lives = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Units by what the list of waves says: one unit of each shader engine is traced.
void add_listed_waves(const ThreadTrace& trace, Summary& out) {
  std::map<std::uint32_t, Lives> of_engine;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Lives> of_simd;
  for (const WaveFile& wave : trace.manifest.waves) {
    out.wave_lifetime += wave.end - wave.begin;
    of_engine[wave.se].emplace_back(wave.begin, wave.end);
    of_simd[{wave.se, wave.simd}].emplace_back(wave.begin, wave.end);
  }
  out.waves = trace.manifest.waves.size();
  for (auto& [simd, lives] : of_simd) out.simd_busy += union_length(lives);
  const auto targets = trace.occupancy ? target_units(*trace.occupancy, trace.manifest.waves)
                                       : std::map<std::uint32_t, std::uint16_t>();
  for (auto& [se, lives] : of_engine) {
    UnitFacts& unit = out.units.emplace_back();
    unit.se = se;
    if (const auto cu = targets.find(se); cu != targets.end()) unit.cu = cu->second;
    unit.waves = lives.size();
    for (const auto& [begin, end] : lives) unit.wave_cycles += end - begin;
    unit.busy_cycles = union_length(lives);
    out.unit_busy += unit.busy_cycles;
  }
  out.unit_instructions = out.units.size() == 1;
  if (out.unit_instructions) out.units[0].instructions = out.totals.hits;
  out.coverage.simds = of_simd.size();
  out.coverage.engines = of_engine.size();
}

void add_occupancy(const ThreadTrace& trace, Summary& out) {
  if (!trace.occupancy) return;
  std::uint64_t starts = 0;
  std::vector<std::uint32_t> engines;
  for (const OccupancyOfEngine& engine : trace.occupancy->engines) {
    out.occupancy.push_back(occupancy_of(engine));
    starts += out.occupancy.back().starts;
    if (!engine.events.empty()) engines.push_back(engine.se);
  }
  out.coverage.engines_recorded = engines.size();
  if (starts > 0) out.coverage.launched = starts;
  if (trace.clocks) out.clock_offsets = trace.clocks->offsets(engines);
}

void add_states(const ThreadTrace& trace, const WaveFacts* facts, Summary& out) {
  if (!trace.states.empty()) {
    StateCycles cycles{};
    for (const StateSteps& steps : trace.states) cycles[steps.state] = cycles_of(steps);
    out.states = cycles;
    out.states_from = "wstates files";
  } else if (facts && facts->waves > 0) {
    // One wave without its timeline would be missing from the shares.
    const bool recorded = facts->timelines == facts->waves;
    out.states = recorded ? facts->recorded : facts->rebuilt;
    out.states_from = recorded ? "timelines" : "instructions";
  }
}

}  // namespace

std::optional<double> percent(double part, double whole) {
  if (whole == 0) return std::nullopt;
  return 100.0 * part / whole;
}

std::optional<double> Summary::of_cycles_pct(std::uint64_t part) const {
  return percent(static_cast<double>(part), static_cast<double>(cycles()));
}

std::optional<double> Summary::ipc() const {
  if (unit_busy <= 0 || totals.hits == 0) return std::nullopt;
  std::uint64_t instructions = totals.hits;
  if (mix_from_waves) {
    instructions = 0;
    for (const UnitFacts& unit : units) instructions += unit.instructions;
  }
  return static_cast<double>(instructions) / static_cast<double>(unit_busy);
}

std::optional<double> Summary::util_pct(Category pipe) const {
  if (simd_busy <= 0) return std::nullopt;
  return percent(static_cast<double>(mix[static_cast<std::size_t>(pipe)].issue()),
                 static_cast<double>(simd_busy));
}

Summary summarise(const ThreadTrace& trace, const WaveFacts* facts) {
  Summary out;
  add_listing(trace.code, out);
  add_listed_waves(trace, out);
  add_occupancy(trace, out);
  if (facts && facts->waves > 0) {
    out.mix = facts->categories;
    if (trace.code.rows.empty()) add_without_listing(*facts, out);
    out.mix_from_waves = out.unit_instructions = true;
    out.units = facts->units;
    out.unit_busy = 0;
    for (const UnitFacts& unit : out.units) out.unit_busy += unit.busy_cycles;
  }
  add_states(trace, facts, out);
  if (trace.clocks) out.gfx_hz = trace.clocks->gfx_hz();
  out.coverage.units = out.units.size();
  out.coverage.waves = facts ? facts->waves : out.waves;
  out.coverage.device_engines = trace.device.shader_engines;
  out.coverage.device_units = trace.device.cus;
  return out;
}

}  // namespace rpl::att
