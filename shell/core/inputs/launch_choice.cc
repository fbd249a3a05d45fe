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
              .in(at_least(0))
              .named("BYTES")};
}

Result<LaunchPlan> launch_plan_of(const LaunchChoice& choice) {
  LaunchPlan out;
  constexpr std::string_view kAxes[] = {"work-items x ", "work-items along y x ",
                                        "work-items along z x "};
  std::string text;
  const auto add = [&](std::string_view begin, std::string_view part) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", begin, part);
  };
  std::string_view items = choice.items;
  for (std::size_t axis = 0; axis < std::size(kAxes) && !items.empty(); ++axis) {
    const std::size_t cut = items.find(',');
    add(kAxes[axis], items.substr(0, cut));
    items = cut == std::string_view::npos ? std::string_view() : items.substr(cut + 1);
  }
  if (!choice.items.empty()) {
    const auto read = launch_plan_from(text);
    if (!read || !items.empty())
      return fail(Errc::usage, fmt::format("'{}' is no number of work-items", choice.items),
                  "--items 64 for 64 instead of each one, --items 1/4 for one instead of four, "
                  "--items 1,1/4 for that along y");
    out = *read;
  }
  if (!choice.workgroup.empty() && choice.workgroup != "0") {
    std::string sides = choice.workgroup;
    const bool is_list = sides.find('x') == std::string::npos;
    std::ranges::replace(sides, ',', 'x');
    const auto read = launch_plan_from("workgroup " + sides);
    if (!read || !is_list)
      return fail(Errc::usage, fmt::format("'{}' is no workgroup", choice.workgroup),
                  fmt::format("--workgroup 256, or --workgroup 32,8; {} work-items at most",
                              isa::kMaxWorkgroup));
    out.workgroup = read->workgroup;
    out.y.workgroup = read->y.workgroup;
    out.z.workgroup = read->z.workgroup;
  }
  if (choice.lds) out.dynamic_lds_bytes = static_cast<std::uint32_t>(*choice.lds);
  return out;
}

}  // namespace rpl
