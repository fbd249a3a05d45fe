// SPDX-License-Identifier: MIT
#include "engine/arch/limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::arch {
namespace {

Result<std::uint32_t> needed(const Gpu& gpu, const std::string& key) {
  if (const auto value = gpu.whole(key); value && *value > 0) return *value;
  return fail(Errc::not_found, fmt::format("{} of {} is unknown", key, gpu.title()),
              "an architecture file gives it: docs/architectures.md");
}

/// Workgroups that `per_simd` waves on each SIMD make room for.
std::uint32_t workgroups_for(const WaveLimits& limits, std::uint32_t per_simd,
                             std::uint32_t waves) {
  return std::min(per_simd, limits.waves_per_simd) * limits.simds / waves;
}

}  // namespace

Result<WaveLimits> wave_limits(const Gpu& gpu, const KernelResources& kernel) {
  WaveLimits out;
  out.wave_size = kernel.wave_size != 0 ? kernel.wave_size : TRY(needed(gpu, "wave_size"));
  const std::uint32_t units = kernel.wgp_mode ? 2 : 1;
  const std::string suffix = fmt::format(".wave{}", out.wave_size);
  out.simds = TRY(needed(gpu, "simds_per_cu"))
  *units;
  out.waves_per_simd = TRY(needed(gpu, "waves_per_simd"));
  out.max_workgroup = TRY(needed(gpu, "max_workgroup_size"));
  out.barriers = TRY(needed(gpu, "workgroups_per_cu"))
  *units;
  out.vgprs = TRY(needed(gpu, "vgprs" + suffix));
  out.vgpr_granule = TRY(needed(gpu, "vgpr_granule" + suffix));
  out.vgpr_max = TRY(needed(gpu, "vgpr_max" + suffix));
  out.sgprs = gpu.whole("sgprs").value_or(0);
  if (out.sgprs != 0) out.sgpr_granule = TRY(needed(gpu, "sgpr_granule"));
  out.lds = TRY(needed(gpu, "lds_bytes"))
  *units;
  out.lds_workgroup = TRY(needed(gpu, "lds_workgroup_bytes"));
  out.lds_granule = TRY(needed(gpu, "lds_granule"));
  return out;
}

std::vector<Limit> limits_of(const WaveLimits& limits, const KernelResources& kernel,
                             std::uint32_t waves, std::uint32_t vgprs) {
  const std::uint32_t vgprs_allocated = align_up(vgprs, limits.vgpr_granule);
  // 256 registers in steps of 24 are 264: what is allowed fits once, whatever the rounding says.
  const std::uint32_t vgpr_waves = std::max(limits.vgprs / vgprs_allocated, 1U);
  Limit slots{Limiter::wave_slots, limits.slots() / waves, waves, waves, limits.slots()};
  Limit vector{Limiter::vgprs, workgroups_for(limits, vgpr_waves, waves), vgprs, vgprs_allocated,
               limits.vgprs};
  Limit lds{Limiter::lds, kUnlimited, kernel.lds_bytes,
            align_up(kernel.lds_bytes, limits.lds_granule), limits.lds};
  if (kernel.lds_bytes != 0) lds.workgroups = limits.lds / lds.allocated;
  Limit scalar{Limiter::sgprs, kUnlimited, kernel.sgprs,
               align_up(kernel.sgprs, limits.sgpr_granule), limits.sgprs};
  if (limits.sgprs != 0 && kernel.sgprs != 0)
    scalar.workgroups = workgroups_for(limits, limits.sgprs / scalar.allocated, waves);
  // A workgroup of one wave needs no barrier.
  Limit barriers{Limiter::barriers, waves == 1 ? kUnlimited : limits.barriers, 1, 1,
                 limits.barriers};
  return {slots, vector, lds, scalar, barriers};
}

}  // namespace rpl::arch
