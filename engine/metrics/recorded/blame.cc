// SPDX-License-Identifier: MIT
// Stalls of waits, charged to what they waited for.
#include <algorithm>

#include "engine/att/read/wait_model.h"
#include "engine/metrics/recorded/loops.h"
#include "engine/metrics/recorded/machine_code.h"

namespace rpl::findings {
namespace {

using att::CounterStep;

class Slicer {
 public:
  Slicer(std::span<const ListedInstruction> code, int gfxip) : code_(code), loops_(code) {
    for (const ListedInstruction& one : code) steps_.push_back(att::counter_steps(one.text, gfxip));
  }

  /// What the wait of one counter waited for; Loops::kNone where nothing is on its way.
  [[nodiscard]] std::size_t waited_for(std::size_t wait, const CounterStep& step) const {
    std::size_t left = step.limit;
    const std::size_t end = loops_.end_around(wait);
    const std::size_t begin = end == Loops::kNone ? 0 : loops_.begin_of(end);
    if (const std::size_t found = before(wait, begin, step, left); found != Loops::kNone)
      return found;
    if (end == Loops::kNone) return Loops::kNone;
    // What the turn before left on its way, and then what came before the loop.
    if (const std::size_t found = before(end + 1, wait + 1, step, left); found != Loops::kNone)
      return found;
    return before(begin, 0, step, left);
  }
  [[nodiscard]] const att::CounterSteps& steps(std::size_t i) const { return steps_[i]; }

 private:
  /// Goes back from `from` (not included) to `to`, over `left` accesses of the counter that may still be on their way.
  [[nodiscard]] std::size_t before(std::size_t from, std::size_t to, const CounterStep& step,
                                   std::size_t& left) const {
    for (std::size_t i = from; i-- > to;) {
      const att::CounterSteps& its = steps_[i];
      for (std::uint8_t k = 0; k < its.count; ++k) {
        const bool counts = its.steps[k].kind == CounterStep::Kind::push ||
                            its.steps[k].kind == CounterStep::Kind::push_flat;
        if (!counts || its.steps[k].counter != step.counter) continue;
        if (left == 0) return i;
        --left;
      }
    }
    return Loops::kNone;
  }

  std::span<const ListedInstruction> code_;
  Loops loops_;
  std::vector<att::CounterSteps> steps_;
};

}  // namespace

void charge_waits(std::vector<ListedInstruction>& code, int gfxip) {
  for (ListedInstruction& one : code) one.caused = one.stall;
  const Slicer slicer(code, gfxip);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].stall <= 0) continue;
    std::vector<std::size_t> causes;
    const att::CounterSteps& its = slicer.steps(i);
    for (std::uint8_t k = 0; k < its.count; ++k) {
      if (its.steps[k].kind != CounterStep::Kind::wait) continue;
      const std::size_t found = slicer.waited_for(i, its.steps[k]);
      if (found != Loops::kNone) causes.push_back(found);
    }
    if (causes.empty()) continue;
    // Which of several counters came down last a listing does not say.
    code[i].caused -= code[i].stall;
    for (const std::size_t cause : causes)
      code[cause].caused += code[i].stall / static_cast<double>(causes.size());
  }
}

}  // namespace rpl::findings
