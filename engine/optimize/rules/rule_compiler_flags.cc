// SPDX-License-Identifier: MIT
// compiler-flags: the cheapest candidates change no source at all. None of these changes results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {

RuleOutcome compiler_flags(const KernelCase& on) {
  struct Variant {
    std::vector<std::string> flags;
    const char* why;
  };
  const std::array<Variant, 5> variants{{
      {{"-mllvm", "-unroll-runtime"},
       "loops whose trip count only the launch knows are unrolled too: their loads overlap"},
      {{"-fno-unroll-loops"}, "no loop is unrolled: fewer registers and less code"},
      {{"-mllvm", "-amdgpu-schedule-metric-bias=100"},
       "the scheduler weighs latency against occupancy the other way"},
      {{"-mllvm", "-amdgpu-disable-unclustered-high-rp-reschedule"},
       "loads stay together where registers are short"},
      {{"-O2"}, "the compiler's more careful level"},
  }};
  RuleOutcome out;
  for (const Variant& variant : variants) {
    RuleEdit edit;
    edit.line = on.kernel.line;
    edit.title = fmt::format("compile with {}", fmt::join(variant.flags, " "));
    edit.why = variant.why;
    edit.flags = variant.flags;
    edit.source = std::string(on.text.text());
    out.edits.push_back(std::move(edit));
  }
  return out;
}

}  // namespace rpl::rules
