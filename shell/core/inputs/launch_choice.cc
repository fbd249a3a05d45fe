// SPDX-License-Identifier: MIT
#include "shell/core/inputs/launch_choice.h"

#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"

namespace rpl {
namespace {

constexpr std::uint32_t kMostItems = 65'536;

std::optional<std::uint32_t> count_in(std::string_view text) {
  const auto number = whole_number<std::uint32_t>(text);
  if (!number || *number == 0 || *number > kMostItems) return std::nullopt;
  return number;
}

}  // namespace

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
  LaunchPlan out{.workgroup = static_cast<std::uint32_t>(choice.workgroup)};
  if (!choice.items.empty()) {
    const std::string_view text = choice.items;
    const std::size_t slash = text.find('/');
    const auto items = count_in(text.substr(0, slash));
    const auto per = slash == std::string_view::npos ? std::optional<std::uint32_t>(1)
                                                     : count_in(text.substr(slash + 1));
    if (!items || !per)
      return fail(Errc::usage, fmt::format("'{}' is no number of work-items", choice.items),
                  "--items 64 for 64 instead of each one, --items 1/4 for one instead of four");
    out.items = *items;
    out.per = *per;
  }
  if (choice.lds) out.dynamic_lds_bytes = static_cast<std::uint32_t>(*choice.lds);
  return out;
}

}  // namespace rpl
