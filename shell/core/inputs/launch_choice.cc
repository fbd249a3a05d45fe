// SPDX-License-Identifier: MIT
#include "shell/core/inputs/launch_choice.h"

#include <fmt/format.h>

#include "engine/isa/traits/architecture.h"

namespace rpl {
std::vector<Bound> launch_options(std::string_view whose) {
  return {option("workgroup", &LaunchChoice::workgroup,
                 fmt::format("{}work-items of a workgroup along x; 0: as captured", whose))
              .in(within(0, isa::kMaxWorkgroup))
              .named("N"),
          option("items", &LaunchChoice::items,
                 fmt::format("{}work-items for each captured one: 64, or 1/4", whose))
              .named("N"),
          option("lds", &LaunchChoice::lds, fmt::format("{}bytes of dynamic LDS", whose))
              .in(at_least(0))
              .named("BYTES")};
}

Result<LaunchPlan> launch_plan_of(const LaunchChoice& choice) {
  LaunchPlan out;
  if (!choice.items.empty()) {
    const auto items = launch_plan_from("work-items x " + choice.items);
    if (!items || choice.items.find(',') != std::string::npos)
      return fail(Errc::usage, fmt::format("'{}' is no number of work-items", choice.items),
                  "--items 64 for 64 instead of each one, --items 1/4 for one instead of four");
    out = *items;
  }
  out.workgroup = static_cast<std::uint32_t>(choice.workgroup);
  if (choice.lds) out.dynamic_lds_bytes = static_cast<std::uint32_t>(*choice.lds);
  return out;
}

}  // namespace rpl
