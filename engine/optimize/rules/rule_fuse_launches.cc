// SPDX-License-Identifier: MIT
// fuse-launches: a kernel that is launched directly after another one reads what that stored from memory, and is launched by itself. One kernel with both bodies does it at once. Where a
// work-item needs what others stored, running it shows: nothing here looks at that.
#include <fmt/format.h>

#include "engine/optimize/rules/rules.h"
#include "engine/source/text/fused_kernel.h"

namespace rpl::rules {

RuleOutcome fuse_launches(const KernelCase& on) {
  RuleOutcome out;
  if (on.launches == nullptr || on.launches->next_kernel.empty()) return out;
  auto fused =
      with_fused_kernel(on.text.text(), {std::string(on.reference), on.launches->next_kernel});
  if (!fused) {
    out.refusals.push_back({on.kernel.line, fused.error().message});
    return out;
  }
  RuleEdit edit;
  edit.line = on.kernel.line;
  edit.title =
      fmt::format("one launch instead of two: {} with the kernel after it", on.kernel.name);
  edit.why = "one launch less, and what the first stores the second need not load again";
  edit.source = std::move(*fused);
  edit.fuses = true;
  edit.bit_exact =
      false;  // a product of the first and a sum of the second may become one operation
  out.edits.push_back(std::move(edit));
  return out;
}

}  // namespace rpl::rules
