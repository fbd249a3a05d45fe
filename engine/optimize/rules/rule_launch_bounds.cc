// SPDX-License-Identifier: MIT
// launch-bounds: the compiler plans for workgroups of 1024 unless it is told less.
#include <fmt/format.h>

#include "engine/isa/traits/architecture.h"
#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// A launch in the file with a larger workgroup that is written as a number: `scale<<<grid, 512>>>`.
std::optional<std::size_t> larger_launch(const KernelCase& on, std::uint64_t work_items) {
  const SourceText& text = on.text;
  for (std::size_t i = 0; i + 4 < text.size(); ++i) {
    if (!text.is(i, on.kernel.name)) continue;
    std::size_t at = text.is(i + 1, "<") ? text.after_angles(i + 1, text.size()) : i + 1;
    if (!text.is(at, "<<") || !text.is(at + 1, "<")) continue;
    for (at += 2; at < text.size() && !text.is(at, ",") && !text.is(at, ";");
         at = text.after_group(at)) {
    }
    std::size_t end = at + 1;
    while (end < text.size() && !text.is(end, ",") && !text.is(end, ">") && !text.is(end, ";"))
      end = text.after_group(end);
    const auto value = text.is(at, ",") ? constant_value(on, at + 1, end) : std::nullopt;
    if (value && *value > static_cast<std::int64_t>(work_items)) return text[i].line;
  }
  return std::nullopt;
}

}  // namespace

RuleOutcome launch_bounds(const KernelCase& on) {
  RuleOutcome out;
  if (on.launches == nullptr) {
    refuse(out, on.kernel.line, "no captured launch says how large workgroups are");
    return out;
  }
  const std::uint64_t work_items = on.launches->work_items();
  if (work_items >= isa::kMaxWorkgroup) {
    refuse(out, on.kernel.line,
           fmt::format("workgroups have {} work-items, for which the compiler plans anyhow",
                       isa::kMaxWorkgroup));
    return out;
  }
  if (const auto line = larger_launch(on, work_items)) {
    refuse(out, *line, fmt::format("this launch has workgroups of more than {}", work_items));
    return out;
  }
  RuleEdit edit;
  edit.header =
      HeaderEdit{HeaderEdit::Kind::launch_bounds, {static_cast<std::uint32_t>(work_items)}};
  auto source = apply_header_edit(on.text.text(), on.reference, *edit.header);
  if (!source) {
    refuse(out, on.kernel.line, source.error().message);
    return out;
  }
  edit.line = on.kernel.line;
  edit.title = fmt::format("bound workgroups to {} work-items", work_items);
  edit.why = fmt::format(
      "the compiler may use more registers for each wave than it leaves for workgroups of {}: "
      "less scratch, more loads under way",
      isa::kMaxWorkgroup);
  edit.assumes = fmt::format("only {} shows that no workgroup has more than {} work-items",
                             on.launches->capture, work_items);
  edit.source = std::move(*source);
  out.edits.push_back(std::move(edit));
  return out;
}

}  // namespace rpl::rules
