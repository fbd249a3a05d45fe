// SPDX-License-Identifier: MIT
#include "engine/capture/launch_plan.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"

namespace rpl {
namespace {

constexpr std::string_view kWorkgroup = "workgroup ", kItems = "work-items x ",
                           kLds = "dynamic LDS ";
/// More work-items for one are no plan that somebody wants.
constexpr std::uint32_t kMostItems = 65'536;

bool read_part(std::string_view part, LaunchPlan& plan) {
  const auto number = [&](std::string_view text, std::uint32_t& into) {
    const auto found = whole_number<std::uint32_t>(text);
    if (found) into = *found;
    return found.has_value();
  };
  if (part.starts_with(kWorkgroup)) {
    return number(part.substr(kWorkgroup.size()), plan.workgroup) && plan.workgroup > 0 &&
           plan.workgroup <= isa::kMaxWorkgroup;
  }
  if (part.starts_with(kItems)) {
    part.remove_prefix(kItems.size());
    const std::size_t slash = part.find('/');
    if (!number(part.substr(0, slash), plan.items)) return false;
    if (slash != std::string_view::npos && !number(part.substr(slash + 1), plan.per)) return false;
    return plan.items > 0 && plan.per > 0 && plan.items <= kMostItems && plan.per <= kMostItems;
  }
  return part.starts_with(kLds) &&
         number(part.substr(kLds.size()), plan.dynamic_lds_bytes.emplace());
}

}  // namespace

std::string to_text(const LaunchPlan& plan) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (plan.workgroup != 0) add(fmt::format("{}{}", kWorkgroup, plan.workgroup));
  const std::uint32_t common = std::gcd(plan.items, plan.per);
  if (plan.items != plan.per) {
    add(plan.per == common
            ? fmt::format("{}{}", kItems, plan.items / common)
            : fmt::format("{}{}/{}", kItems, plan.items / common, plan.per / common));
  }
  if (plan.dynamic_lds_bytes) add(fmt::format("{}{}", kLds, *plan.dynamic_lds_bytes));
  return out;
}

Result<LaunchPlan> launch_plan_from(std::string_view text) {
  LaunchPlan out;
  while (!text.empty()) {
    const std::size_t end = text.find(", ");
    if (!read_part(text.substr(0, end), out))
      return fail(Errc::corrupt, fmt::format("'{}' is no change of a launch", text),
                  "a session holds \"workgroup 256, work-items x 1/4, dynamic LDS 4096\"");
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return out;
}

Result<LaunchSize> launch_size(const DispatchView& captured, const LaunchPlan& plan) {
  LaunchSize out{.grid = captured.grid,
                 .workgroup = captured.workgroup,
                 .dynamic_lds_bytes = plan.dynamic_lds_bytes.value_or(captured.dynamic_lds_bytes)};
  if (plan.workgroup == 0 && plan.items == plan.per) return out;
  if (plan.workgroup != 0) out.workgroup[0] = plan.workgroup;
  const std::uint64_t size = std::uint64_t{out.workgroup[0]} * out.workgroup[1] * out.workgroup[2];
  if (size > isa::kMaxWorkgroup)
    return fail(Errc::unsupported, fmt::format("a workgroup would have {} work-items", size),
                fmt::format("{} are the most", isa::kMaxWorkgroup));
  const std::uint64_t wanted =
      (std::uint64_t{captured.grid[0]} * plan.items + plan.per - 1) / plan.per;
  const std::uint64_t whole = (wanted + out.workgroup[0] - 1) / out.workgroup[0] * out.workgroup[0];
  if (whole > std::numeric_limits<std::uint32_t>::max())
    return fail(Errc::unsupported, fmt::format("the grid would have {} work-items along x", whole),
                "fewer work-items for each of the captured ones");
  out.grid[0] = static_cast<std::uint32_t>(whole);
  return out;
}

}  // namespace rpl
