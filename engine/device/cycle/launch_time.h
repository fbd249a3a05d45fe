// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/cycle/compute_unit.h"
#include "engine/device/cycle/device_traffic.h"
#include "engine/device/cycle/stream.h"
#include "engine/device/cycle/time_band.h"

namespace rpl::cycle {

/// What executing a launch gave to time it by: everything that does not depend on the model's constants, but on the sizes of caches, lines and compute units
/// of the GPU. With it a launch is timed again without being executed.
struct LaunchRecord {
  std::string gpu;  ///< its product name
  std::vector<std::string>
      instructions;  ///< by operation, as disassembled; empty for what did not run
  std::vector<std::uint32_t> matrix_passes;  ///< by operation; 0: not a matrix instruction
  std::uint32_t workgroups = 0, waves = 0;   ///< of the grid; of a full workgroup
  std::uint32_t vgprs = 0, lds_bytes = 0;    ///< of a wave; of a workgroup
  std::vector<std::uint64_t>
      by_unit;  ///< instructions of each compute unit that got workgroups, dealt out in turn
  /// By workgroup that was kept, of the first unit, and wave.
  std::vector<std::vector<std::unique_ptr<WaveStream>>> kept;
  TrafficCounts traffic;
  /// Instructions of the longest wave of each workgroup, in their order, equal neighbours together; empty in records that were written before it was kept.
  struct Equal {
    std::uint64_t workgroups = 0, instructions = 0;
  };
  std::vector<Equal> by_workgroup;
};

/// Writes one to a new file, compressed; the format may change with every version of the model and names it. Fails with io.
Status write_record(const LaunchRecord& record, const std::string& path);
/// Fails with not_found, io, corrupt for what is no such file or was cut, unsupported for another version's.
Result<LaunchRecord> read_record(const std::string& path);

/// How long a launch takes, by the model.
struct LaunchTime {
  std::uint64_t cycles = 0;  ///< of the dispatch, launch and drain among them
  TimeClass time_class = TimeClass::mixed;
  SharedBandwidth shared;
  std::vector<Operation> operations;
  /// Of the compute unit that was followed.
  std::uint64_t executed = 0, vmem_wait = 0, lds_wait = 0, wave_cycles = 0;
  bool cut = false;                  ///< not all that its waves executed was kept
  std::vector<UnitLookups> lookups;  ///< by operation
  std::vector<StallCycles> stalls;   ///< by operation
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
