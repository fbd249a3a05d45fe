// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "engine/device/calibrate/whole_launch.h"
#include "engine/device/cycle/compute_unit.h"

/// Holds the cycle model to recorded thread traces: the same instructions, recorded and modelled.
namespace rpl::calibrate {

/// What waves of one traced compute unit executed, and when they began.
struct RecordedUnit {
  std::uint32_t se = 0;
  std::vector<std::unique_ptr<cycle::WaveStream>> streams;
  std::vector<cycle::WaveStart> starts;
};

/// The waves of a thread trace as input of the model. Addresses are not in such traces, nor bank conflicts, nor which waves are a workgroup: waves whose
/// first barrier opened at the same time are taken for one.
struct RecordedWaves {
  std::vector<std::string> texts;  ///< of the operations: rows of the listing
  std::vector<RecordedUnit> units;
  std::array<cycle::UnitCycles, cycle::kUnits> cycles{};  ///< as recorded
  std::uint64_t waves = 0, instructions = 0;
  std::uint64_t left_out = 0;     ///< instructions that the recorder could not match to the listing
  std::uint64_t wave_cycles = 0;  ///< lifetimes of the waves, summed
  std::optional<WholeLaunch> launch;  ///< what is known of the device around them
};

/// Reads all wave files. `parameters` say which unit an instruction belongs to. Fails as reading a wave file does, and with not_found without any.
Result<RecordedWaves> read_recorded_waves(const att::ThreadTrace& trace,
                                          const cycle::Parameters& parameters);

}  // namespace rpl::calibrate
