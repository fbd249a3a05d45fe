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

constexpr std::string_view kWorkgroup = "workgroup ", kLds = "dynamic LDS ";
constexpr std::array<std::string_view, 3> kItems = {"work-items x ", "work-items along y x ",
                                                    "work-items along z x "};
/// More work-items for one are no plan that somebody wants.
constexpr std::uint32_t kMostItems = 65'536;

bool read_number(std::string_view text, std::uint32_t& into) {
  const auto found = whole_number<std::uint32_t>(text);
  if (found) into = *found;
  return found.has_value();
}

bool read_part(std::string_view part, LaunchPlan& plan) {
  const auto rest = [&](std::string_view begin) { return part.substr(begin.size()); };
  if (part.starts_with(kWorkgroup)) return read_workgroup(rest(kWorkgroup), 'x', plan);
  AxisPlan* const axes[] = {&plan.x, &plan.y, &plan.z};
  for (std::size_t i = 0; i < kItems.size(); ++i) {
    if (part.starts_with(kItems[i])) return read_items(rest(kItems[i]), *axes[i]);
  }
  return part.starts_with(kLds) && read_number(rest(kLds), plan.dynamic_lds_bytes.emplace()) &&
         *plan.dynamic_lds_bytes <= isa::kMostLdsBytes;
}

std::string items_text(const AxisPlan& axis) {
  const std::uint32_t common = std::gcd(axis.items, axis.per);
  return axis.per == common ? fmt::format("{}", axis.items / common)
                            : fmt::format("{}/{}", axis.items / common, axis.per / common);
}

}  // namespace

bool read_workgroup(std::string_view text, char between, LaunchPlan& plan) {
  std::uint64_t size = 1;
  for (AxisPlan* axis : {&plan.x, &plan.y, &plan.z}) {
    const std::size_t cut = text.find(between);
    if (!read_number(text.substr(0, cut), axis->workgroup)) return false;
    size *= std::clamp(axis->workgroup, 1U, isa::kMaxWorkgroup + 1U);
    if (cut == std::string_view::npos) return plan.has_workgroup() && size <= isa::kMaxWorkgroup;
    text.remove_prefix(cut + 1);
  }
  return false;
}

bool read_items(std::string_view text, AxisPlan& axis) {
  const std::size_t slash = text.find('/');
  if (!read_number(text.substr(0, slash), axis.items)) return false;
  if (slash != std::string_view::npos && !read_number(text.substr(slash + 1), axis.per))
    return false;
  return axis.items > 0 && axis.per > 0 && axis.items <= kMostItems && axis.per <= kMostItems;
}

std::string sides_text(const std::array<std::uint32_t, 3>& sides, std::uint32_t unset) {
  std::string out = fmt::format("{}", sides[0]);
  const std::size_t last = sides[2] != unset ? 2 : sides[1] != unset ? 1 : 0;
  for (std::size_t i = 1; i <= last; ++i) out += fmt::format("x{}", sides[i]);
  return out;
}

std::string to_text(const LaunchPlan& plan) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  const auto axes = plan.axes();
  if (plan.has_workgroup())
    add(fmt::format("{}{}", kWorkgroup,
                    sides_text({plan.x.workgroup, plan.y.workgroup, plan.z.workgroup}, 0)));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].items != axes[i].per) add(fmt::format("{}{}", kItems[i], items_text(axes[i])));
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
  const auto axes = plan.axes();
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
