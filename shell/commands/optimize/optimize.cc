// SPDX-License-Identifier: MIT
// optimize: makes an application faster kernel by kernel, or one kernel round by round, until a limit or the end.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/base/numbers.h"
#include "engine/optimize/application/application_loop.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/approval.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/face.h"
#include "shell/core/session/setting_for_now.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct OptimizeArgs {
  std::string source, binary;
  std::vector<std::string> program;
  std::string capture, kernel, main_source, build_command, check_command, gpu;
  std::vector<std::string> flags;
  std::int64_t rounds = 8, time_limit_s = 0;
  bool auto_approve = false, accept_modelled = false, again = false;
};

/// What was done, and why it stopped.
struct Course {
  std::vector<StepReport> steps;
  std::string stopped;
};

/// The limits that a person set.
class Limits {
 public:
  explicit Limits(const OptimizeArgs& args) : rounds_(args.rounds), seconds_(args.time_limit_s) {}

  /// Why no other round may begin; empty: one may.
  [[nodiscard]] std::string reached(std::int64_t rounds) const {
    if (rounds_ > 0 && rounds >= rounds_)
      return fmt::format("{} round{}: --rounds raises it", rounds_, rounds_ == 1 ? "" : "s");
    if (seconds_ > 0 && Clock::now() - start_ >= std::chrono::seconds(seconds_))
      return fmt::format("{} s: --time-limit raises it", seconds_);
    return {};
  }

 private:
  std::int64_t rounds_, seconds_;
  Clock::time_point start_ = Clock::now();
};

bool is_program(const std::string& path) {
  return first_bytes(path, 4) ==
         "\x7f"
         "ELF";
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  return path.empty() ? path : fs::absolute(path, error).lexically_normal().string();
}

/// The file that has a `main` is the program's main source: then it can be rebuilt.
std::string main_in(const std::string& source) {
  const auto text = read_text_file(source);
  return text && text->find("int main(") != std::string::npos ? source : std::string();
}

Result<Application> wanted_application(const OptimizeArgs& args) {
  Application out;
  out.argv = args.program;
  std::string source = args.source;
  if (!args.binary.empty()) out.argv.insert(out.argv.begin(), args.binary);
  if (is_program(source)) {
    out.argv.insert(out.argv.begin(), source);
    source.clear();
  }
  if (out.argv.empty())
    return fail(
        Errc::usage, "nothing says what to run",
        "optimize SOURCE.hip ./app, or optimize SOURCE.hip --capture DIR for one frozen dispatch");
  out.argv.front() = absolute_path(out.argv.front());
  out.source = absolute_path(source);
  out.main_source = absolute_path(args.main_source);
  out.build_command = args.build_command;
  if (out.main_source.empty() && out.build_command.empty() && !out.source.empty())
    out.main_source = main_in(out.source);
  out.flags = args.flags;
  for (const std::string& path : {out.argv.front(), out.source, out.main_source}) {
    std::error_code error;
    if (!path.empty() && !fs::is_regular_file(path, error))
      return fail(Errc::not_found, fmt::format("{}: no such file", path), "check the path");
  }
  return out;
}

bool same_wish(const Application& wanted, const Application& held) {
  return wanted.argv == held.argv && wanted.source == held.source &&
         wanted.main_source == held.main_source && wanted.build_command == held.build_command &&
         wanted.flags == held.flags;
}

/// A person at the prompt sees each stage when it is done; the result shows all of them again for scripts.
void tell_stage(const Optimizer& optimizer, const StepReport& step) {
  optimizer.monitor.report(to_string(step.stage), 0, 0);
  optimizer.face.announce(stage_line(step));
}

/// An application, until nothing is left to do or a limit.
Result<Course> run_application(const OptimizeArgs& args, const Optimizer& optimizer,
                               OpenLoop& open) {
  ProposalStore& store = *open.store;
  const LookAhead ahead(open.loop);
  ApplicationLoop stages(
      store,
      {.begin = [&](const OptimizationGoal& goal) { return open.loop.begin(goal); },
       .step = [&] { return open.loop.step(); }},
      TRY(application_tools(optimizer, open, args.gpu)),
      optimizer.settings.number("optimize min-improvement"), *open.listener);
  const Application wanted = TRY(wanted_application(args));
  const auto held = store.application();
  Course out;
  if (!held || args.again || held->reached == Stage::end || !same_wish(wanted, *held) ||
      held->first.modelled != traits_of(open.target.kind).deterministic) {
    out.steps.push_back(TRY(stages.begin(wanted)));
    tell_stage(optimizer, out.steps.back());
  }
  const std::int64_t rounds_before = store.application()->rounds;
  const Limits limits(args);
  while (true) {
    TRY(interrupt::check());
    const Application now = TRY(store.application());
    if (now.reached == Stage::end) {
      out.stopped = now.ended;
      return out;
    }
    const bool between = now.reached != Stage::target && now.reached != Stage::capture;
    if (out.stopped = between ? limits.reached(now.rounds - rounds_before) : std::string();
        !out.stopped.empty())
      return out;
    out.steps.push_back(TRY(stages.step()));
    tell_stage(optimizer, out.steps.back());
  }
}

const Proposal* accepted_of(const std::vector<StepReport>& steps) {
  return steps.empty() || !steps.back().best ? nullptr : &*steps.back().best;
}

/// One kernel: each round builds on the best of the one before.
Result<Course> run_rounds(const OptimizeArgs& args, const Optimizer& optimizer,
                          OptimizationLoop& loop) {
  OptimizationGoal goal{args.source, args.kernel, args.capture, args.flags};
  const Limits limits(args);
  const LookAhead ahead(loop);
  Course out;
  const auto current = loop.store().current();
  if (!current || args.again || !is_under_way(goal, *current)) {
    out.steps.push_back(TRY(loop.begin(goal)));
    tell_stage(optimizer, out.steps.back());
  }
  for (std::int64_t round = 1;; ++round) {
    while (next_stage(loop.store())) {
      TRY(interrupt::check());
      out.steps.push_back(TRY(loop.step()));
      tell_stage(optimizer, out.steps.back());
    }
    const Proposal* best = accepted_of(out.steps);
    if (best == nullptr) {
      out.stopped = out.steps.empty() ? "everything is decided: --again starts over"
                                      : "nothing more was accepted";
      return out;
    }
    if (out.stopped = limits.reached(round); !out.stopped.empty()) return out;
    goal.parent = best->number;
    out.steps.push_back(TRY(loop.begin(goal)));
    tell_stage(optimizer, out.steps.back());
  }
}

/// The accepted proposals that together are everything that was found: the last of each chain.
std::vector<Proposal> results_of(ProposalStore& store, bool application) {
  std::vector<Proposal> out;
  const auto put_last = [&](Proposal proposal) {
    const auto optimization = store.optimization(proposal.optimization);
    if (!optimization) return;
    std::erase_if(out, [&](const Proposal& held) {
      const auto other = store.optimization(held.optimization);
      return other && other->source == optimization->source;
    });
    out.push_back(std::move(proposal));
  };
  if (application) {
    const auto held = store.application();
    for (const std::int64_t number : held ? held->confirmed : std::vector<std::int64_t>{}) {
      if (auto proposal = store.proposal(std::to_string(number))) put_last(std::move(*proposal));
    }
    return out;
  }
  const auto current = store.current();
  if (!current) return out;
  if (auto best = best_accepted(store)) {
    out.push_back(std::move(*best));
  } else if (current->parent != 0) {
    if (auto parent = store.proposal(std::to_string(current->parent)))
      out.push_back(std::move(*parent));
  }
  return out;
}

/// How many times as fast as at the beginning. Measured spans of different hours are not compared: each confirmation ran with its own baseline beside it.
std::optional<double> application_ratio(ProposalStore& store, const Application& held) {
  const double before = static_cast<double>(held.first.span_ns),
               now = static_cast<double>(held.now.span_ns);
  if (held.now.modelled) return now > 0 ? std::optional(before / now) : std::nullopt;
  double ratio = 1;
  for (const std::int64_t number : held.confirmed) {
    const auto proposal = store.proposal(std::to_string(number));
    const auto gained = proposal ? number_in(proposal->evidence, "confirm", "ratio") : std::nullopt;
    if (!gained) return {};
    ratio *= *gained;
  }
  return ratio;
}

struct Whole {
  Application held;
  std::optional<double> ratio;

  [[nodiscard]] std::string id() const { return fmt::format("a{}", held.number); }
  [[nodiscard]] std::string program() const { return shown_path(held.argv.front()); }
  [[nodiscard]] std::vector<std::string> confirmed() const {
    std::vector<std::string> out;
    for (const std::int64_t number : held.confirmed) out.push_back(fmt::format("p{}", number));
    return out;
  }
};

constexpr auto kApplicationFields = bound_to<Whole>(
    column<&Whole::id>("application", "a1; null for one kernel alone").as(Type::id),
    column<&Whole::program>("program", "the application's"),
    column<&Whole::confirmed>("confirmed",
                              "the proposals that were confirmed with it, in that order"),
    column<&Whole::held, &Application::first, &ApplicationRun::span_ns>(
        "before_ns", "span of the unchanged application"),
    column<&Whole::held, &Application::now, &ApplicationRun::span_ns>(
        "after_ns", "span with everything that was confirmed"),
    column<&Whole::ratio>(
        "application_ratio",
        "above 1 is faster: before_ns / after_ns of modelled time; of measured time the product of "
        "what the confirmations found; null where one was not confirmed"));

struct CourseEnd {
  std::vector<std::string> results;
  std::string stopped;
};

constexpr auto kCourseFields = bound_to<CourseEnd>(
    column<&CourseEnd::results>(
        "results",
        "the accepted proposals to approve: for each file the last, which holds all before it"),
    column<&CourseEnd::stopped>("stopped", "why it stopped"));

std::string_view time_source_of(const ApplicationRun& run) {
  return to_string(run.modelled ? Provenance::modelled : Provenance::measured);
}

std::string file_of(ProposalStore& store, const Proposal& proposal) {
  const auto optimization = store.optimization(proposal.optimization);
  return optimization ? optimization->source : std::string();
}

std::string summary_line(ProposalStore& store, bool application, const Course& course,
                         const std::vector<Proposal>& results) {
  std::string out;
  if (const auto held = store.application(); application && held && !held->confirmed.empty()) {
    out += fmt::format(
        "result      a{:<3} {} -> {} ({}), {} change{} confirmed with the application\n",
        held->number, format_ns(static_cast<double>(held->first.span_ns)),
        format_ns(static_cast<double>(held->now.span_ns)), time_source_of(held->now),
        held->confirmed.size(), held->confirmed.size() == 1 ? "" : "s");
  }
  for (const Proposal& proposal : results) {
    if (application) {
      out += fmt::format("approve     {:<4} writes all of it to {}\n", proposal.id(),
                         shown_path(file_of(store, proposal)));
    } else {
      out += fmt::format("result      {:<4} {:.3f} times as fast as the file ({}): {}\n",
                         proposal.id(), ratio_of_chain(store, proposal),
                         to_string(times_of(proposal)), proposal.title);
    }
  }
  return out + fmt::format("stopped     {:<4} {}\n", "", course.stopped);
}

/// The application built from the user's files as they are now, and run: what a person would do after an approval.
Result<std::string> run_again(const ApplicationTools& tools, ProposalStore& store) {
  const Application application = TRY(store.application());
  if (!application.can_be_built()) return std::string();
  const std::string program = application.folder + "/approved";
  TRY(tools.build(application, {}, program));
  std::vector<std::string> argv = application.argv;
  argv.front() = program;
  const ApplicationRun run = TRY(tools.run(argv));
  const bool same =
      run.output_sha256 == application.first.output_sha256 || !application.output_repeats;
  return fmt::format("again       a{:<3} {} ({}), {}, exit status {}\n", application.number,
                     format_ns(static_cast<double>(run.span_ns)), time_source_of(run),
                     same ? "the same output" : "another output", run.exit_code);
}

/// Writes the results where that was asked for.
Result<std::string> approve_results(const OptimizeArgs& args, const Optimizer& optimizer,
                                    ProposalStore& store, const std::vector<Proposal>& results) {
  std::string out;
  for (const Proposal& proposal : results) {
    if (proposal.state != ProposalState::accepted) continue;
    TRY(approve_as_person(optimizer.face, optimizer.events, store, proposal.id(),
                          {.modelled = args.accept_modelled}));
    out += fmt::format("approved    {:<4} written to {}\n", proposal.id(),
                       shown_path(TRY(store.optimization(proposal.optimization)).source));
  }
  return out;
}

Result<Document> optimize(const OptimizeArgs& args, Optimizer optimizer) {
  if (args.auto_approve) TRY(person_allows(optimizer.face, "optimize --auto-approve"));
  const CheckForNow check(optimizer.settings, args.check_command);
  TRY(check.status());
  const bool application = args.capture.empty();
  OpenLoop open = TRY(open_loop(optimizer, LoopNeed::begins));
  ProposalStore& store = *open.store;
  const Course course = application ? TRY(run_application(args, optimizer, open))
                                    : TRY(run_rounds(args, optimizer, open.loop));
  const std::vector<Proposal> results = results_of(store, application);
  Document out = course.steps.empty() ? Document{} : step_document(course.steps);
  out.text = (course.steps.empty() ? std::string() : course_lines(course.steps)) +
             summary_line(store, application, course, results);
  if (const auto held = store.application(); application && held)
    out.put(kApplicationFields, Whole{*held, application_ratio(store, *held)});
  CourseEnd end{{}, course.stopped};
  out.next.clear();
  for (const Proposal& proposal : results) {
    end.results.push_back(proposal.id());
    if (proposal.state == ProposalState::accepted) out.next.push_back(approve_line(proposal));
  }
  out.put(kCourseFields, end);
  out.provenance = results.empty() ? traits_of(open.target.kind).times : times_of(results.front());
  out.exit_code = results.empty() ? 4 : 0;
  if (args.auto_approve) {
    // Files are not written after a Ctrl-C.
    TRY(interrupt::check());
    out.text += TRY(approve_results(args, optimizer, store, results));
    if (application && !results.empty())
      out.text += TRY(run_again(TRY(application_tools(optimizer, open, args.gpu)), store));
    out.next.clear();
  }
  if (!results.empty()) out.next.push_back("info proposal " + results.back().id());
  out.next.emplace_back("info proposals");
  return out;
}

constexpr const char* kHelp =
    "`optimize SOURCE APP` and `optimize APP` run the application, take the kernel with most time "
    "on the critical path, freeze its longest dispatch, and take every proposal "
    "of the rules through guard, build, screen, verify, measure and decide. The best accepted one "
    "is built into a copy of the application, which must behave as before and not be slower; "
    "then the critical path is looked at again, and the kernel that dominates now is next. The "
    "next round builds on what was accepted. No file of yours is changed: `approve` does that, "
    "or `--auto-approve`.\n\n"
    "The application is rebuilt from SOURCE when that has a `main`, else from `--main FILE`, or "
    "by `--build-cmd`, in which {output} is where the program goes; changed files take the place "
    "of yours through an "
    "overlay that clang and hipcc read. Without any of these nothing is confirmed with the "
    "application, and that is said. Where SOURCE is left out, the line table of the code object "
    "says where a kernel comes from (build with -g).\n\n"
    "`optimize SOURCE --capture DIR` works on one frozen dispatch alone. The same words again go "
    "on where it stopped or was killed.\n\n"
    "On the emulated device times are modelled, and one run says everything. After `target local` "
    "the application runs under rocprofv3 and the capture tool on this machine's GPU: "
    "a change is confirmed by pairs of runs, with it and without, in turns, and the decision rule; "
    "what the unchanged program shows against itself is the noise. Exits with 0 when something was "
    "accepted, else with 4.";

}  // namespace

void add_optimize_command(Registry& registry) {
  using Args = OptimizeArgs;
  add(registry,
      command<Args>(
          Command{.path = "optimize",
                  .does = kKeeps,
                  .chapter = Class::proposals,
                  .summary = "Make an application or a kernel faster, as far as it goes.",
                  .help = kHelp,
                  .fields = described({kStepFields, kApplicationFields, kCourseFields}),
                  .columns = described(kStepColumns),
                  .scalar = "stopped",
                  .examples = {"optimize SOURCE --capture CAPTURE --rounds 1"},
                  .changes_program = true},
          {arg("source", &Args::source, "HIP source of the kernels, or the application")
               .required()
               .completes(Complete::file),
           arg("binary", &Args::binary, "the application")
               .needs({Capability::run})
               .completes(Complete::file),
           rest("program", &Args::program, "the application and its arguments")
               .needs({Capability::run}),
           option("capture", &Args::capture, "one frozen dispatch instead of an application")
               .named("DIR")
               .completes(Complete::capture),
           option("kernel", &Args::kernel,
                  "with --capture: which kernel of the source; default: the captured one"),
           option("main", &Args::main_source,
                  "the application's main source, which includes the kernels'")
               .named("FILE")
               .completes(Complete::file),
           option("build-cmd", &Args::build_command, "builds the application to {output}")
               .needs({Capability::run})
               .named("CMD")
               .takes_phrase(),
           check_param<Args>("your own check of what was verified, and of the application"),
           option("flag", &Args::flags,
                  "passed on to the compiler, as --flag=-ffast-math; may be repeated"),
           option("gpu", &Args::gpu, emulated_gpu_help()),
           option("rounds", &Args::rounds, "stop after so many; 0: no limit").named("N"),
           option("time-limit", &Args::time_limit_s,
                  "begin no other round after so many seconds; 0: no limit")
               .named("S"),
           flag("auto-approve", &Args::auto_approve, "write what was accepted to your files")
               .needs({Capability::approve}),
           flag("accept-modelled", &Args::accept_modelled, "with it: although times are modelled"),
           flag("again", &Args::again, "start over")},
          optimize));
}

}  // namespace rpl
