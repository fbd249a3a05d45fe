// SPDX-License-Identifier: MIT
// llm-optimize: asks a language model for changes, proves each, and builds on what was accepted.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/interrupt.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/commands/optimize/model_session.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/approval.h"
#include "shell/core/session/face.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/setting_for_now.h"

namespace rpl {
namespace {

struct LlmOptimizeArgs {
  std::string source, binary, capture, kernel, model, check_command;
  std::optional<double> temperature, min_improvement;
  std::vector<std::string> flags;
  std::int64_t iterations = 3, best_of = 1;
  bool auto_approve = false, accept_modelled = false, again = false;
};

/// Freezes the longest dispatch of the kernel with most time on the critical path that the source holds, in a folder of the session.
Result<std::string> captured_dispatch(const LlmOptimizeArgs& args, const Optimizer& optimizer,
                                      const OpenLoop& open) {
  if (args.binary.empty()) {
    return fail(Errc::usage, "nothing says what the kernel must compute",
                "llm-optimize SOURCE APP freezes a dispatch of the application; --capture DIR "
                "names one that is frozen");
  }
  const ApplicationTools tools = TRY(application_tools(optimizer, open, ""));
  std::error_code error;
  const std::vector<std::string> argv{
      std::filesystem::absolute(args.binary, error).lexically_normal().string()};
  const ApplicationRun ran = TRY(tools.run(argv));
  const ApplicationKernel* kernel = args.kernel.empty()
                                        ? (ran.kernels.empty() ? nullptr : &ran.kernels.front())
                                        : ran.kernel(args.kernel);
  if (!kernel)
    return fail(Errc::not_found,
                fmt::format("{} does not run {}", args.binary,
                            args.kernel.empty() ? "any kernel" : args.kernel),
                "'profile -- APP' shows what it does on the GPU");
  const std::string parent = TRY(optimizer.log.needed())->folder() + "/model-captures";
  std::filesystem::create_directories(parent, error);
  std::string folder;
  for (int number = 1; folder.empty() || std::filesystem::exists(folder, error); ++number)
    folder = fmt::format("{}/{}", parent, number);
  TRY(tools.capture(argv, kernel->name, kernel->longest, folder));
  return folder;
}

class LlmCourse {
 public:
  LlmCourse(const LlmOptimizeArgs& args, const Optimizer& optimizer, OpenLoop& open,
            ModelSession& model)
      : args_(args), optimizer_(optimizer), open_(open), loop_(open.loop), model_(model) {}

  Status run() {
    TRY(begin());
    for (std::int64_t iteration = 1; iteration <= args_.iterations; ++iteration) {
      TRY(interrupt::check());
      std::vector<Proposal> asked;
      auto answered = ask(asked);
      // What came before a question failed is tested all the same.
      TRY(decide(std::move(asked), answered && iteration < args_.iterations));
      if (!answered) return give_up(std::move(answered).error());
    }
    stopped_ = fmt::format("{} iteration{}: --max-iters raises it", args_.iterations,
                           args_.iterations == 1 ? "" : "s");
    return {};
  }

  [[nodiscard]] const std::optional<Proposal>& best() const { return best_; }
  [[nodiscard]] const std::string& stopped() const { return stopped_; }
  [[nodiscard]] const std::vector<Reply>& replies() const { return replies_; }
  [[nodiscard]] const std::string& lines() const { return lines_; }

  /// From the file to the best.
  [[nodiscard]] double ratio() const { return best_ ? ratio_of_chain(loop_.store(), *best_) : 1; }

 private:
  Status begin() {
    goal_ = {args_.source, args_.kernel, args_.capture, args_.flags};
    const auto current = loop_.store().current();
    const bool same_source =
        current && !args_.again && (goal_.capture.empty() || is_under_way(goal_, *current));
    if (same_source && goal_.capture.empty()) goal_.capture = current->capture;
    if (same_source && is_under_way(goal_, *current)) return go_on(*current);
    if (goal_.capture.empty() || (args_.again && args_.capture.empty()))
      goal_.capture = TRY(captured_dispatch(args_, optimizer_, open_));
    return add({TRY(loop_.begin(goal_))});
  }

  /// A killed program may have left a proposal on its way.
  Status go_on(const Optimization& current) {
    TRY(find_best(current));
    std::vector<Proposal> left;
    for (const Proposal& proposal : loop_.store().of_current()) {
      if (proposal.origin == "model" && proposal.open()) left.push_back(proposal);
    }
    return decide(std::move(left), true);
  }

  /// The best of what is under way, else what it builds on.
  Status find_best(const Optimization& current) {
    best_ = best_accepted(loop_.store());
    if (!best_ && current.parent != 0)
      best_ = TRY(loop_.store().proposal(std::to_string(current.parent)));
    return {};
  }

  /// The questions of one iteration, each about the same base. Fails as the question does that failed.
  Status ask(std::vector<Proposal>& asked) {
    for (std::int64_t i = 0; i < args_.best_of; ++i) {
      TRY(interrupt::check());
      const ModelRound round = TRY(model_.ask(loop_, asked));
      const std::size_t before = replies_.size();
      add_replies(round, replies_);
      lines_ += reply_lines(replies_, before);
      if (round.proposal) asked.push_back(*round.proposal);
    }
    return {};
  }

  /// Tests each; the accepted one that gains most is what the next iteration builds on.
  Status decide(std::vector<Proposal> proposals, bool more) {
    std::optional<Proposal> winner;
    for (const Proposal& proposal : proposals) {
      TRY(interrupt::check());
      const std::vector<StepReport> steps = TRY(loop_.steps(proposal));
      TRY(add(steps));
      const Proposal& decided = *steps.back().proposal;
      if (decided.state == ProposalState::accepted &&
          (!winner || gain_of(decided) > gain_of(*winner)))
        winner = decided;
    }
    if (TRY(measure_again())) {
      TRY(find_best(TRY(loop_.store().current())));
      winner = best_accepted(loop_.store());
    }
    if (!winner) return {};
    if (proposals.size() > 1)
      lines_ += fmt::format("best        {:<4} of {} proposals, {:.3f} times as fast\n",
                            winner->id(), proposals.size(), gain_of(*winner));
    best_ = winner;
    if (!more) return {};
    goal_.parent = winner->number;
    return add({TRY(loop_.begin(goal_))});
  }

  /// The best of several on measured time was chosen, and lucky perhaps: fresh samples say so, of the next best likewise. Whether there was anything to measure.
  Result<bool> measure_again() {
    bool any = false;
    for (; awaiting_again(loop_.store()); any = true) {
      TRY(interrupt::check());
      TRY(add({TRY(loop_.measure_again())}));
    }
    return any;
  }

  Status add(const std::vector<StepReport>& steps) {
    lines_ += course_lines(steps);
    for (const StepReport& step : steps) {
      optimizer_.face.announce(stage_line(step));
      if (step.proposal) set_state(*step.proposal);
    }
    return {};
  }

  /// In the rows of the replies that made it.
  void set_state(const Proposal& proposal) {
    for (Reply& reply : replies_) {
      if (reply.attempt.proposal && reply.attempt.proposal->number == proposal.number)
        reply.outcome = to_string(proposal.state);
    }
  }

  /// What was accepted is not lost because the next question failed.
  Status give_up(Error error) {
    if (!best_ || error.code == Errc::interrupted) return Failure(std::move(error));
    stopped_ = error.message;
    return {};
  }

  const LlmOptimizeArgs& args_;
  const Optimizer& optimizer_;
  OpenLoop& open_;
  OptimizationLoop& loop_;
  ModelSession& model_;
  OptimizationGoal goal_;
  std::optional<Proposal> best_;
  std::vector<Reply> replies_;
  std::string lines_, stopped_;
};

bool wants_approval(const LlmOptimizeArgs& args, Face& face, const Proposal& best,
                    const Optimization& base) {
  if (best.state != ProposalState::accepted) return false;
  if (args.auto_approve) return true;
  return face.confirm(fmt::format("Write {} to {}?", best.id(), shown_path(base.source)));
}

struct LlmResult {
  Optimization base;
  const ModelSession* model = nullptr;
  std::string stopped;
  std::optional<Proposal> best = {};
  std::optional<double> ratio = {};
};

constexpr auto kLlmFields = bound_to<LlmResult>(
    column<&LlmResult::base, &Optimization::id>(
        "optimization", "the last base: o1, or one that builds on what was accepted")
        .as(Type::id),
    column<&LlmResult::base, &Optimization::kernel>("kernel", "its kernel").as(Type::kernel),
    column<&LlmResult::base, &shown_source>("source", "the user's file"),
    column<&LlmResult::model, &ModelSession::destination>(
        "destination", "the server that was asked, or the cassette"),
    column<&LlmResult::best, &Proposal::id>(
        "proposal", "the accepted one that holds all accepted changes; null: none")
        .as(Type::id),
    column<&LlmResult::best, &Proposal::state>(
        "state", "accepted, or approved when it was written to the file"),
    column<&LlmResult::ratio>(
        "ratio", "time of the file's kernel / time of the proposal's: above 1 is faster"),
    column<&LlmResult::stopped>("stopped", "why it stopped"),
    through<kSpentFields, &LlmResult::model>());

Status finish_course(const LlmOptimizeArgs& args, const Optimizer& optimizer, ProposalStore& store,
                     const LlmCourse& course, LlmResult& result, Document& out) {
  if (!course.best()) {
    out.exit_code = kNothingAccepted;
    out.text += "result           nothing was accepted\n";
    out.next = {"info proposals", "prompt"};
    return {};
  }
  Proposal best = *course.best();
  const Optimization base = TRY(store.optimization(best.optimization));
  out.text += fmt::format("result      {:<4} {:.3f} times as fast as the file ({}): {}\n",
                          best.id(), course.ratio(), to_string(times_of(best)), best.title);
  if (wants_approval(args, optimizer.face, best, base)) {
    best = TRY(approve_as_person(optimizer.face, optimizer.events, store, best.id(),
                                 {.modelled = args.accept_modelled}));
    out.text +=
        fmt::format("approved    {:<4} written to {}\n", best.id(), shown_path(base.source));
    out.next = {"revert " + best.id()};
  } else if (best.state == ProposalState::accepted) {
    out.text += fmt::format("accepted    {:<4} {} is untouched: '{}' writes it\n", best.id(),
                            shown_path(base.source), approve_line(best));
    out.next = {approve_line(best)};
  }
  out.next.push_back("info proposal " + best.id());
  result.best = std::move(best);
  result.ratio = course.ratio();
  return {};
}

Result<Document> course_of(const LlmOptimizeArgs& args, const Optimizer& optimizer) {
  if (args.auto_approve) TRY(person_allows(optimizer.face, "llm-optimize --auto-approve"));
  SettingForNow floor(optimizer.settings, "optimize min-improvement");
  if (args.min_improvement) TRY(floor.set(Value(*args.min_improvement)));
  const CheckForNow check(optimizer.settings, args.check_command);
  TRY(check.status());
  // Whether a model can be asked at all is known before anything is built.
  const auto model = TRY(ModelSession::open(optimizer, {args.model, args.temperature}));
  OpenLoop open = TRY(open_loop(optimizer, LoopNeed::begins));
  LlmCourse course(args, optimizer, open, *model);
  TRY(course.run());
  LlmResult result{TRY(open.store->current()), model.get(), course.stopped()};
  Document out;
  out.table(kReplyColumns, course.replies());
  out.text = course.lines();
  out.provenance = course.best() ? times_of(*course.best()) : Provenance::modelled;
  TRY(finish_course(args, optimizer, *open.store, course, result, out));
  out.put(kLlmFields, result);
  out.text += fmt::format("stopped          {}\n", course.stopped());
  return out;
}

Result<Document> llm_optimize(const LlmOptimizeArgs& args, Optimizer optimizer) {
  const bool kept_before = optimizer.log.has_session();
  auto out = course_of(args, optimizer);
  if (!out) optimizer.log.forget_empty(kept_before);
  return out;
}

}  // namespace

void add_llm_optimize_command(Registry& registry) {
  using Args = LlmOptimizeArgs;
  add(registry,
      command(
          Command{.path = "llm-optimize",
                  .does = kKeeps,
                  .may = {Capability::network},
                  .chapter = Class::proposals,
                  .summary = "Make a kernel faster with a language model's help.",
                  .help =
                      "Each iteration asks for one change (`propose llm`) and takes it through "
                      "guard, build, screen, verify, measure and decide. The next question tells "
                      "the model what was tried and what "
                      "came of it, and builds on what was accepted. With an application instead of "
                      "`--capture`, the longest dispatch of its dominant kernel is frozen first. "
                      "With `--best-of N` each iteration asks for N different changes of the same "
                      "text, tests every one, and builds on the best; each question counts against "
                      "the budgets.\n\n"
                      "Without `--auto-approve` the file stays as it is, and what was accepted is "
                      "named with the command that writes it. Exits with 0 when something was "
                      "accepted, else with 4. "
                      "`set llm …` says which model is asked; a cassette answers without any.",
                  .fields = described(kLlmFields),
                  .columns = described(kReplyColumns),
                  .scalar = "proposal",
                  .examples = {"llm-optimize SOURCE --capture CAPTURE --max-iters 1"},
                  .changes_program = true},
          {arg("source", &Args::source, "HIP source of the kernel")
               .required()
               .completes(Complete::file),
           arg("binary", &Args::binary, "the application, to freeze a dispatch of it")
               .needs({Capability::run})
               .completes(Complete::file),
           option("capture", &Args::capture, "a frozen dispatch: what the kernel must compute")
               .named("DIR")
               .completes(Complete::capture),
           option(
               "kernel", &Args::kernel,
               "which kernel; default: the captured one, or the dominant one of the application"),
           option("model", &Args::model, "name of the model; default: `set llm model`"),
           option("temperature", &Args::temperature,
                  "how much replies vary; default: `set llm temperature`"),
           option("max-iters", &Args::iterations, "how many changes to ask for")
               .in(at_least(1))
               .named("N"),
           option(
               "best-of", &Args::best_of,
               "changes to ask for in each iteration; the accepted one that gains most is built on")
               .in(within(1, 16))
               .named("N"),
           option("min-improvement", &Args::min_improvement,
                  "gain below which nothing is accepted, a fraction; default: `set optimize "
                  "min-improvement`"),
           check_param<Args>(),
           option("flag", &Args::flags,
                  "passed on to the compiler, as --flag=-ffast-math; may be repeated"),
           flag("auto-approve", &Args::auto_approve, "write what was accepted to the file")
               .needs({Capability::approve}),
           flag("accept-modelled", &Args::accept_modelled, "with it: although times are modelled"),
           flag("again", &Args::again, "start over")},
          llm_optimize));
}

}  // namespace rpl
