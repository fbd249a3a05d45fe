// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/capture/dispatches.h"

namespace rpl {

/// Grid and workgroup in work-items, and LDS that the launch adds to the kernel's own, in bytes.
struct LaunchSize {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, workgroup{1, 1, 1};
  std::uint32_t dynamic_lds_bytes = 0;
};

/// Along one axis `items` work-items for every `per` of the captured launch, made up to whole workgroups.
struct AxisPlan {
  std::uint32_t workgroup = 0;       ///< work-items; 0: as they were
  std::uint32_t items = 1, per = 1;  ///< both from 1

  [[nodiscard]] bool empty() const { return workgroup == 0 && items == per; }
  [[nodiscard]] bool operator==(const AxisPlan&) const = default;
};

/// How a changed kernel is launched where the kernel that it replaces was launched otherwise. It follows from each launch of that one, so that it holds for other
/// grids, too.
struct LaunchPlan {
  AxisPlan x = {}, y = {}, z = {};
  std::optional<std::uint32_t> dynamic_lds_bytes = std::nullopt;  ///< none: as it was

  [[nodiscard]] std::array<AxisPlan, 3> axes() const { return {x, y, z}; }
  [[nodiscard]] bool has_workgroup() const {
    return x.workgroup != 0 || y.workgroup != 0 || z.workgroup != 0;
  }
  [[nodiscard]] bool empty() const {
    return x.empty() && y.empty() && z.empty() && !dynamic_lds_bytes;
  }
  [[nodiscard]] bool operator==(const LaunchPlan&) const = default;
};

/// Reads "256" or, with 'x' between the sides, "32x8" and "0x8x4". False for what is no workgroup; the plan is then half read.
bool read_workgroup(std::string_view text, char between, LaunchPlan& plan);
/// Reads "64" or "1/4". False where the text is not a number of work-items.
bool read_items(std::string_view text, AxisPlan& axis);
/// "256", "32x8x1": sides up to the last that is not `unset`, one at least.
std::string sides_text(const std::array<std::uint32_t, 3>& sides, std::uint32_t unset);

/// What people and sessions read: "workgroup 256", "workgroup 64, work-items x 64", "work-items x 1/4", "workgroup 32x8, work-items along y x 1/4", "dynamic LDS 4096"; "" for an empty plan. A side of 0 is as it was.
std::string to_text(const LaunchPlan& plan);
/// Reads what to_text() wrote. Fails with corrupt.
Result<LaunchPlan> launch_plan_from(std::string_view text);

/// The captured launch, as the plan has it. Fails with unsupported where the grid would have more than 2^32 - 1 work-items along an axis, or a workgroup more than isa::kMaxWorkgroup.
Result<LaunchSize> launch_size(const DispatchView& captured, const LaunchPlan& plan = {});

}  // namespace rpl
