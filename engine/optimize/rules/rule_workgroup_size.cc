// SPDX-License-Identifier: MIT
// workgroup-size: other sizes of workgroups for as many work-items. Smaller ones spread a small grid over more compute units; larger ones share more of what a workgroup has.
#include <fmt/format.h>

#include <algorithm>

#include "engine/isa/traits/architecture.h"
#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// Powers of two; smaller ones leave lanes of a wave without work.
constexpr std::uint32_t kSmallest = 64;

/// Whether a kernel knows its place by the number of the work-item in the grid alone.
bool knows_only_its_number(const KernelCase& on) {
  const SourceText& text = on.text;
  std::size_t places = 0, numbers = 0;
  for (std::size_t i = on.kernel.body_open; i < on.kernel.body_close; ++i) {
    if (text.is(i, "gridDim")) return false;
    if (text.is(i, "threadIdx") || text.is(i, "blockIdx") || text.is(i, "blockDim")) ++places;
    const std::size_t end = i + kWorkItemNumberWords;
    if (end <= on.kernel.body_close && is_work_item_number(text, i, end)) ++numbers;
  }
  return numbers > 0 && places == 3 * numbers;
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
  if (!knows_only_its_number(on))
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
  const std::uint32_t now = on.launches->workgroup[0];
  for (std::uint32_t size = kSmallest; size <= isa::kMaxWorkgroup; size *= 2) {
    if (size == now || size > on.launches->grid[0]) continue;
    RuleEdit edit;
    edit.line = on.kernel.line;
    edit.title = fmt::format("launch with workgroups of {} work-items", size);
    edit.why = size < now ? "more workgroups for as many work-items spread over more compute units"
                          : "fewer workgroups have to be started";
    edit.source = std::string(on.text.text());
    edit.launch = {.workgroup = size};
    out.edits.push_back(std::move(edit));
  }
  if (out.edits.empty())
    refuse(out, on.kernel.line,
           fmt::format("there is no other size for {} work-items", on.launches->grid[0]));
  return out;
}

}  // namespace rpl::rules
