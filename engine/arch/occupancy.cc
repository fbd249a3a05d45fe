// SPDX-License-Identifier: MIT
#include "engine/arch/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/arch/limits.h"

namespace rpl::arch {
namespace {

Status check(const Gpu& gpu, const WaveLimits& limits, const KernelResources& kernel,
             std::uint32_t vgprs) {
  const auto cannot = [&](std::string_view what, std::uint32_t asked, std::uint32_t most) {
    return fail(Errc::corrupt,
                fmt::format("no workgroup of this kernel fits on {}: {} {} of at most {}",
                            gpu.title(), what, asked, most),
                "such a kernel cannot have run: the recorded resources or the architecture are "
                "wrong; 'info arch' shows the limits and their sources");
  };
  if (kernel.workgroup_size > limits.max_workgroup)
    return cannot("work-items", kernel.workgroup_size, limits.max_workgroup);
  if (vgprs > limits.vgpr_max) return cannot("vector registers", vgprs, limits.vgpr_max);
  if (kernel.lds_bytes > limits.lds_workgroup)
    return cannot("bytes of LDS", kernel.lds_bytes, limits.lds_workgroup);
  if (limits.sgprs != 0 && kernel.sgprs > limits.sgprs)
    return cannot("scalar registers", kernel.sgprs, limits.sgprs);
  return {};
}

}  // namespace

std::string_view to_string(Limiter limiter) {
  switch (limiter) {
    case Limiter::wave_slots:
      return "wave slots";
    case Limiter::vgprs:
      return "vgprs";
    case Limiter::lds:
      return "lds";
    case Limiter::sgprs:
      return "sgprs";
    case Limiter::barriers:
      return "barriers";
  }
  return "wave slots";
}

std::string Occupancy::limiter_text() const {
  if (limiter == Limiter::wave_slots) return std::string(to_string(limiter));
  std::string text;
  for (const Limit& limit : limits) {
    if (limit.workgroups != workgroups) continue;
    text += fmt::format("{}{}", text.empty() ? "" : " and ", to_string(limit.what));
  }
  return text;
}

std::uint32_t total_vgprs(const Gpu& gpu, const KernelResources& kernel) {
  if (kernel.total_vgprs) return std::max(*kernel.total_vgprs, 1U);
  const std::string_view rule = gpu.text("vgpr_count");
  // What a damaged recording says may be beyond all that 32 bits add up to.
  constexpr std::uint64_t kMost = UINT32_MAX;
  const std::uint64_t own = kernel.arch_vgprs, accum = kernel.accum_vgprs;
  std::uint64_t total = own;
  if (rule == "unified") total = (own + 3) / 4 * 4 + accum;
  if (rule == "larger") total = std::max(own, accum);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(total, 1, kMost));
}

Result<Occupancy> occupancy(const Gpu& gpu, const KernelResources& kernel) {
  if (kernel.workgroup_size == 0)
    return fail(Errc::usage, "the size of a workgroup is unknown, and occupancy follows from it",
                "give it: --workgroup 256");
  const WaveLimits limits = TRY(wave_limits(gpu, kernel));
  const std::uint32_t vgprs = total_vgprs(gpu, kernel);
  TRY(check(gpu, limits, kernel, vgprs));
  Occupancy out;
  out.wave_size = limits.wave_size;
  out.waves_per_workgroup = (kernel.workgroup_size + limits.wave_size - 1) / limits.wave_size;
  out.simds = limits.simds;
  out.compute_units = kernel.wgp_mode ? 2 : 1;
  out.wave_slots = limits.slots();
  out.limits = limits_of(limits, kernel, out.waves_per_workgroup, vgprs);
  // The first of equals: where the slots are full anyway, nothing else limits.
  const auto least = std::ranges::min_element(out.limits, {}, &Limit::workgroups);
  out.limiter = least->what;
  out.workgroups = least->workgroups;
  if (out.workgroups == 0) {
    return fail(Errc::corrupt,
                fmt::format("no workgroup of this kernel fits on {}: its {} waves find no room for "
                            "their {}",
                            gpu.title(), out.waves_per_workgroup, to_string(out.limiter)),
                "the recorded resources or the architecture are wrong; 'info arch' shows the "
                "limits and their sources");
  }
  out.waves = out.workgroups * out.waves_per_workgroup;
  out.occupancy = static_cast<double>(out.waves) / out.wave_slots;
  out.steps = next_steps(limits, kernel, out, vgprs);
  return out;
}

std::optional<double> grid_cap(const Gpu& gpu, const Occupancy& occupancy,
                               std::uint64_t workgroups) {
  const auto units = gpu.number("compute_units");
  if (!units || *units <= 0) return std::nullopt;
  const double slots = *units / occupancy.compute_units * occupancy.wave_slots;
  return std::min(1.0, static_cast<double>(workgroups) * occupancy.waves_per_workgroup / slots);
}

}  // namespace rpl::arch
