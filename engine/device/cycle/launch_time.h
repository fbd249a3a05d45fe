// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/device/cycle/compute_unit.h"
#include "engine/device/cycle/launch_record.h"

namespace rpl::cycle {

/// How long a launch takes, by the model.
struct LaunchTime {
  std::uint64_t cycles = 0;  ///< of the dispatch, launch and drain among them
  std::vector<Operation> operations;
  /// Of the compute unit that was followed.
  std::uint64_t executed = 0, vmem_wait = 0, lds_wait = 0, wave_cycles = 0;
  bool cut = false;                  ///< not all that its waves executed was kept
  std::vector<UnitLookups> lookups;  ///< by operation
  std::vector<WaveTimes> waves;      ///< when asked for; their streams are those of the record
};

/// Workgroups that a compute unit holds at once: by registers, LDS, wave slots and barriers. `waves`: of a workgroup; `vgprs`: of a wave;
/// `lds_bytes`: of a workgroup.
std::uint32_t resident_workgroups(const Parameters& parameters, std::uint32_t waves,
                                  std::uint32_t vgprs, std::uint32_t lds_bytes);

/// Workgroups of one compute unit that are timed in detail, of `of_unit` that it gets and `resident` that it holds at once.
std::uint32_t detailed_workgroups(std::uint32_t of_unit, std::uint32_t resident);

/// Times one compute unit with what was kept and extrapolates the device from it; docs/cycle-model.md says how, and what is not modelled. Fails with
/// interrupted.
Result<LaunchTime> time_launch(const LaunchRecord& record, const Parameters& parameters,
                               bool keep_times);

}  // namespace rpl::cycle
