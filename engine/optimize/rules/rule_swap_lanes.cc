// SPDX-License-Identifier: MIT
// swap-lanes: where neighbouring lanes take neighbouring rows, each reads or writes a row apart from the next. With the two dimensions of the workgroup
// exchanged they take neighbouring columns; who takes which element does not matter where work-items do not meet.
#include <fmt/format.h>

#include "engine/optimize/rules/places.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// The line of the first access to memory in which x counts rows; 0: none.
std::size_t line_of_rows(const KernelCase& on, const TwoPlaces& places) {
  for (const ElementPointer& pointer : element_pointers(on)) {
    for (const NameUse& use :
         uses_of(on.text, pointer.name, on.kernel.body_open, on.kernel.body_close)) {
      if (use.subscripts > 0 && multiplies(on.text, places.x.name, use.token, use.end))
        return on.text[use.token].line;
    }
  }
  // An index with a name of its own: `const int at = column * n + row;`
  return multiplies(on.text, places.x.name, places.x.end, on.kernel.body_close)
             ? on.text[places.x.begin].line
             : 0;
}

}  // namespace

RuleOutcome swap_lanes(const KernelCase& on) {
  RuleOutcome out;
  std::string why;
  const auto places = two_places(on, why);
  const std::size_t line = places ? line_of_rows(on, *places) : 0;
  if (why.empty() && line == 0)
    why = fmt::format("nothing is read or written a row apart in '{}'", places->x.name);
  if (!why.empty()) {
    refuse(out, on.kernel.line, std::move(why));
    return out;
  }
  const SourceText& text = on.text;
  const auto [across, down, deep] = on.launches->workgroup;
  const auto thread = [&](const Place& place, std::string now) {
    return Replacement{text[place.thread].begin, text[place.thread + 2].end, std::move(now)};
  };
  RuleEdit edit;
  edit.line = line;
  edit.title =
      fmt::format("neighbouring lanes differ in {} instead of {}", places->y.name, places->x.name);
  edit.why = "lanes that read or write next to one another share cache lines";
  if (across == down) {
    edit.source =
        replaced(text.text(), {thread(places->x, "threadIdx.y"), thread(places->y, "threadIdx.x")});
  } else {
    const std::string number = fmt::format("(threadIdx.y * {} + threadIdx.x)", across);
    edit.source = replaced(text.text(), {thread(places->x, fmt::format("{} / {}", number, down)),
                                         thread(places->y, fmt::format("{} % {}", number, down))});
  }
  edit.assumes = fmt::format("only {} shows that workgroups have {}", on.launches->capture,
                             shape_of_workgroups(on));
  out.edits.push_back(std::move(edit));
  return out;
}

}  // namespace rpl::rules
