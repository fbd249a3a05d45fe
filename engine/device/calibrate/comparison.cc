// SPDX-License-Identifier: MIT
#include "engine/device/calibrate/comparison.h"

#include <algorithm>
#include <array>

#include "engine/device/calibrate/recordings_table.h"

namespace rpl::calibrate {
namespace {

double difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a > b ? a - b : b - a);
}

Result<double> mean_error(std::span<const RecordedWaves* const> traces,
                          const cycle::Parameters& p) {
  double sum = 0;
  for (const RecordedWaves* trace : traces) sum += TRY(compare(*trace, p)).stall_error();
  return sum / static_cast<double>(traces.size());
}

}  // namespace

double Comparison::stall_error() const {
  double sum = 0;
  for (const ClassComparison& one : classes) {
    // What the end of a wave waits for is counted as its issue.
    const bool end = one.unit == cycle::Unit::end;
    sum += end ? difference(one.recorded.issue, one.modelled.issue)
               : difference(one.recorded.stall, one.modelled.stall);
  }
  return recorded_wave_cycles == 0 ? 0 : sum / static_cast<double>(recorded_wave_cycles);
}

Result<Comparison> compare(const RecordedWaves& waves, const cycle::Parameters& parameters) {
  const cycle::Parameters p = with_load_source(parameters, waves.launch);
  if (p.assumed_load == 0 || p.assumed_store == 0 || p.assumed_scalar == 0 ||
      p.assumed_service == 0) {
    return fail(
        Errc::missing_capability,
        p.product + " has no constants for instructions whose addresses are not known",
        fmt::format(
            "give cycle.assumed.load, .store, .scalar and .service in an architecture file; "
            "'info arch {}' shows fitted ones",
            recordings().gpu));
  }
  std::vector<cycle::Operation> operations;
  for (const std::string& text : waves.texts) operations.push_back(cycle::operation_of(text, p));
  Comparison out;
  out.model = p.name;
  out.loads_from = load_source(waves.launch, parameters);
  out.waves = waves.waves;
  out.instructions = waves.instructions;
  out.left_out = waves.left_out;
  out.recorded_wave_cycles = waves.wave_cycles;
  std::array<cycle::UnitCycles, cycle::kUnits> modelled{};
  for (const RecordedUnit& recorded : waves.units) {
    cycle::ComputeUnit unit(p, operations, nullptr);
    for (const cycle::WaveStart& start : recorded.starts) unit.add(start);
    TRY(unit.run());
    for (std::size_t i = 0; i < cycle::kUnits; ++i) {
      modelled[i].executed += unit.units()[i].executed;
      modelled[i].issue += unit.units()[i].issue;
      modelled[i].stall += unit.units()[i].stall;
    }
    for (const cycle::WaveTimes& wave : unit.waves())
      out.modelled_wave_cycles += wave.end - wave.begin;
  }
  for (std::size_t i = 0; i < cycle::kUnits; ++i) {
    if (waves.cycles[i].executed == 0) continue;
    out.classes.push_back({.unit = static_cast<cycle::Unit>(i),
                           .recorded = waves.cycles[i],
                           .modelled = modelled[i]});
  }
  return out;
}

std::span<const FittedConstant> fitted_constants() {
  using cycle::Parameters;
  static const std::array<FittedConstant, 6> constants{
      {{"cycle.assumed.load", &Parameters::assumed_load, 300, 8000},
       {"cycle.assumed.store", &Parameters::assumed_store, 300, 8000},
       {"cycle.assumed.scalar", &Parameters::assumed_scalar, 50, 2000},
       {"cycle.assumed.service", &Parameters::assumed_service, 4, 256},
       {"cycle.assumed.mall", &Parameters::assumed_mall, 4, 256},
       {"cycle.queue.vmem", &Parameters::vmem_queue, 1, 128}}};
  return constants;
}

Result<cycle::Parameters> fit(std::span<const RecordedWaves* const> traces,
                              cycle::Parameters best) {
  double least = TRY(mean_error(traces, best));
  // Steps of a half of each constant, then of a quarter, and so on.
  for (double step = 0.5; step > 0.02; step /= 2) {
    for (bool better = true; better;) {
      better = false;
      for (const FittedConstant& constant : fitted_constants()) {
        for (const double factor : {1 + step, 1 / (1 + step)}) {
          cycle::Parameters tried = best;
          const auto value =
              static_cast<std::uint32_t>(std::max(best.*constant.member * factor + 0.5, 1.0));
          tried.*constant.member = std::clamp(value, constant.least, constant.most);
          if (tried.*constant.member == best.*constant.member) continue;
          const double error = TRY(mean_error(traces, tried));
          if (error >= least) continue;
          least = error;
          best = std::move(tried);
          better = true;
        }
      }
    }
  }
  return best;
}

}  // namespace rpl::calibrate
