// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/unverified_code.h"

#include <algorithm>
#include <set>

#include "engine/optimize/inputs/input_taint.h"
#include "engine/optimize/verify/choice_context.h"

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
    const bool settled =
        name_of(ops[at]).starts_with("s_cbranch") && did_run(at) && !taint.of_branch(at);
    for_each_next(ops, at, [&](std::size_t to) {
      if (!settled || did_run(to)) open.push_back(to);
    });
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

/// What a program's runs showed of its code.
class Shown {
 public:
  explicit Shown(const SeenProgram& seen)
      : seen_(seen), taint_(*seen.program), contexts_(*seen.program, *seen.path) {
    find_never_ran();
    const auto& chosen = seen.path->chosen;
    for (std::size_t i = 0; i < std::min(seen.program->ops.size(), chosen.size()); ++i) {
      if (seen.program->ops[i].instruction != nullptr && chosen[i] != 0) add_conditions(i);
    }
    std::ranges::stable_sort(unseen, {}, &Unseen::at);
  }

  [[nodiscard]] const ChoiceContexts& contexts() const { return contexts_; }

  std::vector<Unseen> unseen;
  std::set<std::string> both_ways;  ///< conditions that came out both ways

 private:
  void find_never_ran() {
    const auto& ops = seen_.program->ops;
    const auto& ran = seen_.path->ran;
    const std::vector<bool> can_run = reachable(seen_, taint_);
    bool passed = false;  // waves came by, with all lanes off
    for (std::size_t i = 0; i < std::min(ops.size(), ran.size()); ++i) {
      const auto before = i > 0 ? name_of(ops[i - 1]) : std::string_view();
      passed =
          i > 0 && before != "s_branch" && (ran[i - 1] || (passed && !before.starts_with("s_")));
      const isa::Instruction* in = ops[i].instruction;
      if (in == nullptr || !can_run[i] || ran[i] || !computes(*in)) continue;
      if (!passed || taint_.of_lanes(i)) unseen.push_back({.at = i});
    }
  }

  void add_conditions(std::size_t at) {
    const unsigned chosen = seen_.path->chosen[at];
    if (!contexts_.combines(at)) return add(at, chosen, contexts_.of(at), taint_.of_choice(at));
    for (unsigned which = 0; which < 2; ++which) {
      const unsigned sides = chosen >> (2 * which) & kBoth;
      auto context = sides == 0 ? std::nullopt : contexts_.of_mask(at, which);
      if (context) add(at, sides, std::move(*context), taint_.of_mask(at, which));
    }
  }

  void add(std::size_t at, unsigned sides, ChoiceContexts::Context context, bool depends) {
    // Which lanes came by a block is no condition that somebody wrote: the one that led there counts by itself.
    if (context.text == "exec") return;
    if (sides == kBoth)
      both_ways.insert(std::move(context.text));
    else if (seen_.path->ran[at] && depends)
      unseen.push_back({at, sides, std::move(context)});
  }

  SeenProgram seen_;
  InputTaint taint_;
  ChoiceContexts contexts_;
};

/// Which side of the comparison as the text says it was never taken: 1 or 2.
std::pair<std::string, unsigned> sided(const ChoiceContexts::Context& context, unsigned side) {
  return {context.text, context.inverted ? 3 - side : side};
}

/// The side of a branch's condition on which it goes back to an earlier instruction: bit 0 or 1, as in emu::Path; 0: it does not, or waits for lanes.
unsigned side_of_return(const emu::Program& program, std::size_t at) {
  const std::string_view name = name_of(program.ops[at]);
  const unsigned side = name == "s_cbranch_scc1" || name == "s_cbranch_vccnz" ? 2U
                        : name == "s_cbranch_scc0"                            ? 1U
                                                                              : 0U;
  bool back = false;
  for_each_next(program.ops, at, [&](std::size_t to) { back = back || to <= at; });
  return back ? side : 0;
}

/// Whether all that was not seen is one more turn of a loop of which another copy went round and ended.
bool another_turn(const SeenProgram& seen, const Unseen& one, const CodeOrigin& origin) {
  const unsigned back = side_of_return(*seen.program, one.at);
  if (back == 0 || (one.side & back) != 0 || !origin.loop) return false;
  const std::string loop = origin.loop(seen.program->ops[one.at].address);
  if (loop.empty()) return false;
  const auto& chosen = seen.path->chosen;
  for (std::size_t at = 0; at < std::min(seen.program->ops.size(), chosen.size()); ++at) {
    if (at == one.at || (chosen[at] & kBoth) != kBoth || side_of_return(*seen.program, at) == 0)
      continue;
    if (origin.loop(seen.program->ops[at].address) == loop) return true;
  }
  return false;
}

}  // namespace

CodeShown code_shown(const SeenProgram& baseline, const SeenProgram& candidate,
                     const CodeOrigin& origin) {
  const Shown base(baseline), other(candidate);
  CodeShown out;
  // What never ran in the baseline either may be there; of a condition only the one that is made by the same comparison.
  std::set<std::string> known;
  std::set<std::pair<std::string, unsigned>> known_choices;
  for (const Unseen& one : base.unseen) {
    if (one.side != kNeverRan) {
      known_choices.insert(sided(one.context, one.side));
      continue;
    }
    known.insert(signature(*baseline.program->ops[one.at].instruction));
    ++out.unseen_in_baseline;
  }
  const auto vouched = [&](const Unseen& one) {
    const emu::Op& op = candidate.program->ops[one.at];
    if (one.side == kNeverRan) return known.contains(signature(*op.instruction));
    return base.both_ways.contains(one.context.text) ||
           other.both_ways.contains(one.context.text) ||
           known_choices.contains(sided(one.context, one.side)) ||
           other.contexts().mends_division(one.at);
  };
  for (const Unseen& one : other.unseen) {
    const emu::Op& op = candidate.program->ops[one.at];
    if (vouched(one) || other.contexts().keeps_condition(one.at)) continue;
    if (origin.from_mathematics && origin.from_mathematics(op.address)) continue;
    if (one.side != kNeverRan && another_turn(candidate, one, origin)) continue;
    if (!out.unverified)
      out.unverified =
          UnverifiedCode{.address = op.address,
                         .instructions = 0,
                         .text = isa::disassemble(candidate.program->arch, *op.instruction),
                         .is_choice = one.side != kNeverRan};
    ++out.unverified->instructions;
  }
  return out;
}

}  // namespace rpl
