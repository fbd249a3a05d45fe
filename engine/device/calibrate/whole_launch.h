// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/device/cycle/compute_unit.h"
#include "engine/device/cycle/parameters.h"

/// What a recorded thread trace says of its launch as a whole. Traces have no addresses, but waves of all compute units: how many there were, and on how
/// many units, says where most loads must come from and how many share it.
namespace rpl::calibrate {

struct WholeLaunch {
  double bytes =
      0;  ///< that the waves of the device ask for, as if no two asked for the same: the most that the launch can touch
  double busy_share = 1;  ///< of the compute units that get waves
};

/// `bytes`: what the `waves` traced waves asked for. The shader engines that were not traced are taken to do as the traced ones. Nothing when the recording
/// does not say how many engines or waves there are.
std::optional<WholeLaunch> whole_launch_of(const att::ThreadTrace& trace, std::uint64_t bytes,
                                           std::uint64_t waves);

/// Where loads are taken to come from.
enum class LoadSource : std::uint8_t { l2, mall, memory };
std::string_view to_string(LoadSource source);  ///< "L2", "Infinity Cache", "memory"

/// The innermost level that holds what the launch touches; the L2 where that is not known, or the GPU has no cycle.assumed.mall.
LoadSource load_source(const std::optional<WholeLaunch>& launch, const cycle::Parameters& p);

/// The parameters with the latency and the share of the bandwidth that loads and stores without addresses have at that level: latency as in the
/// files; the busy compute units share the bandwidth evenly.
cycle::Parameters with_load_source(cycle::Parameters p, const std::optional<WholeLaunch>& launch);

/// Holds the cycle model to recorded thread traces: the same instructions, recorded and modelled.
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
