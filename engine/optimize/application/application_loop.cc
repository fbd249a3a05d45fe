// SPDX-License-Identifier: MIT
#include "engine/optimize/application/application_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/optimize/application/application_timing.h"
#include "engine/optimize/loop/hashes.h"
#include "engine/optimize/measure/decision.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr double kPercents = 100;

std::string said(const std::string& kernel) { return short_kernel(demangled(kernel)); }

StepReport application_report(Stage stage, const Application& application, bool passed,
                              std::string found) {
  StepReport report;
  report.stage = stage;
  if (application.reached != Stage::end) report.next = passed ? row_of(stage).next : Stage::target;
  report.about = fmt::format("a{}", application.number);
  report.outcome.passed = passed;
  report.outcome.found = std::move(found);
  return report;
}

/// "softmax(float const*) has 83 % of the critical path", and what that allows at most.
std::string share_text(const ApplicationKernel& kernel) {
  const double most = kernel.share < 1 ? 1 / (1 - kernel.share) : 0;
  std::string out = fmt::format("{} has {:.0f} % of the critical path", said(kernel.name),
                                kernel.share * kPercents);
  if (kernel.share >= kDominant) return out;
  return out +
         fmt::format(
             ": without it the path would be {:.2f} times as fast, and no change to it can do more",
             most);
}

std::vector<std::string> current_argv(const Application& application) {
  std::vector<std::string> argv = application.argv;
  if (!application.program.empty()) argv.front() = application.program;
  return argv;
}

std::string free_path(const Application& application, std::string_view what) {
  for (std::int64_t i = application.rounds + 1;; ++i) {
    std::string path = fmt::format("{}/{}-{}", application.folder, what, i);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return path;
  }
}

/// Errors that come from this kernel and would come again; others are of the machine or of the moment.
bool is_of_the_kernel(Errc code) {
  return code == Errc::verification_failed || code == Errc::corrupt || code == Errc::unsupported ||
         code == Errc::not_found || code == Errc::denied;
}

}  // namespace

Result<StepReport> ApplicationLoop::begin(Application application) {
  application.first = TRY(tools_.run(application.argv));
  if (application.first.kernels.empty()) {
    return fail(Errc::not_found, fmt::format("no kernel ran in {}", application.argv.front()),
                "'profile -- APP' shows what it does on the GPU");
  }
  TRY(store_.claim(application));
  const std::string calibrated = TRY(calibrate(application));
  application.now = application.first;
  application.reached = Stage::application;
  TRY(store_.save(application));
  return application_report(
      Stage::application, application, true,
      fmt::format("{} of kernels and copies in {}, {} kernel{}{}",
                  format_ns(static_cast<double>(application.first.critical_path_ns)),
                  format_ns(static_cast<double>(application.first.span_ns)),
                  application.first.kernels.size(),
                  application.first.kernels.size() == 1 ? "" : "s", calibrated));
}

Result<std::string> ApplicationLoop::calibrate(Application& application) {
  const auto repeats = [&](const std::string& output) {
    application.output_repeats =
        application.output_repeats && output == application.first.output_sha256;
  };
  if (!tools_.time) {
    repeats(TRY(tools_.run(application.argv)).output_sha256);
    return std::string();
  }
  ApplicationNoise found = TRY(application_noise(tools_, application.argv));
  for (const std::vector<TimedRun>* side : {&found.timing.baseline, &found.timing.candidate}) {
    for (const TimedRun& run : *side) {
      repeats(run.output_sha256);
      if (run.exit_code == application.first.exit_code) continue;
      return fail(Errc::verification_failed,
                  fmt::format("{} ends with status {} one time and {} another",
                              application.argv.front(), application.first.exit_code, run.exit_code),
                  "a change cannot be judged by a program that ends differently each time");
    }
  }
  application.noise = found.noise;
  // The recording with API calls says what the path is; how long it takes is said by the runs that are disturbed less.
  application.first.span_ns = std::llround(found.timing.baseline_ns);
  TRY(keep_timing(store_.session(), "aa", fmt::format("a{}", application.number), found.timing,
                  found.noise));
  return fmt::format("; against itself it differs by {:.2f} %, {}", found.noise * kPercents,
                     pairs_text(found.timing));
}

Result<StepReport> ApplicationLoop::step() {
  Application application = TRY(store_.application());
  if (application.reached == Stage::end) {
    return fail(Errc::not_found,
                fmt::format("a{} is at its end: {}", application.number, application.ended),
                "'info proposals' shows what was accepted; 'optimize --again …' starts over");
  }
  if (application.reached == Stage::target) return capture(std::move(application));
  if (application.reached == Stage::capture) return kernel(std::move(application));
  return target(std::move(application));
}

Result<StepReport> ApplicationLoop::target(Application application) {
  const ApplicationKernel* chosen = nullptr;
  for (const ApplicationKernel& kernel : application.now.kernels) {
    if (std::ranges::find(application.finished, kernel.name) != application.finished.end() ||
        kernel.share < kWorthwhileShare)
      continue;
    if (chosen == nullptr || kernel.share > chosen->share) chosen = &kernel;
  }
  if (chosen == nullptr) {
    application.ended = fmt::format("no other kernel has {:.0f} % of the critical path or more",
                                    kWorthwhileShare * kPercents);
    application.reached = Stage::end;
    TRY(store_.save(application));
    return application_report(Stage::target, application, true, application.ended);
  }
  std::string found = share_text(*chosen);
  if (const ApplicationKernel* before = application.now.kernel(application.kernel);
      before != nullptr && application.kernel != chosen->name) {
    const ApplicationKernel* first = application.first.kernel(application.kernel);
    const bool given_up =
        std::ranges::find(application.finished, before->name) != application.finished.end();
    found =
        fmt::format("{}: {}; {} has {:.0f} %, at the beginning it had {:.0f} %",
                    given_up ? "next" : "retargeted", found, said(before->name),
                    before->share * kPercents, (first == nullptr ? 0 : first->share) * kPercents);
  }
  application.kernel = chosen->name;
  application.capture.clear();
  application.reached = Stage::target;
  TRY(store_.save(application));
  return application_report(Stage::target, application, true, std::move(found));
}

Result<StepReport> ApplicationLoop::give_up(Application application, Stage stage,
                                            const Error& why) {
  application.finished.push_back(application.kernel);
  application.reached = Stage::round;
  ++application.rounds;
  TRY(store_.save(application));
  return application_report(
      stage, application, false,
      fmt::format("{} is left alone: {}", said(application.kernel), why.message));
}

Result<StepReport> ApplicationLoop::capture(Application application) {
  const ApplicationKernel* kernel = application.now.kernel(application.kernel);
  const std::uint64_t dispatch = kernel == nullptr ? 1 : kernel->longest;
  std::string folder = free_path(application, "capture");
  Status made = tools_.capture(current_argv(application), application.kernel, dispatch, folder);
  // The program of an rpl that was killed goes on by itself and may take the name that was free a moment ago, before the capture begins or while it is made.
  constexpr int kTries = 3;
  for (int i = 0; !made && is_of_the_kernel(made.error().code) && i < kTries; ++i) {
    std::string other = free_path(application, "capture");
    if (other == folder) break;
    folder = std::move(other);
    made = tools_.capture(current_argv(application), application.kernel, dispatch, folder);
  }
  if (!made) {
    if (!is_of_the_kernel(made.error().code)) return Failure(made.error());
    return give_up(std::move(application), Stage::capture, made.error());
  }
  application.capture = folder;
  application.reached = Stage::capture;
  TRY(store_.save(application));
  return application_report(
      Stage::capture, application, true,
      fmt::format("dispatch {} of {}{}", dispatch, kernel == nullptr ? 1 : kernel->calls,
                  kernel != nullptr && kernel->calls > 1 ? ", the longest" : ""));
}

Result<StepReport> ApplicationLoop::kernel(Application application) {
  const auto current = store_.current();
  if (!current || current->capture != application.capture)
    return begin_kernel(std::move(application));
  if (!next_stage(store_)) return round(std::move(application));
  StepReport report = TRY(kernels_.step());
  if (!report.next) report.next = Stage::confirm;
  return report;
}

Result<std::int64_t> ApplicationLoop::parent_of(const Application& application,
                                                const std::string& source) const {
  for (auto number = application.confirmed.rbegin(); number != application.confirmed.rend();
       ++number) {
    const Proposal proposal = TRY(store_.proposal(std::to_string(*number)));
    if (TRY(store_.optimization(proposal.optimization)).source == source) return *number;
  }
  return 0;
}

Result<StepReport> ApplicationLoop::begin_kernel(Application application) {
  const auto source = application.source.empty()
                          ? tools_.source_of(application.capture, application.kernel)
                          : Result<std::string>(application.source);
  auto begun = [&]() -> Result<StepReport> {
    if (!source) return Failure(source.error());
    const std::int64_t parent = TRY(parent_of(application, *source));
    return kernels_.begin({.source = *source,
                           .kernel = {},
                           .capture = application.capture,
                           .flags = application.flags,
                           .parent = parent});
  }();
  if (begun || !is_of_the_kernel(begun.error().code)) return begun;
  return give_up(std::move(application), Stage::profile, begun.error());
}

std::vector<Proposal> ApplicationLoop::to_confirm() const {
  std::vector<Proposal> out;
  for (Proposal& proposal : store_.of_current()) {
    // Options of the compiler, and launches that are elsewhere, are no text that could be put in: they are left to who builds the application.
    if (proposal.state == ProposalState::accepted && proposal.flags.empty() &&
        text_in(proposal.evidence, "guard", "launch_unwritten").empty())
      out.push_back(std::move(proposal));
  }
  std::ranges::stable_sort(
      out, [](const Proposal& a, const Proposal& b) { return gain_of(a) > gain_of(b); });
  return out;
}

Result<StepReport> ApplicationLoop::round(Application application) {
  std::vector<Proposal> accepted = to_confirm();
  if (!accepted.empty()) return confirm_best(std::move(application), std::move(accepted.front()));
  application.finished.push_back(application.kernel);
  application.reached = Stage::round;
  ++application.rounds;
  TRY(store_.save(application));
  return application_report(
      Stage::round, application, true,
      fmt::format("nothing more was accepted for {}", said(application.kernel)));
}

Result<std::vector<ReplacedFile>> ApplicationLoop::replaced(const Application& application,
                                                            const Proposal* candidate) const {
  std::vector<ReplacedFile> out;
  const auto put_in = [&](const Proposal& proposal) -> Status {
    const Optimization optimization = TRY(store_.optimization(proposal.optimization));
    const auto same = std::ranges::find(out, optimization.source, &ReplacedFile::path);
    if (same != out.end()) {
      same->text_path = proposal.candidate_source();
    } else {
      out.push_back({optimization.source, proposal.candidate_source()});
    }
    return {};
  };
  for (const std::int64_t number : application.confirmed)
    TRY(put_in(TRY(store_.proposal(std::to_string(number)))));
  if (candidate != nullptr) TRY(put_in(*candidate));
  return out;
}

Status ApplicationLoop::ask_user(const Proposal& best, const std::string& program,
                                 Confirmation& confirmation, Record& facts) const {
  const Optimization optimization = TRY(store_.optimization(best.optimization));
  const UserVerdict verdict =
      TRY(listener_.check(check_subject(Stage::confirm, optimization, best, program)));
  if (verdict.asked.empty()) return {};
  facts.emplace_back("user_check_passed", !verdict.against.has_value());
  if (!verdict.against) return {};
  confirmation.passed = false;
  confirmation.rule = verdict.against->rule;
  confirmation.message = "refused by your check: " + verdict.against->message;
  return {};
}

Result<Confirmation> ApplicationLoop::time_change(const Application& application,
                                                  const Proposal& best,
                                                  const std::vector<std::string>& argv,
                                                  ApplicationRun& with_change, Record& facts) {
  Confirmation behaviour;
  // Nothing is timed of a program that does something else.
  if (!behaves_as_before(application, with_change.exit_code, with_change.output_sha256, behaviour))
    return behaviour;
  const DecisionRule rule{.min_improvement = floor_, .noise_floor = application.noise};
  const ApplicationTiming timing =
      TRY(time_pairs(tools_, current_argv(application), argv, rule, Looks{}));
  with_change.span_ns = std::llround(timing.candidate_ns);
  TRY(keep_timing(store_.session(), "ab", fmt::format("a{} with {}", application.number, best.id()),
                  timing, std::nullopt));
  facts = to_record(timing.decision);
  facts.emplace_back("time_source", "measured");
  facts.emplace_back("before_ns", timing.baseline_ns);
  facts.emplace_back("after_ns", timing.candidate_ns);
  facts.emplace_back("input", to_value(timing.input));
  return confirm_timed(application, with_change, timing);
}

Result<Confirmation> ApplicationLoop::try_out(Application& application, const Proposal& best,
                                              const std::string& program, Record& facts) {
  TRY(tools_.build(application, TRY(replaced(application, &best)), program));
  std::vector<std::string> argv = application.argv;
  argv.front() = program;
  auto ran = tools_.run(argv);
  if (!ran && ran.error().code == Errc::verification_failed) {
    // The unchanged one ran, so this is what the change does.
    facts = {{"ran", false}};
    return Confirmation{.passed = false,
                        .ratio = 1,
                        .rule = "application-exit",
                        .message = "with the change the application does not come to its end: " +
                                   ran.error().message};
  }
  ApplicationRun with_change = TRY(std::move(ran));
  Confirmation out;
  if (tools_.time) {
    out = TRY(time_change(application, best, argv, with_change, facts));
  } else {
    out = confirm(application, with_change, floor_);
    facts = {{"ratio", out.ratio},
             {"before_ns", application.now.span_ns},
             {"after_ns", with_change.span_ns}};
  }
  if (out.passed) TRY(ask_user(best, program, out, facts));
  if (out.passed) application.now = std::move(with_change);
  return out;
}

Result<StepReport> ApplicationLoop::confirm_best(Application application, Proposal best) {
  Confirmation confirmation{.passed = true,
                            .ratio = 1,
                            .rule = {},
                            .message =
                                "not confirmed with the application: it is not known how to build "
                                "it (--main FILE or --build-cmd)"};
  std::string program;
  Record facts;
  if (application.can_be_built()) {
    program = free_path(application, "program");
    confirmation = TRY(try_out(application, best, program, facts));
  }
  facts.insert(facts.begin(), {"confirmed", application.can_be_built()});
  TRY(add_evidence(best, Stage::confirm, std::move(facts)));
  if (!confirmation.passed) {
    best.state = ProposalState::rejected;
    best.decided_at = Stage::confirm;
    best.reasons = {{confirmation.rule, confirmation.message}};
  }
  TRY(store_.save(best));
  if (confirmation.passed) {
    application.confirmed.push_back(best.number);
    application.program = program;
    application.reached = Stage::confirm;
    ++application.rounds;
    TRY(store_.save(application));
  }
  StepReport report =
      application_report(Stage::confirm, application, confirmation.passed, confirmation.message);
  report.optimization = TRY(store_.optimization(best.optimization));
  report.about = best.id();
  report.proposal = std::move(best);
  report.outcome.reasons = report.proposal->reasons;
  if (!confirmation.passed) report.next = Stage::confirm;
  TRY(listener_.after(report));
  return report;
}

}  // namespace rpl
