// SPDX-License-Identifier: MIT
#include "engine/optimize/application/application_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/optimize/measure/simulate.h"
#include "engine/optimize/store/measurements.h"
#include "engine/target/traits.h"

namespace rpl {
namespace {

class PairSampler : public Sampler {
 public:
  PairSampler(const ApplicationTools& tools, const std::vector<std::string>& a_argv,
              const std::vector<std::string>& b_argv)
      : tools_(tools), a_argv_(a_argv), b_argv_(b_argv) {}

  Result<Samples> more(std::uint32_t processes) override {
    Samples out;
    for (std::uint32_t i = 0; i < processes; ++i) out.processes.push_back({TRY(pair())});
    return out;
  }
  [[nodiscard]] std::string_view time_source() const override { return "measured"; }

  std::vector<TimedRun> baseline, candidate;

 private:
  Result<MeasuredBlock> pair() {
    // Turns: what grows steadily, as heat does, falls on both sides alike.
    MeasuredBlock out{.a_first = baseline.size() % 2 == 0, .a_ns = {}, .b_ns = {}};
    if (!out.a_first) TRY(time(b_argv_, candidate, out.b_ns));
    TRY(time(a_argv_, baseline, out.a_ns));
    if (out.a_first) TRY(time(b_argv_, candidate, out.b_ns));
    return out;
  }

  Status time(const std::vector<std::string>& argv, std::vector<TimedRun>& runs,
              std::vector<double>& times) {
    TRY(interrupt::check());
    runs.push_back(TRY(tools_.time(argv)));
    times.push_back(runs.back().span_ns);
    return {};
  }

  const ApplicationTools& tools_;
  const std::vector<std::string>&a_argv_, &b_argv_;
};

std::string ratio_text(const Decision& decision) {
  if (!std::isfinite(decision.ci_high))
    return fmt::format("{:.3f} times as fast, at least {:.3f}", decision.ratio, decision.ci_low);
  return fmt::format("{:.3f} times as fast ({:.3f} to {:.3f})", decision.ratio, decision.ci_low,
                     decision.ci_high);
}

}  // namespace

Result<ApplicationTiming> time_pairs(const ApplicationTools& tools,
                                     const std::vector<std::string>& baseline,
                                     const std::vector<std::string>& candidate,
                                     const DecisionRule& rule, const Looks& looks) {
  PairSampler sampler(tools, baseline, candidate);
  Measurement measured = TRY(measure(sampler, rule, looks));
  ApplicationTiming out{
      .input = {.rule = rule, .looks = looks, .samples = std::move(measured.samples)},
      .decision = std::move(measured.decision),
      .baseline = {},
      .candidate = {}};
  out.baseline_ns = median_ns(out.input.samples, &MeasuredBlock::a_ns);
  out.candidate_ns = median_ns(out.input.samples, &MeasuredBlock::b_ns);
  out.baseline = std::move(sampler.baseline);
  out.candidate = std::move(sampler.candidate);
  return out;
}

Result<ApplicationNoise> application_noise(const ApplicationTools& tools,
                                           const std::vector<std::string>& argv) {
  constexpr Looks kOnce{.first = kCalibrationProcesses, .step = 0, .last = kCalibrationProcesses};
  ApplicationNoise out{.timing = TRY(time_pairs(tools, argv, argv, DecisionRule{}, kOnce))};
  out.noise = TRY(noise_floor(out.timing.input.samples, Looks{}.first));
  return out;
}

Status keep_timing(Session& session, std::string kind, std::string about,
                   const ApplicationTiming& timing, std::optional<double> noise) {
  TRY(keep(session, {.number = 0,
                     .kind = std::move(kind),
                     .target = std::string(to_string(TargetKind::local)),
                     .about = std::move(about),
                     .capture_code = {},
                     .time_source = "measured",
                     .noise = noise,
                     .input = timing.input,
                     .decision = timing.decision}));
  return {};
}

std::string pairs_text(const ApplicationTiming& timing) {
  return fmt::format("{} pairs of runs", timing.baseline.size());
}

Confirmation confirm_timed(const Application& before, const ApplicationRun& with_change,
                           const ApplicationTiming& timing) {
  const Decision& decision = timing.decision;
  Confirmation out{.passed = false, .ratio = decision.ratio, .rule = {}, .message = {}};
  for (const TimedRun& run : timing.candidate) {
    if (behaves_as_before(before, run.exit_code, run.output_sha256, out)) continue;
    return out;
  }
  if (!behaves_as_before(before, with_change.exit_code, with_change.output_sha256, out)) return out;
  const std::string times =
      fmt::format("{} -> {}", format_ns(timing.baseline_ns), format_ns(timing.candidate_ns));
  const std::string found =
      fmt::format("{}, {}, {}", times, ratio_text(decision), pairs_text(timing));
  if (decision.verdict == Verdict::regression) {
    out.rule = "application-regression";
    out.message = "the kernel is faster, the application is not: " + found;
  } else if (decision.ci_low <= 1 / (1 + decision.floor)) {
    out.rule = "application-undecided";
    out.message = fmt::format(
        "whether the application became slower is not decided: {}; the floor is {:.2f} %", found,
        decision.floor * 100);
  } else {
    out.passed = true;
    out.message = fmt::format(
        "the application {}{}", found,
        decision.verdict == Verdict::improved ? "" : ": no difference above the noise floor");
  }
  return out;
}

}  // namespace rpl
