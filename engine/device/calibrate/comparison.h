// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <utility>

#include "engine/device/calibrate/whole_launch.h"

namespace rpl::calibrate {

/// Cycles of one class of instructions.
struct ClassComparison {
  cycle::Unit unit = cycle::Unit::valu;
  cycle::UnitCycles recorded, modelled;
};

/// A trace as recorded and as the model's constants predict it for the same instructions.
struct Comparison {
  std::string model;  ///< name, version, GPU
  LoadSource loads_from = LoadSource::l2;
  std::vector<ClassComparison> classes;  ///< those that were executed
  std::uint64_t waves = 0, instructions = 0, left_out = 0;
  std::uint64_t recorded_wave_cycles = 0, modelled_wave_cycles = 0;

  /// Stall cycles that the model puts elsewhere or does not see: sum of the absolute differences by class over the recorded cycles of the waves.
  [[nodiscard]] double stall_error() const;
};

/// Runs the recorded instructions through the model. The parameters must have the cycle.assumed ones (missing_capability otherwise). Fails with interrupted.
Result<Comparison> compare(const RecordedWaves& waves, const cycle::Parameters& parameters);

/// One constant that fitting chooses, and the values that it tries.
struct FittedConstant {
  std::string key;  ///< "cycle.assumed.load"
  std::uint32_t cycle::Parameters::* member = nullptr;
  std::uint32_t least = 0, most = 0;
};
std::span<const FittedConstant> fitted_constants();

/// The constants that make the mean stall_error() of these traces least, found one after the other by halving steps; deterministic.
Result<cycle::Parameters> fit(std::span<const RecordedWaves* const> traces,
                              cycle::Parameters start);

}  // namespace rpl::calibrate
