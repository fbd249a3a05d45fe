// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/cycle/device_traffic.h"
#include "engine/device/cycle/stream.h"

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
};

/// Writes one to a new file, compressed; the format may change with every version of the model and names it. Fails with io.
Status write_record(const LaunchRecord& record, const std::string& path);
/// Fails with not_found, io, corrupt for what is no such file or was cut, unsupported for another version's.
Result<LaunchRecord> read_record(const std::string& path);

}  // namespace rpl::cycle
