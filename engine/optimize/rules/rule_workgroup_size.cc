// SPDX-License-Identifier: MIT
// workgroup-size: other sizes of workgroups for as many work-items. Smaller ones spread a small grid over more compute units; larger ones share more of what a workgroup has.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/isa/traits/architecture.h"
#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// Powers of two; smaller ones leave lanes of a wave without work.
constexpr std::uint32_t kSmallest = 64;

/// Of what sizes have to be multiples where a kernel knows its place by the number of the work-item in the grid, and by that number's rest, as lanes of a wave know theirs: 1 for the
/// number alone; 0 where it asks for more.
std::uint32_t multiple_of(const KernelCase& on) {
  const SourceText& text = on.text;
  std::size_t places = 0, numbers = 0, rests = 0;
  std::uint32_t out = 1;
  for (std::size_t i = on.kernel.body_open; i < on.kernel.body_close; ++i) {
    if (text.is(i, "gridDim")) return 0;
    if (text.is(i, "threadIdx") || text.is(i, "blockIdx") || text.is(i, "blockDim")) ++places;
    const std::size_t end = i + kWorkItemNumberWords;
    if (end <= on.kernel.body_close && is_work_item_number(text, i, end)) ++numbers;
    if (!text.is(i, "threadIdx") || !text.is(i + 2, "x") || !text.is(i + 3, "%")) continue;
    const auto lanes = constant_value(on, i + 4, i + 5);
    if (!lanes || *lanes < 1 || *lanes > isa::kMaxWorkgroup || !text.is(i + 5, ";")) return 0;
    ++rests;
    out = std::lcm(out, static_cast<std::uint32_t>(*lanes));
  }
  return numbers > 0 && places == 3 * numbers + rests ? out : 0;
}

std::string why_not(const KernelCase& on) {
  if (const std::string_view why = not_one_dimension(on); !why.empty()) return std::string(why);
  for (std::size_t i = on.kernel.header_begin; i < on.kernel.body_open; ++i) {
    if (on.text.is(i, "__launch_bounds__") || on.text.is(i, "amdgpu_flat_work_group_size"))
      return fmt::format("the header has '{}'", on.text[i].text);
  }
  for (std::size_t i = on.kernel.body_open; i < on.kernel.body_close; ++i) {
    if (on.text.is(i, "__shared__")) return "the kernel uses LDS, which its workgroups share";
  }
  if (multiple_of(on) == 0)
    return "the kernel asks for more than the number of the work-item in the grid";
  return {};
}

}  // namespace

RuleOutcome workgroup_size(const KernelCase& on) {
  RuleOutcome out;
  if (std::string why = why_not(on); !why.empty()) {
    refuse(out, on.kernel.line, std::move(why));
    return out;
  }
  const std::uint32_t now = on.launches->workgroup[0], multiple = multiple_of(on);
  for (std::uint32_t size = kSmallest; size <= isa::kMaxWorkgroup; size *= 2) {
    if (size == now || size > on.launches->grid[0] || size % multiple != 0) continue;
    RuleEdit edit;
    edit.line = on.kernel.line;
    edit.title = fmt::format("launch with workgroups of {} work-items", size);
    edit.why = size < now ? "more workgroups for as many work-items spread over more compute units"
                          : "fewer workgroups have to be started";
    edit.source = std::string(on.text.text());
    edit.launch = {.x = {.workgroup = size}};
    out.edits.push_back(std::move(edit));
  }
  if (out.edits.empty())
    refuse(out, on.kernel.line,
           fmt::format("there is no other size for {} work-items", on.launches->grid[0]));
  return out;
}

}  // namespace rpl::rules
