// SPDX-License-Identifier: MIT
// waves-per-eu: the compiler trades registers against waves; both directions are worth a try.
#include <fmt/format.h>

#include <array>

#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {

RuleOutcome waves_per_eu(const KernelCase& on) {
  struct Choice {
    std::vector<std::uint32_t> numbers;
    const char* title;
    const char* why;
  };
  const std::array<Choice, 3> choices{{
      {{8},
       "ask for 8 waves of a SIMD",
       "more waves at once hide what each of them waits for; each has fewer registers"},
      {{4},
       "ask for 4 waves of a SIMD",
       "a compromise between waves at once and registers of each"},
      {{1, 2},
       "limit occupancy to 2 waves per SIMD",
       "each wave has more registers: more loads under way, no scratch"},
  }};
  RuleOutcome out;
  for (const Choice& choice : choices) {
    RuleEdit edit;
    edit.header = HeaderEdit{HeaderEdit::Kind::waves_per_eu, choice.numbers};
    auto source = apply_header_edit(on.text.text(), on.reference, *edit.header);
    if (!source) {
      refuse(out, on.kernel.line, source.error().message);
      return out;
    }
    edit.line = on.kernel.line;
    edit.title = choice.title;
    edit.why = choice.why;
    edit.source = std::move(*source);
    out.edits.push_back(std::move(edit));
  }
  return out;
}

}  // namespace rpl::rules
