// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/final_verification.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/files.h"
#include "engine/optimize/loop/contract_file.h"

namespace rpl {
namespace {

using Object = std::shared_ptr<const isa::CodeObject>;

/// Signed numbers that wrap, no types that rule out aliasing, no endless loops that are none, and a value that nobody would have chosen in whatever is not initialised; and fewer
/// passes that could draw conclusions.
const std::vector<std::string>& defined_flags() {
  static const std::vector<std::string> flags = {"-O1", "-fwrapv", "-fno-strict-aliasing",
                                                 "-fno-finite-loops",
                                                 "-ftrivial-auto-var-init=pattern"};
  return flags;
}

/// What verification says of another build of a text; nothing where it was not built.
Result<std::optional<VerifyReport>> report_of(Result<Object> built, const Proposal& proposal,
                                              const Workbench& bench, Means means) {
  if (!built && built.error().code == Errc::interrupted) return Failure(built.error());
  if (!built) return std::optional<VerifyReport>();
  means.object = std::move(*built);
  return std::optional(TRY(verified(proposal, bench, means)));
}

/// How a text that was built so that nothing is undefined differs from the baseline; nothing: it does not, or that was not found out.
Result<std::optional<VerifyFinding>> wrong_when_defined(Result<Object> built,
                                                        const Proposal& proposal,
                                                        const Workbench& bench,
                                                        const Means& means) {
  const auto report = TRY(report_of(std::move(built), proposal, bench, means));
  // Slower it may be, and races are found in the build that counts.
  if (!report || report->passed || report->undecided ||
      report->findings.front().rule == "runaway" || report->findings.front().rule == "race")
    return std::optional<VerifyFinding>();
  return std::optional(report->findings.front());
}

/// Whether a text names a scope below that of the device, or memory of a workgroup.
bool shares_closely(std::string_view text) {
  constexpr std::string_view kWords[] = {"SCOPE_WORKGROUP", "SCOPE_WAVEFRONT", "SCOPE_SINGLETHREAD",
                                         "SCOPE_WRKGRP",    "SCOPE_WVFRNT",    "__shared__"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// What a source promises and machine code does not show: the scope of the device as that of the system, since compilers make the same instruction of an atomic of a workgroup's scope as of one of
/// the device's, and a marker (LaneRaces) at all that orders the lanes of a wave, which need no instruction for it.
std::vector<std::string> marking_flags() {
  const std::string marker = "__asm__ volatile(\"s_nop 13\":::\"memory\");";
  std::vector<std::string> out = {"-Wno-builtin-macro-redefined", "-Wno-macro-redefined",
                                  "-D__HIP_MEMORY_SCOPE_AGENT=__HIP_MEMORY_SCOPE_SYSTEM"};
  for (const std::string name : {"s_barrier()", "wave_barrier()", "fence(...)"}) {
    const std::string call = name == "fence(...)" ? "fence(__VA_ARGS__)" : name;
    out.push_back("-D__builtin_amdgcn_" + name + "=({" + marker + "__builtin_amdgcn_" + call +
                  ";})");
  }
  return out;
}

/// The race that a text has when it is built with what marking_flags() shows; nothing: none, or that was not found out.
Result<std::optional<VerifyFinding>> race_when_marked(Result<Object> built,
                                                      const Proposal& proposal,
                                                      const Workbench& bench, Means means) {
  means.marked_build = true;
  const auto report = TRY(report_of(std::move(built), proposal, bench, means));
  const bool races = report && !report->findings.empty() && report->findings.front().rule == "race";
  return races ? std::optional(report->findings.front()) : std::nullopt;
}

std::vector<std::string> with(std::vector<std::string> flags,
                              const std::vector<std::string>& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

Result<Object> defined_build(const std::string& source, const std::vector<std::string>& flags,
                             const Proposal& proposal, const Workbench& bench) {
  return built_otherwise(source, with(flags, defined_flags()), proposal, bench);
}

Result<Object> marked_build(const std::string& source, const std::vector<std::string>& flags,
                            const Proposal& proposal, const Workbench& bench) {
  return built_otherwise(source, with(flags, marking_flags()), proposal, bench);
}

}  // namespace

FinalVerification::FinalVerification(const Proposal& proposal, const Workbench& bench)
    : proposal_(proposal),
      bench_(bench),
      origin_(bench.origin ? *bench.origin : *bench.optimization),
      seed_(bench.seed != 0 ? bench.seed : secret_seed()) {
  if (!bench.compiler || bench.verifier == nullptr) return;
  const std::vector<std::string> flags = with(bench.optimization->flags, proposal.flags);
  const auto begin = [&](const auto& build) {
    return std::async(std::launch::async, [&, flags] {
      return build(proposal_.candidate_source(), flags, proposal_, bench_);
    });
  };
  defined_ = begin(defined_build);
  if (auto text = read_text_file(proposal.candidate_source()))
    shares_ = shares_closely(*text);
  else
    shares_ = Failure(text.error());
  if (shares_ && *shares_) marked_ = begin(marked_build);
  again_ = std::async(std::launch::async, [&] { return built_equal_again(proposal_, bench_); });
}

Means FinalVerification::means() {
  return {.object = nullptr,
          .against = origin_,
          .contract = contract_,
          .seed = seed_,
          .lines = nullptr,
          .study = &study_};
}

Proposal FinalVerification::base() const {
  Proposal out = proposal_;
  out.launch = origin_.launch;
  out.fusion = {};
  return out;
}

Status FinalVerification::on_own_inputs(StageOutcome& accepted) {
  // Who decides on kept times alone has nothing to run on; the loop always has.
  if (bench_.verifier == nullptr) {
    put(accepted.facts, "final_verification", Value());
    return {};
  }
  CandidateLines lines(proposal_, bench_);
  // Small errors of several changes could add up: the last of them is held against what all began with.
  contract_ = TRY(contract_of(*bench_.optimization));
  Means all = means();
  all.object = TRY(isa::CodeObject::open(proposal_.candidate_object()));
  all.lines = &lines;
  const VerifyReport report = TRY(verified(proposal_, bench_, all));
  put(accepted.facts, "final_verification",
      Record{{"seed", seed_value(seed_)},
             {"passed", report.passed},
             {"against", origin_.id()},
             {"input_sets", report.input_sets},
             {"sets", texts_of(report.sets)},
             {"schedules", texts_of(report.schedules)},
             {"contract", texts_of(lines_of(contract_))}});
  if (report.passed) return {};
  accepted.passed = false;
  add_reasons(report, lines, accepted.reasons);
  accepted.found += fmt::format("; verified on inputs of its own (seed {}): {}", seed_,
                                accepted.reasons.front().message);
  return {};
}

Status FinalVerification::in_other_builds(StageOutcome& accepted) {
  if (!bench_.compiler || bench_.verifier == nullptr) return {};
  TRY(verify_defined_build(accepted));
  return accepted.passed ? verify_marked_build(accepted) : Status();
}

/// What is right in one build alone is right by luck: the next compiler may make something else of it. What the text that it was made from does not bear either is no fault of the candidate.
Status FinalVerification::verify_defined_build(StageOutcome& accepted) {
  const auto wrong = TRY(wrong_when_defined(defined_.get(), proposal_, bench_, means()));
  bool base_too = false;
  if (wrong) {
    auto built = defined_build(origin_.base_source(), origin_.flags, proposal_, bench_);
    base_too = TRY(wrong_when_defined(std::move(built), base(), bench_, means())).has_value();
  }
  put(accepted.facts, "defined_build",
      !wrong     ? "no difference"
      : base_too ? "differs, as that of the baseline does"
                 : "differs");
  if (!wrong || base_too) return {};
  accepted.passed = false;
  accepted.reasons.push_back(
      {"undefined-behaviour",
       fmt::format("undecided: built with {} it does something else, so that its results depend on "
                   "what C++ leaves undefined (a variable without a value, a signed overflow, a "
                   "type read as another): {}",
                   fmt::join(defined_flags(), " "), wrong->message)});
  accepted.found += "; " + accepted.reasons.back().message;
  return {};
}

/// What the baseline's text does too is no fault of the candidate.
Status FinalVerification::verify_marked_build(StageOutcome& accepted) {
  std::optional<VerifyFinding> race;
  if (TRY(Result<bool>(shares_)))
    race = TRY(race_when_marked(marked_.get(), proposal_, bench_, means()));
  bool base_too = false;
  if (race && shares_closely(TRY(read_text_file(origin_.base_source())))) {
    auto built = marked_build(origin_.base_source(), origin_.flags, proposal_, bench_);
    base_too = TRY(race_when_marked(std::move(built), base(), bench_, means())).has_value();
  }
  put(accepted.facts, "marked_build",
      !race      ? "no race"
      : base_too ? "a race, as in that of the baseline"
                 : "a race");
  if (!race || base_too) return {};
  accepted.passed = false;
  accepted.reasons.push_back(
      {"unordered",
       "right as machine code and not as source, where an atomic has the scope of a "
       "workgroup and needs that of the device, or lanes of a wave hand each other "
       "something in LDS without a barrier or fence: " +
           race->message});
  accepted.found += "; " + accepted.reasons.back().message;
  return {};
}

Status FinalVerification::built_twice(StageOutcome& accepted) {
  const Result<bool> equal = again_.valid() ? again_.get() : built_equal_again(proposal_, bench_);
  if (!equal && equal.error().code == Errc::interrupted) return Failure(equal.error());
  put(accepted.facts, "built_twice",
      Value(!equal   ? "not built again"
            : *equal ? "equal"
                     : "differs"));
  if (!equal) {
    accepted.found +=
        fmt::format("; it could not be built a second time: {}", equal.error().message);
  } else if (!*equal) {
    accepted.found +=
        "; built a second time its code differs, so what was measured may not be what the next "
        "build gives";
  }
  return {};
}

}  // namespace rpl
