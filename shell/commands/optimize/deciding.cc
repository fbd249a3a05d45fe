// SPDX-License-Identifier: MIT
// verify, bench: a proposal up to that stage. approve, reject, revert: what a person decides.
#include <fmt/format.h>

#include "engine/optimize/loop/approve.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/approval.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/setting_for_now.h"

namespace rpl {
namespace {

struct OneProposal {
  std::string proposal;
};

struct TestedProposal {
  std::string proposal, check_command;
  std::int64_t seed = 0;
};

/// Runs the stages that are still missing, up to and with `last`.
Result<Document> run_to(const TestedProposal& args, const Optimizer& optimizer, Stage last) {
  const CheckForNow check(optimizer.settings, args.check_command);
  const SeedForNow seed(optimizer.settings, args.seed);
  TRY(check.status());
  TRY(seed.status());
  OpenLoop open = TRY(open_loop(optimizer));
  return step_document(
      TRY(open.loop.steps(TRY(open.store->proposal_or_next(args.proposal)), last)));
}

Result<Document> run_verify(const TestedProposal& args, Optimizer optimizer) {
  return run_to(args, optimizer, Stage::verify);
}

Result<Document> run_bench(const TestedProposal& args, Optimizer optimizer) {
  return run_to(args, optimizer, Stage::decide);
}

/// A proposal and the file that it is for.
struct DecidedProposal {
  const Proposal* proposal = nullptr;
  const Optimization* optimization = nullptr;
};

constexpr auto kDecisionFields = bound_to<DecidedProposal>(
    column<&DecidedProposal::proposal, &Proposal::id>("proposal", "which").as(Type::id),
    column<&DecidedProposal::proposal, &Proposal::state>("state", "its state now"),
    column<&DecidedProposal::optimization, &shown_source>("source", "the user's file"),
    column<&DecidedProposal::proposal, &found_text<"decide", "verdict">>(
        "verdict", "of its measurement; empty for none"),
    column<&DecidedProposal::proposal, &found_number<"decide", "ratio">>(
        "ratio", "baseline time / candidate time: above 1 is faster"),
    column<&DecidedProposal::proposal, &found_text<"measure", "model">>(
        "model", "the cycle model that the times come from"));

Document decided(const Proposal& proposal, const Optimization& optimization, std::string text) {
  Document out;
  out.put(kDecisionFields, DecidedProposal{&proposal, &optimization});
  out.text = std::move(text);
  return out;
}

struct ApproveArgs {
  std::string proposal;
  bool accept_modelled = false, launch_elsewhere = false;
};

Result<Document> run_approve(const ApproveArgs& args, SessionLog& log, Face& face, Events& events) {
  TRY(person_allows(face, "approve " + args.proposal));
  const auto store = TRY(loop_store(log));
  const Proposal proposal = TRY(approve_as_person(
      face, events, *store, args.proposal,
      {.modelled = args.accept_modelled, .launch_elsewhere = args.launch_elsewhere}));
  const Optimization optimization = TRY(store->optimization(proposal.optimization));
  Document out = decided(proposal, optimization,
                         fmt::format("{} is in {}; 'revert {}' takes it back\n", proposal.id(),
                                     shown_path(optimization.source), proposal.id()));
  out.provenance = times_of(proposal);
  if (auto changed = model_changed(proposal))
    out.notes.push_back(std::move(*changed) + "; 'step --again' times it anew");
  if (!text_in(proposal.evidence, "guard", "launch_unwritten").empty())
    out.notes.push_back(fmt::format(
        "{} has to be launched {}: that is not in {}",
        proposal.fusion.empty() ? optimization.kernel : proposal.fusion.kernel,
        proposal.fusion.empty() ? "with " + text_in(proposal.evidence, "guard", "launch")
                                : "in place of two kernels",
        shown_path(optimization.source)));
  out.next = {"step --again", "revert " + proposal.id()};
  return out;
}

Result<Document> run_revert(const OneProposal& args, SessionLog& log, Face& face) {
  TRY(person_allows(face, "revert " + args.proposal));
  const auto store = TRY(loop_store(log));
  Proposal proposal = TRY(store->proposal(args.proposal));
  TRY(revert(proposal, *store));
  const Optimization optimization = TRY(store->optimization(proposal.optimization));
  Document out = decided(
      proposal, optimization,
      fmt::format("{} is as it was before {}\n", shown_path(optimization.source), proposal.id()));
  out.next = {"info proposal " + proposal.id(), "step --again"};
  return out;
}

Result<Document> run_undo(SessionLog& log, Face& face) {
  const auto store = TRY(loop_store(log));
  const Undone undone =
      TRY(undo_decision(*store, [&face] { return person_allows(face, "session undo"); }));
  const Proposal& proposal = undone.proposal;
  const Optimization optimization = TRY(store->optimization(proposal.optimization));
  Document out = decided(proposal, optimization,
                         fmt::format("{} was {}, now it is {} again\n", proposal.id(),
                                     to_string(undone.decision), to_string(proposal.state)));
  out.next = {"info proposal " + proposal.id()};
  return out;
}

struct RejectArgs {
  std::string proposal, why;
};

Result<Document> run_reject(const RejectArgs& args, SessionLog& log) {
  const auto store = TRY(loop_store(log));
  Proposal proposal = TRY(store->proposal(args.proposal));
  TRY(reject(proposal, args.why, *store));
  const Optimization optimization = TRY(store->optimization(proposal.optimization));
  Document out =
      decided(proposal, optimization, fmt::format("{} is rejected: {}\n", proposal.id(), args.why));
  out.next = {"info proposals", "session undo"};
  return out;
}

Command deciding(std::string path, std::string summary, std::string help, std::string example) {
  return Command{.path = std::move(path),
                 .does = kKeeps,
                 .chapter = Class::proposals,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .fields = described(kDecisionFields),
                 .scalar = "state",
                 .examples = {std::move(example)},
                 .changes_program = true};
}

/// One whose decision is written into the source.
Command writing(Command decision) {
  decision.changes_sources = true;
  decision.does.add({Capability::approve});
  return decision;
}

Command testing(std::string path, std::string summary, std::string help, std::string example) {
  Command out = deciding(std::move(path), std::move(summary), std::move(help), std::move(example));
  out.fields = described(kStepFields);
  out.columns = described(kStepColumns);
  return out;
}

std::vector<Bound> tested_params() {
  return {arg("proposal", &TestedProposal::proposal, "p1; default: the one under way")
              .completes(Complete::proposal),
          check_param<TestedProposal>(), seed_param<TestedProposal>()};
}

}  // namespace

void add_decision_commands(Registry& registry) {
  add(registry,
      command(testing("verify", "Prove that a proposal computes what the baseline computes.",
                      "Runs the stages up to `verify`: baseline and candidate on the captured "
                      "input and on two drawn again, memory for "
                      "results poisoned with two patterns, every byte of every buffer compared, "
                      "unmapped memory around each. Exits "
                      "with 5 when it is wrong.",
                      "verify PROPOSED"),
              tested_params(), run_verify));
  add(registry,
      command(
          testing("bench", "Measure a proposal against the baseline and apply the decision rule.",
                  "Runs the stages up to the decision. On the emulated device times are modelled "
                  "and deterministic: the "
                  "verdict is `improved (modelled)` at best.",
                  "bench PROPOSED"),
          tested_params(), run_bench));
  add(registry,
      command(
          writing(deciding(
              "approve", "Write an accepted proposal to the source file.",
              "Shows the change and asks. Where nobody sits at a terminal, rpl must have been "
              "started with `--allow approve`, and a proposal that was timed by a model needs "
              "`--accept-modelled`. What is written is the text that was verified, by its "
              "hash. One that is launched otherwise changes the launch in the file; where the "
              "file has "
              "none it needs `--launch-elsewhere`. The file is replaced in one step and a copy "
              "of it is kept for `revert`. "
              "Hooks of `before_approve` may veto.",
              "approve ACCEPTED --accept-modelled")),
          {arg("proposal", &ApproveArgs::proposal, "p1").completes(Complete::proposal).required(),
           flag("accept-modelled", &ApproveArgs::accept_modelled, "although no GPU took part"),
           flag("launch-elsewhere", &ApproveArgs::launch_elsewhere,
                "although the changed launch is not in this file")},
          run_approve));
  add(registry,
      command(
          writing(deciding("revert", "Take an approved proposal back out of the source file.",
                           "Refused when the file changed since: no work is lost.",
                           "revert APPROVED")),
          {arg("proposal", &OneProposal::proposal, "p1").completes(Complete::proposal).required()},
          run_revert));
  add(registry,
      command(
          deciding("reject", "Reject a proposal for a reason of your own.",
                   "The reason is kept with it.", "reject PROPOSED --why 'too hard to read'"),
          {arg("proposal", &RejectArgs::proposal, "p1").completes(Complete::proposal).required(),
           option("why", &RejectArgs::why, "the reason").required()},
          run_reject));
  Command undo =
      deciding("session undo", "Take back the last approval, reversal or rejection.",
               "An approved file becomes what it was, and the proposal accepted again; a reverted "
               "change is written again; a rejected proposal is as it was before. Repeated, it "
               "takes back the decision before. "
               "Nothing is removed from the session, and a file that changed since is left alone.",
               "session undo");
  undo.changes_sources = true;
  undo.does.add({Capability::approve});
  undo.aliases = {"undo"};
  undo.chapter = Class::files;
  add(registry, command(std::move(undo), run_undo));
}

}  // namespace rpl
