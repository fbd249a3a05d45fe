// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/arch/occupancy.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"

/// Occupancy of the kernels of a recording.
namespace rpl {

/// One kernel in its most expensive launch configuration, on the GPU where that ran most.
struct KernelOccupancy {
  std::uint32_t kernel = 0;  ///< index into Trace::kernels()
  std::uint32_t agent = kNone;
  Launch launch;
  std::int64_t total_ns = 0;         ///< of all its dispatches
  std::uint32_t configurations = 0;  ///< distinct launches of this kernel
  arch::KernelResources resources;   ///< corrected where the recorder was wrong
  bool registers_known = true;
  Result<arch::Occupancy> occupancy = arch::Occupancy{};
  std::optional<double>
      grid_cap;  ///< share of the device's wave slots that the grid can fill at most
};

struct TraceOccupancy {
  std::vector<KernelOccupancy> kernels;  ///< the longest total first
  std::vector<std::string> notes;        ///< corrections and assumptions, for people
};

/// Fails when the architecture files cannot be read; a kernel whose occupancy is unknown has the error in its row.
Result<TraceOccupancy> occupancy_of(const Inputs& inputs, const Trace& trace);

/// Workgroups of a grid; the last of each row may be partial.
std::uint64_t workgroups_of(const Launch& launch);

}  // namespace rpl
