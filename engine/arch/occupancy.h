// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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

/// Recorded register counts of one kernel symbol.
struct RecordedRegisters {
  std::string_view kernel;
  std::uint32_t arch_vgprs = 0, accum_vgprs = 0;
};

/// What recorded vector register counts mean where the architecture file says `recorded_vgprs = halved`. Recorders before the fix in
/// rocprofiler-sdk decode the count in steps of half the granule and know no accumulation registers there: what they write is half of
/// the allocation.
struct RegisterCounts {
  enum class Meaning {
    as_recorded,  ///< another architecture, or a fixed recorder: a kernel has accumulation registers
    halved,       ///< proven: a count that no allocation in whole granules can have
    unknown,      ///< nothing in the recording tells
  };
  Meaning meaning = Meaning::as_recorded;
  std::string note;  ///< for people; "" for as_recorded

  /// The registers allocated to a wave; only for `halved`.
  [[nodiscard]] std::uint32_t total(const RecordedRegisters& recorded) const {
    return 2 * recorded.arch_vgprs;
  }
};

/// Looks at all kernel symbols of one recorder on one architecture.
RegisterCounts register_counts(std::string_view arch, std::span<const RecordedRegisters> kernels);

}  // namespace rpl::arch
