// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/unverified_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/optimize/verify/choice_context.h"
#include "engine/optimize/verify/input_taint.h"

namespace rpl {
namespace {

/// Instructions whose results or effects somebody could miss. Moves, comparisons, masks and jumps are left out: compilers repeat them on ways that no lane
/// takes, and what they lead to counts by itself.
bool computes(const isa::Instruction& instruction) {
  const auto name = instruction.opcode->mnemonic;
  constexpr std::string_view kControl[] = {"s_",     "v_nop",     "v_mov_",    "v_cmp",
                                           "v_read", "buffer_wb", "buffer_inv"};
  return name.starts_with("s_cselect") ||
         std::ranges::none_of(kControl,
                              [&](std::string_view begin) { return name.starts_with(begin); });
}

constexpr unsigned kNeverRan = 3;  ///< else 1 or 2: which side of a choice alone was taken

/// What can run on some input: what ran, and what follows it when conditions that depend on inputs come out otherwise. A program holds the other kernels of its segment, too.
std::vector<bool> reachable(const SeenProgram& seen, const InputTaint& taint) {
  const auto& ops = seen.program->ops;
  const auto& ran = seen.path->ran;
  const auto did_run = [&](std::size_t at) { return at < ran.size() && ran[at]; };
  std::vector<bool> out(ops.size());
  std::vector<std::size_t> open = {seen.program->entry};
  for (std::size_t i = 0; i < std::min(ops.size(), ran.size()); ++i) {
    if (ran[i]) open.push_back(i);
  }
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= ops.size() || out[at]) continue;
    out[at] = true;
    const auto name = name_of(ops[at]);
    const bool chooses = name.starts_with("s_cbranch");
    const bool settled = chooses && did_run(at) && !taint.of_branch(at);
    const auto go = [&](std::size_t to) {
      if (settled && !did_run(to)) return;
      open.push_back(to);
    };
    if (name == "s_branch" || chooses) go(ops[at].target);
    if (name != "s_branch" && !name.starts_with("s_endpgm") && name != "s_setpc_b64") go(at + 1);
  }
  return out;
}

/// What nothing made run, or a condition that came out in one way alone.
struct Unseen {
  std::size_t at = 0;
  unsigned side = kNeverRan;
  ChoiceContexts::Context context = {};  ///< of a condition
};

constexpr unsigned kBoth = 3;

/// Every condition that is noted, with how it came out.
template <class Use>
void for_conditions(const SeenProgram& seen, const ChoiceContexts& contexts, const Use& use) {
  const auto& ops = seen.program->ops;
  for (std::size_t i = 0; i < std::min(ops.size(), seen.path->chosen.size()); ++i) {
    const unsigned chosen = seen.path->chosen[i];
    if (ops[i].instruction == nullptr || chosen == 0) continue;
    if (!contexts.combines(i)) {
      use(i, chosen, contexts.of(i), [&](const InputTaint& taint) { return taint.of_choice(i); });
      continue;
    }
    for (unsigned which = 0; which < 2; ++which) {
      const unsigned sides = chosen >> (2 * which) & kBoth;
      const auto context = sides == 0 ? std::nullopt : contexts.of_mask(i, which);
      if (context)
        use(i, sides, *context, [&](const InputTaint& taint) { return taint.of_mask(i, which); });
    }
  }
}

std::vector<Unseen> unseen_of(const SeenProgram& seen) {
  const auto& ops = seen.program->ops;
  const InputTaint taint(*seen.program);
  const std::vector<bool> can_run = reachable(seen, taint);
  std::vector<Unseen> out;
  bool passed = false;  // waves came by, with all lanes off
  for (std::size_t i = 0; i < std::min(ops.size(), seen.path->ran.size()); ++i) {
    const auto before = i > 0 ? name_of(ops[i - 1]) : std::string_view();
    passed = i > 0 && before != "s_branch" &&
             (seen.path->ran[i - 1] || (passed && !before.starts_with("s_")));
    const isa::Instruction* in = ops[i].instruction;
    if (in == nullptr || !can_run[i] || seen.path->ran[i] || !computes(*in)) continue;
    if (!passed || taint.of_lanes(i)) out.push_back({.at = i});
  }
  const ChoiceContexts contexts(*seen.program, *seen.path);
  for_conditions(seen, contexts,
                 [&](std::size_t at, unsigned sides, const ChoiceContexts::Context& context,
                     const auto& depends) {
                   if (sides != kBoth && seen.path->ran[at] && depends(taint))
                     out.push_back({at, sides, context});
                 });
  std::ranges::stable_sort(out, {}, &Unseen::at);
  return out;
}

/// Which side of the comparison as the text says it was never taken: 1 or 2.
std::pair<std::string, unsigned> sided(const ChoiceContexts::Context& context, unsigned side) {
  return {context.text, context.inverted ? 3 - side : side};
}

}  // namespace

std::optional<UnverifiedCode> unverified_code(
    const SeenProgram& baseline, const SeenProgram& candidate,
    const std::function<bool(std::uint64_t address)>& from_mathematics) {
  // What never ran in the baseline either may be there; of a condition only the one that is made by the same comparison.
  std::set<std::string> known;
  std::set<std::pair<std::string, unsigned>> known_choices;
  for (const Unseen& one : unseen_of(baseline)) {
    if (one.side == kNeverRan)
      known.insert(signature(*baseline.program->ops[one.at].instruction));
    else
      known_choices.insert(sided(one.context, one.side));
  }
  std::set<std::string> both_ways;
  const ChoiceContexts contexts(*candidate.program, *candidate.path);
  const auto add = [&](std::size_t, unsigned sides, const ChoiceContexts::Context& context,
                       const auto&) {
    if (sides == kBoth) both_ways.insert(context.text);
  };
  for_conditions(baseline, ChoiceContexts(*baseline.program, *baseline.path), add);
  for_conditions(candidate, contexts, add);
  std::optional<UnverifiedCode> out;
  for (const Unseen& one : unseen_of(candidate)) {
    const emu::Op& op = candidate.program->ops[one.at];
    // A branch of a whole wave vouches for conditions like its own; where it leads in one way alone is known by what ran.
    if (one.side != kNeverRan && name_of(op).starts_with("s_cbranch")) continue;
    if (one.side == kNeverRan && known.contains(signature(*op.instruction))) continue;
    if (one.side != kNeverRan &&
        (both_ways.contains(one.context.text) ||
         known_choices.contains(sided(one.context, one.side)) || contexts.mends_division(one.at)))
      continue;
    if (contexts.keeps_condition(one.at)) continue;
    if (from_mathematics && from_mathematics(op.address)) continue;
    if (!out)
      out = UnverifiedCode{.address = op.address,
                           .instructions = 0,
                           .text = isa::disassemble(candidate.program->arch, *op.instruction),
                           .is_choice = one.side != kNeverRan};
    ++out->instructions;
  }
  return out;
}

std::uint32_t unseen_instructions(const SeenProgram& seen) {
  return static_cast<std::uint32_t>(std::ranges::count(unseen_of(seen), kNeverRan, &Unseen::side));
}

}  // namespace rpl
