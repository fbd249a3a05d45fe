// SPDX-License-Identifier: MIT
// Programs: what their command line or their build makes of a configuration.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <map>

#include "engine/base/files.h"
#include "engine/isa/traits/architecture.h"
#include "engine/pattern/pattern.h"
#include "engine/process/run.h"
#include "engine/trace/core/trace.h"
#include "engine/trace/import/open.h"
#include "engine/tune/run/evaluator.h"

namespace rpl::tune {
namespace {

namespace fs = std::filesystem;

/// One run of a program: its time, or why it has none.
struct Timed {
  std::optional<double> ns;
  std::string stage, reason;
  double ratio_band = 0;  ///< of modelled times, by duration: Kernel::ratio_band
  bool stopped = false;   ///< Evaluation::stopped
};

Timed failed_at(std::string stage, std::string reason) {
  return {.ns = {},
          .stage = std::move(stage),
          .reason = std::move(reason),
          .ratio_band = 0,
          .stopped = false};
}

std::optional<Timed> failure_of(const Exit& exit) {
  if (exit.ok()) return std::nullopt;
  if (exit.timed_out) return failed_at("time", "it was stopped after its time");
  const std::string said = last_line(exit.err.text.empty() ? exit.out.text : exit.err.text);
  const std::string how = exit.signal != 0 ? fmt::format("signal {}", exit.signal)
                                           : fmt::format("exit status {}", exit.code);
  Timed out = failed_at("run", said.empty() ? how : how + ": " + said);
  constexpr int kSignalled =
      128;  // a shell whose command died of a signal ends with this and its number
  out.stopped = exit.signal == SIGTERM || exit.code == kSignalled + SIGTERM;
  return out;
}

class CommandEvaluator : public Evaluator {
 public:
  CommandEvaluator(const Space& space, Work work, Target& target, std::string folder)
      : space_(space), work_(std::move(work)), target_(target), folder_(std::move(folder)) {
    // check_work() let it pass.
    if (auto made = Pattern::of(work_.pattern); !work_.pattern.empty() && made)
      pattern_ = std::move(*made);
  }

  Status prepare() {
    if (!from_outside()) TRY(target_.prepare(Ability::tune));
    if (!work_.source.empty()) compiler_ = TRY(compiler_for(work_));
    return {};
  }

  Result<double> time_again(std::size_t point) override {
    const Timed timed = TRY(run_once(point, TRY(binary_of(point)).path));
    keep_band(point, timed.ratio_band);
    if (!timed.ns)
      return fail(Errc::undecided,
                  fmt::format("{} does not run any more: {}", space_.label(point), timed.reason));
    return *timed.ns;
  }

  [[nodiscard]] bool deterministic() const override { return is_deterministic(work_); }

 private:
  Status evaluate_into(Evaluation& out) override {
    const Built built = TRY(binary_of(out.point));
    if (!built.reason.empty()) {
      out.stage = "build";
      out.reason = built.reason;
      return {};
    }
    const std::int64_t runs = deterministic() ? 1 : work_.runs;
    for (std::int64_t i = 0; i < runs; ++i) {
      const Timed timed = TRY(run_once(out.point, built.path));
      if (!timed.ns) {
        out.stage = timed.stage;
        out.reason = timed.reason;
        out.stopped = timed.stopped;
        return {};
      }
      out.samples_ns.push_back(*timed.ns);
      keep_band(out.point, timed.ratio_band);
    }
    out.time_source = !work_.pattern.empty() ? "program"
                      : from_outside()       ? "host"
                                             : to_string(target_.traits().times);
    out.verified = work_.check.empty()
                       ? "exit status"
                       : "exit status and " + fmt::format("{}", fmt::join(work_.check, " "));
    return {};
  }

  /// Each configuration is built once; without a source there is nothing to build.
  Result<Built> binary_of(std::size_t point) {
    if (work_.source.empty()) return Built{};
    const auto known = built_.find(point);
    if (known != built_.end()) return known->second;
    const std::string architecture =
        work_.architecture.empty() ? isa::usual_architecture() : work_.architecture;
    Built made = TRY(build_for(compiler_, work_, space_.configuration(point), architecture, false,
                               fmt::format("{}/program-{}", folder_, point)));
    return built_.emplace(point, std::move(made)).first->second;
  }

  [[nodiscard]] std::vector<std::string> words(const std::vector<std::string>& templates,
                                               std::size_t point, const std::string& binary) const {
    std::vector<std::string> out;
    for (const std::string& word : templates)
      out.push_back(expanded(word, space_.configuration(point), binary));
    if (out.empty()) out.push_back(binary);
    return out;
  }

  Result<Timed> run_once(std::size_t point, const std::string& binary) {
    const std::vector<std::string> argv = words(work_.command, point, binary);
    ProfileRun ran;
    Timed out = TRY(timed(argv, ran));
    if (!out.ns) return out;
    if (pattern_) out = by_pattern(ran.exit);
    if (out.ns && !work_.check.empty()) {
      if (const auto wrong = TRY(checked(point, binary, ran.exit))) return *wrong;
    }
    return out;
  }

  Result<Timed> timed(const std::vector<std::string>& argv, ProfileRun& ran) {
    const std::string folder = fmt::format("{}/run-{}", folder_, ++runs_);
    auto run = target_.profile({.argv = argv,
                                .folder = folder,
                                .cwd = work_.cwd,
                                .timeout = timeout(),
                                .hip_calls = !work_.objective.empty(),
                                .from_outside = from_outside()});
    if (!run) return cannot_start(std::move(run).error());
    ran = std::move(*run);
    if (!ran.died_of.empty()) return failed_at("run", ran.died_of);
    if (auto failure = failure_of(ran.exit)) return *failure;
    if (ran.nothing) return failed_at("run", ran.nothing->message);
    Timed out{.ns = static_cast<double>(ran.exit.wall.count()),
              .stage = {},
              .reason = {},
              .ratio_band = 0,
              .stopped = false};
    if (!from_outside()) out = TRY(kernels_of(ran.databases));
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return out;
  }

  /// The time of the dispatches that count: end - start, summed.
  Result<Timed> kernels_of(const std::vector<std::string>& databases) {
    if (databases.empty()) return failed_at("run", "it launched no kernel");
    const auto trace = TRY(open_trace(databases));
    if (!work_.objective.empty()) return application_of(*trace);
    double sum = 0, bands = 0;
    std::size_t counted = 0;
    for (std::size_t row = 0; row < trace->size(); ++row) {
      const auto& kernel = trace->kernels()[trace->kernel_of(row)];
      if (!work_.kernel.empty() && kernel.name.find(work_.kernel) == std::string::npos) continue;
      sum += static_cast<double>(trace->duration_ns(row));
      bands += kernel.ratio_band * static_cast<double>(trace->duration_ns(row));
      ++counted;
    }
    if (counted == 0)
      return failed_at(
          "run", work_.kernel.empty()
                     ? "it launched no kernel"
                     : fmt::format("it launched no kernel with '{}' in its name", work_.kernel));
    if (sum <= 0) return failed_at("run", "its kernels took no time");
    return Timed{.ns = sum, .stage = {}, .reason = {}, .ratio_band = bands / sum, .stopped = false};
  }

  /// From the first to the last that was recorded: calls of the host, copies, dispatches.
  static Result<Timed> application_of(const Trace& trace) {
    if (trace.size() == 0) return failed_at("run", "it launched no kernel");
    auto [begin, end] = trace.extent_ns();
    const auto include = [&](const auto& rows) {
      for (const auto& row : rows) {
        begin = std::min(begin, row.start_ns);
        end = std::max(end, row.end_ns);
      }
    };
    include(TRY(trace.api())->rows);
    include(TRY(trace.copies())->rows);
    if (end <= begin) return failed_at("run", "it took no time");
    double ns = 0, bands = 0;
    for (std::size_t row = 0; row < trace.size(); ++row) {
      ns += static_cast<double>(trace.duration_ns(row));
      bands += trace.kernels()[trace.kernel_of(row)].ratio_band *
               static_cast<double>(trace.duration_ns(row));
    }
    return Timed{.ns = static_cast<double>(end - begin),
                 .stage = {},
                 .reason = {},
                 .ratio_band = ns > 0 ? bands / ns : 0,
                 .stopped = false};
  }

  [[nodiscard]] Timed by_pattern(const Exit& exit) const {
    constexpr double kNsPerMs = 1e6;
    const std::optional<std::string> found = pattern_->first_group(exit.out.text);
    if (!found) return failed_at("run", fmt::format("it printed nothing like '{}'", work_.pattern));
    const std::string& number = *found;
    char* end = nullptr;
    const double ms = std::strtod(number.c_str(), &end);
    if (end == number.c_str() || !std::isfinite(ms) || ms <= 0)
      return failed_at("run", fmt::format("it printed '{}', which is not a time", number));
    return Timed{.ns = ms * kNsPerMs, .stage = {}, .reason = {}, .ratio_band = 0, .stopped = false};
  }

  Result<std::optional<Timed>> checked(std::size_t point, const std::string& binary,
                                       const Exit& exit) {
    const std::string printed = folder_ + "/output.txt";
    TRY(write_file(printed, exit.out.text));
    const Exit check = TRY(run({.argv = words(work_.check, point, binary),
                                .env = {"RPL_OUTPUT=" + printed},
                                .cwd = work_.cwd,
                                .timeout = timeout()}));
    if (check.ok()) return std::optional<Timed>();
    const std::string said = last_line(check.err.text.empty() ? check.out.text : check.err.text);
    return std::optional(
        failed_at("verify", fmt::format("the check ended with status {}{}", check.code,
                                        said.empty() ? "" : ": " + said)));
  }

  /// A program that cannot be started fails as a configuration only where the configuration makes its name.
  Result<Timed> cannot_start(Error error) const {
    const bool by_name = !work_.command.empty() && work_.command[0].find('{') != std::string::npos;
    const bool its_own = error.code == Errc::verification_failed ||
                         (by_name && (error.code == Errc::not_found || error.code == Errc::denied));
    if (its_own) return failed_at("run", error.message);
    return Failure(std::move(error));
  }

  [[nodiscard]] std::chrono::milliseconds timeout() const {
    return std::chrono::seconds(work_.timeout_s);
  }
  [[nodiscard]] bool from_outside() const { return work_.target == "host"; }

  const Space& space_;
  Work work_;
  Target& target_;
  std::string folder_;
  std::optional<Pattern> pattern_;
  Compiler compiler_;  ///< where there is a source
  std::map<std::size_t, Built> built_;
  std::uint64_t runs_ = 0;
};

}  // namespace

Result<std::unique_ptr<Evaluator>> make_command_evaluator(const Space& space, const Work& work,
                                                          Target& target,
                                                          const std::string& folder) {
  auto out = std::make_unique<CommandEvaluator>(space, work, target, folder);
  TRY(out->prepare());
  return out;
}

}  // namespace rpl::tune
