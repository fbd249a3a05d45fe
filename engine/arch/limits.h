// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/arch/gpu.h"
#include "engine/arch/occupancy.h"

namespace rpl::arch {

/// The limits that one kernel runs under: those of its wave size, doubled in WGP mode where two compute units share.
struct WaveLimits {
  std::uint32_t wave_size = 0, simds = 0, waves_per_simd = 0, max_workgroup = 0, barriers = 0;
  std::uint32_t vgprs = 0, vgpr_granule = 0, vgpr_max = 0;
  std::uint32_t sgprs = 0, sgpr_granule = 1;  ///< 0: no limit
  std::uint32_t lds = 0, lds_workgroup = 0, lds_granule = 0;
  [[nodiscard]] std::uint32_t slots() const { return simds * waves_per_simd; }
};

Result<WaveLimits> wave_limits(const Gpu& gpu, const KernelResources& kernel);

/// The limit of each resource, in the order of Limiter. `waves` is those of a workgroup, `vgprs` the total of a wave.
std::vector<Limit> limits_of(const WaveLimits& limits, const KernelResources& kernel,
                             std::uint32_t waves, std::uint32_t vgprs);

/// What would let one more workgroup in.
std::vector<Step> next_steps(const WaveLimits& limits, const KernelResources& kernel,
                             const Occupancy& now, std::uint32_t vgprs);

inline std::uint32_t align_up(std::uint32_t value, std::uint32_t granule) {
  return (value + granule - 1) / granule * granule;
}

}  // namespace rpl::arch
