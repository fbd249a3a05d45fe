// SPDX-License-Identifier: MIT
// propose: changes to the kernel that is being made faster.
#include <fmt/format.h>

#include "shell/command/define.h"
#include "shell/commands/families.h"
#include "shell/commands/loop_context.h"
#include "shell/commands/loop_document.h"

namespace rpl {
namespace {

struct RuleArgs {
  std::string rule;
  bool assume_captured = false;
};

std::vector<std::string> next_of(const std::vector<Proposal>& made) {
  if (made.empty()) return {"propose edit FILE", "list"};
  return {"info proposal " + made.front().id(), "step", "continue"};
}

Result<Document> propose_rule(Context& context, const RuleArgs& args) {
  const auto loop = TRY(LoopContext::open(context));
  const Optimization current = TRY(loop->store().current());
  RuleChoice choice = rule_choice(context);
  choice.rule = args.rule;
  choice.assume_captured = choice.assume_captured || args.assume_captured;
  const RuleProposals proposals = TRY(propose_by_rules(current, loop->store(), choice));
  Document out;
  out.set("optimization", Value(fmt::format("o{}", current.number)));
  out.set("made", Value(std::uint64_t{proposals.made.size()}));
  out.set("refused", Value(std::uint64_t{proposals.refusals.size()}));
  for (const Proposal& made : proposals.made) out.rows.push_back(proposal_row(made));
  for (const RuleRefusal& refusal : proposals.refusals) {
    out.notes.push_back(fmt::format("{}: line {}: {}", refusal.rule, refusal.line, refusal.reason));
  }
  out.next = next_of(proposals.made);
  return out;
}

struct EditArgs {
  std::string file, title;
  bool bit_exact = false;
};

Result<Document> propose_edited(Context& context, const EditArgs& args) {
  const auto loop = TRY(LoopContext::open(context));
  const Optimization current = TRY(loop->store().current());
  Proposal made = TRY(propose_edit(current, args.file, args.title, loop->store()));
  if (args.bit_exact) {
    made.bit_exact = true;
    TRY(loop->store().save(made));
  }
  Document out;
  out.set("optimization", Value(fmt::format("o{}", current.number)));
  out.set("made", Value(1));
  out.set("refused", Value(0));
  out.rows.push_back(proposal_row(made));
  out.next = {"info proposal " + made.id(), "finish " + made.id()};
  return out;
}

const std::vector<Column> kProposeFields{
    {"optimization", Type::id, Unit::none, "what they are to make faster"},
    {"made", Type::integer, Unit::count, "proposals made"},
    {"refused", Type::integer, Unit::count, "places where the rule offers nothing; the notes say why"},
};

}  // namespace

void add_propose_commands(Registry& registry) {
  add(registry, command(Command{.path = "propose rule",
                                .chapter = Class::proposals,
                                .summary = "Let the rules propose changes to the kernel.",
                                .help = "Without a name: the rules of `set optimize scope`, those first that address what the baseline's run "
                                        "shows to be in the way. With a name: that rule, whatever the scope; rules.md describes each. What holds for "
                                        "captured launches alone is offered with `--assume-captured` only. A proposal that exists already is not made twice.",
                                .fields = kProposeFields,
                                .columns = proposal_columns(),
                                .scalar = "made",
                                .examples = {"propose rule", "propose rule lds-padding", "propose rule restrict --assume-captured"},
                                .changes_program = true},
                        {arg("rule", &RuleArgs::rule, "which rule; default: those of the scope"),
                         flag("assume-captured", &RuleArgs::assume_captured,
                              "take what holds for captured launches to hold for all")},
                        propose_rule));
  add(registry, command(Command{.path = "propose edit",
                                .chapter = Class::proposals,
                                .summary = "Propose an edited copy of the source.",
                                .help = "The guard lets only the kernel's body differ from the source. `--bit-exact` asks for results "
                                        "that are equal to the last bit instead of within the tolerance of their type.",
                                .fields = kProposeFields,
                                .columns = proposal_columns(),
                                .scalar = "made",
                                .aliases = {"propose import"},
                                .examples = {"propose edit EDITED"},
                                .changes_program = true},
                        {arg("file", &EditArgs::file, "the edited copy").required().completes(Complete::file),
                         option("title", &EditArgs::title, "what it changes, in a few words"),
                         flag("bit-exact", &EditArgs::bit_exact, "results must be equal bit by bit")},
                        propose_edited));
}

}  // namespace rpl
