// SPDX-License-Identifier: MIT
// step, next, finish, continue, iterate: through the optimization loop one stage at a time, or on to a place.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/interrupt.h"
#include "engine/optimize/loop/search.h"
#include "shell/commands/debug/debugging.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/setting_for_now.h"

namespace rpl {
namespace {

struct StepArgs {
  std::int64_t count = 1;
  std::string source, kernel, capture, from;
  std::vector<std::string> flags;
  std::string check_command;
  bool again = false;
};

LoopNeed need_of(const StepArgs& args) {
  return args.source.empty() && args.capture.empty() ? LoopNeed::existing : LoopNeed::begins;
}

/// A round that builds on an accepted proposal, unless that is under way already.
Result<std::optional<OptimizationGoal>> goal_on(const ProposalStore& store, const StepArgs& args) {
  const Proposal parent = TRY(store.proposal(args.from));
  const Optimization before = TRY(store.optimization(parent.optimization));
  const auto current = store.current();
  if (!args.again && current && current->parent == parent.number) return std::nullopt;
  return OptimizationGoal{.source = before.source,
                          .kernel = args.kernel.empty() ? before.kernel : args.kernel,
                          .capture = args.capture.empty() ? before.capture : args.capture,
                          .flags = args.flags.empty() ? before.flags : args.flags,
                          .parent = parent.number};
}

/// Whether these arguments, or the lack of anything under way, ask for a new optimization.
Result<std::optional<OptimizationGoal>> new_goal(const ProposalStore& store, const StepArgs& args) {
  if (!args.from.empty()) return TRY(goal_on(store, args));
  const auto current = store.current();
  OptimizationGoal goal{args.source, args.kernel, args.capture, args.flags};
  if (current && args.again) {
    if (goal.source.empty()) goal.source = current->source;
    if (goal.kernel.empty()) goal.kernel = current->kernel;
    if (goal.capture.empty()) goal.capture = current->capture;
    if (goal.flags.empty()) goal.flags = current->flags;
  }
  const bool named = !args.source.empty() || !args.capture.empty();
  if (current && !named && !args.again) return std::nullopt;
  if (goal.source.empty() || goal.capture.empty()) {
    return fail(Errc::usage, "an optimization begins with a source and a capture of its kernel",
                "'step --source FILE.hip --capture DIR'; 'kernel run OBJECT KERNEL … --capture "
                "DIR' makes a capture");
  }
  // The same words again, by an empty line or a script that was cut off, go on with what they began.
  if (current && !args.again && is_under_way(goal, *current)) return std::nullopt;
  return goal;
}

/// Whether nothing was said that only the optimization understands.
bool plain(const StepArgs& args) {
  return args.source.empty() && args.kernel.empty() && args.capture.empty() && args.flags.empty() &&
         args.from.empty() && args.check_command.empty() && !args.again;
}

Result<Document> step_loop(const StepArgs& args, const Optimizer& optimizer) {
  const CheckForNow check(optimizer.settings, args.check_command);
  TRY(check.status());
  OpenLoop open = TRY(open_loop(optimizer, need_of(args)));
  const auto goal = TRY(new_goal(*open.store, args));
  const StepReport report = goal ? TRY(open.loop.begin(*goal)) : TRY(open.loop.step());
  return step_document({report});
}

/// `step` with nothing stopped and no optimization begun is meant for a kernel.
Status not_a_kernel(const Optimizer& optimizer, const StepArgs& args, const Debugger& debugger) {
  if (!plain(args)) return {};
  if (args.count != 1) return Failure(needs_stopped(debugger.state).error());
  auto open = open_loop(optimizer, LoopNeed::existing);
  if (open && open->store->current()) return {};
  Error error = needs_stopped(debugger.state).error();
  error.hint += "; or 'step --source FILE.hip --capture DIR' begins an optimization";
  return Failure(std::move(error));
}

Result<Document> run_step(const StepArgs& args, Optimizer optimizer, Debugger debugger) {
  auto kernel = plain(args) ? stepped(debugger, KernelStep::line, args.count) : std::nullopt;
  if (kernel) return std::move(*kernel);
  TRY(not_a_kernel(optimizer, args, debugger));
  return step_loop(args, optimizer);
}

Result<Document> run_next(const StepArgs& args, Optimizer optimizer, Debugger debugger) {
  auto kernel = plain(args) ? stepped(debugger, KernelStep::next_line, args.count) : std::nullopt;
  if (kernel) return std::move(*kernel);
  TRY(not_a_kernel(optimizer, args, debugger));
  return step_loop(args, optimizer);
}

/// Steps until `enough` says so or nothing is left. What was done before a failure is kept in the session.
Result<std::vector<StepReport>> steps_until(OptimizationLoop& loop, std::vector<StepReport> done,
                                            const std::function<bool(const StepReport&)>& enough) {
  while (done.empty() || (done.back().next && !enough(done.back()))) {
    TRY(interrupt::check());
    done.push_back(TRY(loop.step()));
  }
  return done;
}

struct ProposalArgs {
  std::string proposal, check_command;
  std::int64_t seed = 0;
};

Result<Document> run_finish(const ProposalArgs& args, Optimizer optimizer, Debugger debugger) {
  auto kernel = args.proposal.empty() && args.check_command.empty() && args.seed == 0
                    ? stepped(debugger, KernelStep::finish)
                    : std::nullopt;
  if (kernel) return std::move(*kernel);
  const CheckForNow check(optimizer.settings, args.check_command);
  const SeedForNow seed(optimizer.settings, args.seed);
  TRY(check.status());
  TRY(seed.status());
  OpenLoop open = TRY(open_loop(optimizer));
  std::vector<StepReport> before;
  if (args.proposal.empty() && !open.store->next_open()) {
    // What is left of a round may be one measurement.
    if (next_stage(*open.store) == Stage::again) return step_document({TRY(open.loop.step())});
    before =
        TRY(steps_until(open.loop, {}, [](const StepReport& step) { return !step.made.empty(); }));
  }
  for (StepReport& step : TRY(open.loop.steps(TRY(open.store->proposal_or_next(args.proposal)))))
    before.push_back(std::move(step));
  return step_document(before);
}

struct IterateArgs : StepArgs {
  std::string to;
  bool all = false;
  std::int64_t limit = 0, rounds = 1, beam = 1;
};

/// Rounds that build on one another, and which change came out as the fastest.
Result<Document> search_document(OptimizationLoop& loop, const IterateArgs& args,
                                 std::vector<StepReport> done) {
  const SearchReport report =
      TRY(search(loop, {.rounds = args.rounds, .beam = args.beam}, std::move(done)));
  Document out = step_document(report.steps);
  out.exit_code = report.leaders.empty() ? 4 : 0;
  if (report.leaders.empty()) return out;
  const Leader& first = report.leaders.front();
  out.text += fmt::format("fastest  {:<4} {:.3f} times as fast as the source: {}\n",
                          first.proposal.id(), first.ratio, first.proposal.title);
  out.next = {"info proposal " + first.proposal.id(), approve_line(first.proposal)};
  return out;
}

int exit_code_of_all(const ProposalStore& store) {
  int worst = 0;
  for (const Proposal& proposal : store.of_current()) {
    if (proposal.state == ProposalState::accepted || proposal.state == ProposalState::approved)
      return 0;
    if (worst == 0) worst = exit_code_of(proposal);
  }
  return worst == 0 ? 0 : 4;
}

Result<Document> run_iterate(const IterateArgs& args, Optimizer optimizer) {
  const CheckForNow check(optimizer.settings, args.check_command);
  TRY(check.status());
  OpenLoop open = TRY(open_loop(optimizer, need_of(args)));
  std::optional<Stage> to;
  if (!from_text(args.to, to.emplace())) to.reset();
  std::vector<StepReport> done;
  const auto goal = TRY(new_goal(*open.store, args));
  if (goal) done.push_back(TRY(open.loop.begin(*goal)));
  std::int64_t decided = 0;
  if (!goal && to) {
    if (const auto before = open.loop.done(*to)) return step_document({*before});
  }
  const auto enough = [&](const StepReport& step) {
    if (to) return step.stage == to;
    if (step.proposal && !step.proposal->open()) ++decided;
    if (args.limit > 0) return decided >= args.limit;
    // One iteration: everything that leads to the decision of one proposal.
    return !args.all && decided >= 1;
  };
  if (!done.empty() && to == Stage::profile) return step_document(done);
  if (args.rounds > 1 || args.beam > 1) {
    if (to || args.limit > 0)
      return fail(Errc::usage, "--rounds goes on until all is decided",
                  "leave --to and --limit out");
    return search_document(open.loop, args, std::move(done));
  }
  done = TRY(steps_until(open.loop, std::move(done), enough));
  Document out = step_document(done);
  if (args.all) out.exit_code = exit_code_of_all(*open.store);
  return out;
}

struct ContinueArgs {
  std::int64_t count = 1;
  std::int64_t limit = 0;
};

Result<Document> run_continue(const ContinueArgs& args, Optimizer optimizer, Debugger debugger) {
  auto kernel = args.limit == 0 ? stepped(debugger, KernelStep::go_on, args.count) : std::nullopt;
  if (kernel) return std::move(*kernel);
  IterateArgs all;
  all.count = args.count;
  if (args.limit == 0) TRY(not_a_kernel(optimizer, all, debugger));
  all.all = true;
  all.limit = args.limit;
  return run_iterate(all, optimizer);
}

Command stepping(Label path, Label summary, Label help, std::vector<Label> examples) {
  std::vector<Column> fields = described(kStepFields);
  add_stop_fields(fields);
  return Command{.path = path,
                 .does = kKeeps,
                 .chapter = Class::stepping,
                 .summary = summary,
                 .help = help,
                 .fields = std::move(fields),
                 .columns = described(kStepColumns),
                 .scalar = "state",
                 .examples = std::move(examples),
                 .repeatable = true,
                 .changes_program = true};
}

std::vector<Bound> goal_params() {
  using Args = StepArgs;
  return {option("source", &Args::source, "HIP source of the kernel").completes(Complete::file),
          option("kernel", &Args::kernel, "which kernel of the source; default: the captured one"),
          option("capture", &Args::capture, "folder of a captured dispatch: what it must compute")
              .completes(Complete::capture),
          option("flag", &Args::flags,
                 "passed on to the compiler, as --flag=-ffast-math; may be repeated"),
          option("from", &Args::from, "begin with the text of this accepted proposal")
              .named("PROPOSAL"),
          check_param<Args>(),
          flag("again", &Args::again, "start over with the source as it is now")};
}

/// With how many lines a stopped kernel goes.
std::vector<Bound> counted(std::vector<Bound> params) {
  params.insert(
      params.begin(),
      arg("count", &StepArgs::count, "of a stopped kernel: how many lines").in(at_least(1)));
  return params;
}

/// Those that lead to a decision.
std::vector<Label> stage_choices() {
  std::vector<Label> out;
  for (const StageRow& row : stage_rows()) {
    if (row.stage <= Stage::decide) out.emplace_back(to_string(row.stage));
  }
  return out;
}

constexpr const char* kLoop = "Otherwise the next stage of the optimization is carried out. ";
constexpr const char* kStages =
    "The stages are profile, select and propose for the kernel, then guard, build, screen, verify, "
    "measure and decide for "
    "each proposal. Where the loop stands is kept in the session: another program continues there.";

}  // namespace

void add_stepping_commands(Registry& registry) {
  const std::string begins =
      std::string(kLoop) + "Begins with `--source` and `--capture`; later no argument is needed. " +
      kStages;
  Command step = stepping("step", "Step a stopped kernel to another line, or the optimization.",
                          "With a kernel stopped on the emulated device: the selected wave runs to "
                          "another source line, also of a function that was inlined. " +
                              begins,
                          {"step --source SOURCE --capture CAPTURE"});
  step.aliases = {"s"};
  add(registry, command(std::move(step), counted(goal_params()), run_step));
  Command next = stepping("next", "Step a stopped kernel over calls, or the optimization.",
                          "With a kernel stopped on the emulated device: the selected wave runs to "
                          "another source line of the same function or of one that it was "
                          "inlined in. " +
                              begins,
                          {"next --source SOURCE --capture CAPTURE"});
  next.aliases = {"n"};
  add(registry, command(std::move(next), counted(goal_params()), run_next));
  add(registry,
      command(
          stepping(
              "finish", "Finish an inlined function, or decide a proposal.",
              "With a kernel stopped on the emulated device: the selected wave runs out of the "
              "inlined function that it is in, or to its end. "
              "Otherwise a proposal is taken through all its stages to its decision. Without a "
              "name: the proposal under way, after the stages that make one if need be. Exits with "
              "0 when "
              "it is accepted, 5 when it computes something else, 4 when it is rejected otherwise.",
              {"finish PROPOSED"}),
          {arg("proposal", &ProposalArgs::proposal, "p1; default: the one under way")
               .completes(Complete::proposal),
           check_param<ProposalArgs>(), seed_param<ProposalArgs>()},
          run_finish));
  add(registry,
      command(stepping("continue", "Let a stopped kernel go on, or decide all open proposals.",
                       "With a kernel stopped on the emulated device: it runs to the next "
                       "breakpoint, watchpoint or fault, or to its end; Ctrl-C stops it. "
                       "Otherwise all proposals that are still open are decided. Exits with 0 when "
                       "one is accepted, 4 when none is.",
                       {"continue --limit 1"}),
              {arg("count", &ContinueArgs::count,
                   "of a stopped kernel: pass the breakpoint where it stands so often")
                   .in(at_least(1)),
               option("limit", &ContinueArgs::limit, "stop after so many decisions; 0: no limit")
                   .in(at_least(0))},
              run_continue));
  auto params = inherited<IterateArgs, StepArgs>(goal_params());
  params.push_back(option("to", &IterateArgs::to, "stop after this stage").one_of(stage_choices()));
  params.push_back(flag("all", &IterateArgs::all, "until every proposal is decided"));
  params.push_back(option("limit", &IterateArgs::limit,
                          "stop after so many decisions; 0: after one, or none with --all")
                       .in(at_least(0)));
  params.push_back(option("rounds", &IterateArgs::rounds,
                          "with --all: so often, each time from what was the fastest before")
                       .in(within(1, 100)));
  params.push_back(
      option("beam", &IterateArgs::beam, "with --rounds: from so many of the fastest ones")
          .in(within(1, 16)));
  Command iterate = stepping(
      "iterate", "Run the optimization loop to a stage, a decision, or its end.",
      std::string(
          "What `step` does, repeated: to the decision of one proposal, or `--to` a stage, or "
          "`--all` proposals. `--rounds` builds on what was accepted: the rules propose again for "
          "the text of the fastest change, or of the `--beam` fastest ones, until a round brings "
          "nothing more. ") +
          kStages,
      {"iterate --source SOURCE --capture CAPTURE --to propose"});
  iterate.fields = described(kStepFields);
  add(registry, command(std::move(iterate), std::move(params), run_iterate));
}

}  // namespace rpl
