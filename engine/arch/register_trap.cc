// SPDX-License-Identifier: MIT
#include "engine/arch/register_trap.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/arch/catalogue.h"

namespace rpl::arch {

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
