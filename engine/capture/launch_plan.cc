// SPDX-License-Identifier: MIT
#include "engine/capture/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"

namespace rpl {
namespace {

constexpr std::string_view kWorkgroup = "workgroup ", kItems = "work-items x ",
                           kItemsY = "work-items along y x ", kItemsZ = "work-items along z x ",
                           kLds = "dynamic LDS ";
/// More work-items for one are no plan that somebody wants.
constexpr std::uint32_t kMostItems = 65'536;

bool read_number(std::string_view text, std::uint32_t& into) {
  const auto found = whole_number<std::uint32_t>(text);
  if (found) into = *found;
  return found.has_value();
}

/// "256", "32x8", "0x8x4".
bool read_workgroup(std::string_view text, LaunchPlan& plan) {
  std::uint64_t size = 1;
  bool any = false;
  for (std::uint32_t* side : {&plan.workgroup, &plan.y.workgroup, &plan.z.workgroup}) {
    const std::size_t cut = text.find('x');
    if (!read_number(text.substr(0, cut), *side)) return false;
    any = any || *side > 0;
    size *= std::clamp(*side, 1U, isa::kMaxWorkgroup + 1U);
    if (cut == std::string_view::npos) return any && size <= isa::kMaxWorkgroup;
    text.remove_prefix(cut + 1);
  }
  return false;
}

/// "64", "1/4".
bool read_items(std::string_view text, std::uint32_t& items, std::uint32_t& per) {
  const std::size_t slash = text.find('/');
  if (!read_number(text.substr(0, slash), items)) return false;
  if (slash != std::string_view::npos && !read_number(text.substr(slash + 1), per)) return false;
  return items > 0 && per > 0 && items <= kMostItems && per <= kMostItems;
}

bool read_part(std::string_view part, LaunchPlan& plan) {
  const auto rest = [&](std::string_view begin) { return part.substr(begin.size()); };
  if (part.starts_with(kWorkgroup)) return read_workgroup(rest(kWorkgroup), plan);
  if (part.starts_with(kItems)) return read_items(rest(kItems), plan.items, plan.per);
  if (part.starts_with(kItemsY)) return read_items(rest(kItemsY), plan.y.items, plan.y.per);
  if (part.starts_with(kItemsZ)) return read_items(rest(kItemsZ), plan.z.items, plan.z.per);
  return part.starts_with(kLds) && read_number(rest(kLds), plan.dynamic_lds_bytes.emplace());
}

std::string workgroup_text(const LaunchPlan& plan) {
  std::string out = fmt::format("{}", plan.workgroup);
  if (plan.y.workgroup != 0 || plan.z.workgroup != 0) out += fmt::format("x{}", plan.y.workgroup);
  if (plan.z.workgroup != 0) out += fmt::format("x{}", plan.z.workgroup);
  return out;
}

std::string items_text(const AxisPlan& axis) {
  const std::uint32_t common = std::gcd(axis.items, axis.per);
  return axis.per == common ? fmt::format("{}", axis.items / common)
                            : fmt::format("{}/{}", axis.items / common, axis.per / common);
}

}  // namespace

std::string to_text(const LaunchPlan& plan) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (const std::string size = workgroup_text(plan); size != "0")
    add(fmt::format("{}{}", kWorkgroup, size));
  const auto add_items = [&](std::string_view begin, const AxisPlan& axis) {
    if (axis.items != axis.per) add(fmt::format("{}{}", begin, items_text(axis)));
  };
  add_items(kItems, plan.x());
  add_items(kItemsY, plan.y);
  add_items(kItemsZ, plan.z);
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
  const AxisPlan axes[] = {plan.x(), plan.y, plan.z};
  std::uint64_t size = 1;
  bool any = false;
  for (std::size_t i = 0; i < 3; ++i) {
    any = any || !axes[i].empty();
    if (axes[i].workgroup != 0) out.workgroup[i] = axes[i].workgroup;
    size *= out.workgroup[i];
  }
  if (!any) return out;
  if (size > isa::kMaxWorkgroup)
    return fail(Errc::unsupported, fmt::format("a workgroup would have {} work-items", size),
                fmt::format("{} are the most", isa::kMaxWorkgroup));
  for (std::size_t i = 0; i < 3; ++i) {
    if (axes[i].empty()) continue;
    const std::uint64_t wanted =
        (std::uint64_t{captured.grid[i]} * axes[i].items + axes[i].per - 1) / axes[i].per;
    const std::uint64_t whole =
        (wanted + out.workgroup[i] - 1) / out.workgroup[i] * out.workgroup[i];
    if (whole > std::numeric_limits<std::uint32_t>::max())
      return fail(Errc::unsupported,
                  fmt::format("the grid would have {} work-items along {}", whole, "xyz"[i]),
                  "fewer work-items for each of the captured ones");
    out.grid[i] = static_cast<std::uint32_t>(whole);
  }
  return out;
}

}  // namespace rpl
