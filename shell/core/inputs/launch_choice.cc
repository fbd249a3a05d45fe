// SPDX-License-Identifier: MIT
#include "shell/core/inputs/launch_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/isa/traits/architecture.h"

namespace rpl {
std::vector<Bound> launch_options(std::string_view whose) {
  return {option("workgroup", &LaunchChoice::workgroup,
                 fmt::format("{}work-items of a workgroup, 256 or 32,8; 0: as captured", whose))
              .named("N"),
          option("items", &LaunchChoice::items,
                 fmt::format("{}work-items for each captured one: 64, or 1/4; along x and y: 1,1/4",
                             whose))
              .named("N"),
          option("lds", &LaunchChoice::lds, fmt::format("{}bytes of dynamic LDS", whose))
              .in(kDynamicLds)
              .named("BYTES")};
}

Result<LaunchPlan> launch_plan_of(const LaunchChoice& choice) {
  LaunchPlan out;
  std::string_view items = choice.items;
  bool read = true;
  for (AxisPlan* axis : {&out.x, &out.y, &out.z}) {
    if (items.empty()) break;
    const std::size_t cut = items.find(',');
    read = read && read_items(items.substr(0, cut), *axis);
    items = cut == std::string_view::npos ? std::string_view() : items.substr(cut + 1);
  }
  if (!read || !items.empty())
    return fail(Errc::usage, fmt::format("'{}' is no number of work-items", choice.items),
                "--items 64 for 64 instead of each one, --items 1/4 for one instead of four, "
                "--items 1,1/4 for that along y");
  if (!choice.workgroup.empty() && choice.workgroup != "0" &&
      !read_workgroup(choice.workgroup, ',', out))
    return fail(Errc::usage, fmt::format("'{}' is no workgroup", choice.workgroup),
                fmt::format("--workgroup 256, or --workgroup 32,8; {} work-items at most",
                            isa::kMaxWorkgroup));
  if (choice.lds) out.dynamic_lds_bytes = static_cast<std::uint32_t>(*choice.lds);
  return out;
}

}  // namespace rpl
