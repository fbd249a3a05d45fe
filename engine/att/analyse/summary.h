// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/att/read/wave_facts.h"

/// Where the cycles of a thread trace went. All cycles are wave-cycles unless said otherwise: two waves that wait for a cycle make two.
namespace rpl::att {

/// How much of the kernel the numbers rest on.
struct Coverage {
  std::uint64_t engines = 0;  ///< shader engines with traced waves
  std::uint64_t engines_recorded =
      0;  ///< shader engines of which at least starts and ends of waves were recorded
  std::uint64_t units = 0;                ///< compute units with traced waves
  std::uint64_t simds = 0;                ///< SIMDs with traced waves
  std::uint64_t waves = 0;                ///< traced
  std::optional<std::uint64_t> launched;  ///< waves started in the recorded shader engines
  std::uint32_t device_engines = 0, device_units = 0;  ///< 0: unknown
};

struct Summary {
  Cost totals;                          ///< of the listing; latency includes stall
  std::uint64_t end_latency = 0;        ///< latency of s_endpgm
  std::uint64_t drain = 0;              ///< the same without stall: outstanding stores on their way
  std::array<Cost, kCategories> mix{};  ///< by pipe
  bool mix_from_waves = false;          ///< branches are distinguished into taken and not taken
  std::uint64_t wait_stall = 0, barrier_stall = 0;
  std::map<std::string, std::uint64_t>
      wait_by_counter;  ///< stall of wait instructions, by the counters that they name
  std::array<std::uint64_t, kCategories> pipe_stall{};  ///< the rest of the stall, by pipe

  std::uint64_t waves = 0;
  std::int64_t wave_lifetime = 0;  ///< sum over waves
  std::optional<StateCycles> states;
  std::string states_from;  ///< "wstates files", "timelines", "instructions"; "" for none
  std::vector<UnitFacts> units;
  bool unit_instructions = false;  ///< whether UnitFacts::instructions are known
  std::int64_t unit_busy = 0;      ///< sum over units
  std::int64_t simd_busy = 0;      ///< sum over SIMDs of the union of their waves' lives
  std::vector<EngineOccupancy> occupancy;
  std::optional<double> gfx_hz;
  std::map<std::uint32_t, std::int64_t>
      clock_offsets;  ///< by shader engine; empty when not calibrated
  Coverage coverage;

  /// T: latency + idle, the cycles that the traced waves lived.
  [[nodiscard]] std::uint64_t cycles() const { return totals.latency + totals.idle; }
  [[nodiscard]] std::optional<double> of_cycles_pct(std::uint64_t part) const;
  /// Instructions of all units / cycles in which these had a wave; nullopt without waves.
  [[nodiscard]] std::optional<double> ipc() const;
  /// Issue cycles of a pipe / cycles in which its SIMD had a wave, in percent.
  [[nodiscard]] std::optional<double> util_pct(Category pipe) const;
};

/// From the small files alone; with `facts`, exact by what the wave files say.
Summary summarise(const ThreadTrace& trace, const WaveFacts* facts = nullptr);

/// 100 * part / whole; nullopt for a whole of 0.
std::optional<double> percent(double part, double whole);

}  // namespace rpl::att
