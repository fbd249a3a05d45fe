// SPDX-License-Identifier: MIT
#include "engine/arch/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/arch/catalogue.h"

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
  out.simds = TRY(needed(gpu, "simds_per_cu")) * units;
  out.waves_per_simd = TRY(needed(gpu, "waves_per_simd"));
  out.max_workgroup = TRY(needed(gpu, "max_workgroup_size"));
  out.barriers = TRY(needed(gpu, "workgroups_per_cu")) * units;
  out.vgprs = TRY(needed(gpu, "vgprs" + suffix));
  out.vgpr_granule = TRY(needed(gpu, "vgpr_granule" + suffix));
  out.vgpr_max = TRY(needed(gpu, "vgpr_max" + suffix));
  out.sgprs = gpu.whole("sgprs").value_or(0);
  if (out.sgprs != 0) out.sgpr_granule = TRY(needed(gpu, "sgpr_granule"));
  out.lds = TRY(needed(gpu, "lds_bytes")) * units;
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

RegisterCounts register_counts(std::string_view arch, std::span<const RecordedRegisters> kernels) {
  RegisterCounts out;
  const Catalogue& catalogue = Catalogue::builtin();
  if (catalogue.text_of(arch, "recorded_vgprs") != "halved") return out;
  Gpu gpu;
  catalogue.apply({std::string(arch), ""}, Origin::file, gpu);
  const std::uint32_t granule = gpu.whole("vgpr_granule.wave64").value_or(1);
  const auto cannot_be = [granule](const RecordedRegisters& kernel) {
    return kernel.accum_vgprs == 0 && kernel.arch_vgprs % granule == granule / 2;
  };
  // A fixed recorder's total is the allocation, a multiple of the granule, and without accumulation registers it is all architectural.
  const auto odd = std::ranges::find_if(kernels, cannot_be);
  if (odd != kernels.end()) {
    const auto count = std::ranges::count_if(kernels, cannot_be);
    out.meaning = RegisterCounts::Meaning::halved;
    out.note = fmt::format(
        "the recorder wrote half of the vector registers of {}: {} of {} kernels have counts such "
        "as {}, which no allocation in steps of {} can have; twice the recorded count is used, and "
        "how it splits into architectural and accumulation registers is unknown",
        arch, count, kernels.size(), odd->arch_vgprs, granule);
    return out;
  }
  const bool any = std::ranges::any_of(
      kernels, [](const RecordedRegisters& kernel) { return kernel.arch_vgprs != 0; });
  if (!any || std::ranges::any_of(
                  kernels, [](const RecordedRegisters& kernel) { return kernel.accum_vgprs != 0; }))
    return out;
  out.meaning = RegisterCounts::Meaning::unknown;
  out.note = fmt::format(
      "early recorders wrote half of the vector registers of {}, and nothing in this recording "
      "tells whether its recorder did; if so, fewer waves fit than is said here",
      arch);
  return out;
}

}  // namespace rpl::arch
