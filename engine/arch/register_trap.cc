// SPDX-License-Identifier: MIT
#include "engine/arch/register_trap.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::arch {

RegisterCounts register_counts(std::string_view arch, std::span<const RecordedRegisters> kernels) {
  RegisterCounts out;
  if (!arch.starts_with("gfx95")) return out;
  // A fixed recorder's total is the allocation, a multiple of 8, and without accumulation registers it is all architectural.
  const auto odd = std::ranges::find_if(kernels, [](const RecordedRegisters& kernel) {
    return kernel.accum_vgprs == 0 && kernel.arch_vgprs % 8 == 4;
  });
  if (odd != kernels.end()) {
    const auto count = std::ranges::count_if(kernels, [](const RecordedRegisters& kernel) {
      return kernel.accum_vgprs == 0 && kernel.arch_vgprs % 8 == 4;
    });
    out.meaning = RegisterCounts::Meaning::halved;
    out.note = fmt::format(
        "the recorder wrote half of the vector registers of {}: {} of {} kernels have counts such "
        "as {}, which no allocation in steps of 8 can have; twice the recorded count is used, and "
        "how it splits into architectural and accumulation registers is unknown",
        arch, count, kernels.size(), odd->arch_vgprs);
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
