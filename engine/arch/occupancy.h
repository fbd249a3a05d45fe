// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/base/result.h"

/// How many waves of a kernel fit on a compute unit at once, and what stands in the way of more.
///
/// The rules are those of LLVM's AMDGPU IsaInfo with the barrier limit of the hardware; all limits come from the architecture files.
namespace rpl::arch {

/// What one dispatch asks for.
struct KernelResources {
  std::uint32_t arch_vgprs = 0;   ///< as recorded; 0 with accum_vgprs 0: taken as one register
  std::uint32_t accum_vgprs = 0;  ///< as recorded
  std::optional<std::uint32_t> total_vgprs =
      std::nullopt;                  ///< instead of the two above, where they are known to be wrong
  std::uint32_t sgprs = 0;           ///< as recorded; 0: unknown, no limit
  std::uint32_t lds_bytes = 0;       ///< static and dynamic, of a workgroup
  std::uint32_t workgroup_size = 0;  ///< work-items
  std::uint32_t wave_size = 0;       ///< 0: the architecture's
  bool wgp_mode = false;             ///< RDNA: workgroups use both compute units of a WGP
};

enum class Limiter { wave_slots, vgprs, lds, sgprs, barriers };
std::string_view to_string(Limiter limiter);

inline constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

/// How many workgroups one resource alone would allow.
struct Limit {
  Limiter what = Limiter::wave_slots;
  std::uint32_t workgroups = kUnlimited;
  std::uint32_t asked =
      0;  ///< by the kernel: registers of a wave, bytes of a workgroup, waves of a workgroup
  std::uint32_t allocated = 0;  ///< the same rounded up to the granule
  std::uint32_t available = 0;  ///< of the SIMD or compute unit
};

/// A change that lets more waves in.
struct Step {
  std::string change;  ///< "VGPR 132 -> 128"
  std::string
      text;  ///< the same and what it gives: "VGPR 132 -> 128 gives 4 waves per SIMD instead of 3"
  std::uint32_t waves = 0;
  double occupancy = 0;
};

struct Occupancy {
  std::uint32_t wave_size = 64;
  std::uint32_t waves_per_workgroup = 0;
  std::uint32_t simds = 0;  ///< of the compute unit, or of the WGP in WGP mode
  std::uint32_t compute_units =
      1;  ///< 2 in WGP mode: `workgroups`, `waves` and limits are of both together
  std::uint32_t workgroups = 0;
  std::uint32_t waves = 0;
  std::uint32_t wave_slots = 0;
  double occupancy = 0;  ///< waves / wave_slots
  Limiter limiter = Limiter::wave_slots;
  std::vector<Limit> limits;  ///< one for each Limiter, in its order
  std::vector<Step> steps;    ///< the next ones worth taking, the one for the limiter first

  /// "vgprs", or "vgprs and lds" where both allow the same.
  [[nodiscard]] std::string limiter_text() const;
};

/// Fails with not_found when the GPU's limits are unknown, and with corrupt when no workgroup fits: such a kernel cannot have run.
Result<Occupancy> occupancy(const Gpu& gpu, const KernelResources& kernel);

/// Registers that the recorded counts mean, by the rule `vgpr_count` of the architecture.
std::uint32_t total_vgprs(const Gpu& gpu, const KernelResources& kernel);

/// The share of the device's wave slots that a grid can fill at most: its waves / all slots, at most 1; nullopt while the number
/// of compute units is unknown. `workgroups` is that of the whole grid.
std::optional<double> grid_cap(const Gpu& gpu, const Occupancy& occupancy,
                               std::uint64_t workgroups);

}  // namespace rpl::arch
