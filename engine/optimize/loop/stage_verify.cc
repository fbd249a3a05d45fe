// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mutex>
#include <utility>

#include "engine/base/entropy.h"
#include "engine/base/files.h"
#include "engine/optimize/loop/candidate_lines.h"
#include "engine/optimize/loop/contract_file.h"
#include "engine/optimize/loop/stages.h"
#include "engine/optimize/verify/oracle.h"
#include "engine/optimize/verify/verify.h"

namespace rpl {
namespace {

Value result_value(const ResultCheck& result) {
  return Record{
      {"name", result.name},
      {"element", to_string(result.element)},
      {"elements", result.worst.elements},
      {"mismatches", result.worst.mismatches},
      {"max_absolute", result.worst.max_absolute},
      {"max_relative", result.worst.max_relative},
      {"max_ulp", result.worst.max_ulp},
      {"first_bad_index", result.worst.mismatches > 0 ? Value(result.worst.first_index) : Value()},
      {"own_difference", result.own_difference},
      {"poisoned", result.poisoned}};
}

List texts(const std::vector<std::string>& from) {
  List out;
  for (const std::string& text : from) out.emplace_back(text);
  return out;
}

/// As text: not every reader of JSON keeps 64 bits of a number.
Value seed_value(std::uint64_t seed) { return fmt::format("{}", seed); }

Record facts_of(const VerifyReport& report, bool bit_exact) {
  List results;
  for (const ResultCheck& result : report.results) results.push_back(result_value(result));
  return {{"passed", report.passed},
          {"undecided", report.undecided},
          {"seed", seed_value(report.seed)},
          {"input_sets", report.input_sets},
          {"sets", texts(report.sets)},
          {"schedules", texts(report.schedules)},
          {"candidate_runs", report.candidate_runs},
          {"comparison", bit_exact ? "bit by bit" : "tolerance of the type"},
          {"results", results},
          {"baseline_races", texts(report.baseline_races)},
          {"unseen_in_baseline", report.unseen_in_baseline},
          {"notes", texts(report.notes)}};
}

// Small enough to be typed after --seed.
std::uint64_t secret_seed() { return 1 + system_entropy() % 1'000'000'000'000; }

/// What is known of the last baseline, for the next candidate of the same search: all of them see the same inputs, with a seed of this process.
class KeptStudy {
 public:
  std::shared_ptr<BaselineStudy> take(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return key == key_ ? std::exchange(study_, nullptr) : nullptr;
  }
  void keep(std::string key, std::shared_ptr<BaselineStudy> study) {
    const std::lock_guard lock(mutex_);
    key_ = std::move(key);
    study_ = std::move(study);
  }

 private:
  std::mutex mutex_;
  std::string key_;
  std::shared_ptr<BaselineStudy> study_;
};

std::uint64_t search_seed(const Workbench& bench) {
  static const std::uint64_t ours = secret_seed();
  return bench.seed != 0 ? bench.seed : ours;
}

/// What a candidate, or another text, is verified with.
struct Means {
  std::shared_ptr<const isa::CodeObject> object;
  const Optimization& against;  ///< whose base it is held against
  const Contract& contract;
  std::uint64_t seed;
  CandidateLines* lines;  ///< null: another build of the text, of which not all has to run
  std::shared_ptr<BaselineStudy>* study;
  bool marked_build = false;  ///< see VerifyRequest
};

Result<VerifyReport> verified(const Proposal& proposal, const Workbench& bench,
                              const Means& means) {
  const Optimization& against = means.against;
  const auto baseline = TRY(isa::CodeObject::open(against.base_object()));
  CodeOrigin origin;
  if (CandidateLines* lines = means.lines) {
    origin = {.from_mathematics =
                  [lines](std::uint64_t address) { return lines->is_from_mathematics(address); },
              .loop = [lines](std::uint64_t address) { return lines->loop(address); }};
  }
  // What rules assume (that arguments do not alias, that workgroups are not larger) holds with other scalars and grids too: they are tried all the same.
  return verify({.capture = bench.capture,
                 .baseline = baseline,
                 .candidate = means.object,
                 .baseline_launch = against.launch,
                 .launch = proposal.launch,
                 .fusion = proposal.fusion,
                 .bit_exact = proposal.bit_exact && (against.number == bench.optimization->number ||
                                                     bench.bit_exact_so_far),
                 .coverage = means.lines != nullptr,
                 .few_long = means.lines == nullptr,
                 .marked_build = means.marked_build,
                 .seed = means.seed,
                 .contract = means.contract,
                 .study = means.study,
                 .origin = std::move(origin)},
                *bench.verifier);
}

void add_reasons(const VerifyReport& report, CandidateLines& lines_of,
                 std::vector<Reason>& reasons) {
  for (const VerifyFinding& finding : report.findings) {
    Reason reason{finding.rule, finding.message};
    std::vector<std::int64_t> lines;
    for (const std::uint64_t address : finding.addresses) {
      const std::int64_t line = lines_of.line(address);
      if (line != 0 && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    }
    if (!lines.empty()) {
      reason.line = lines.front();
      reason.message +=
          fmt::format(", line{} {}", lines.size() > 1 ? "s" : "", fmt::join(lines, " and "));
    }
    reasons.push_back(std::move(reason));
  }
}

std::uint64_t compared(const VerifyReport& report) {
  std::uint64_t out = 0;
  for (const ResultCheck& result : report.results) out += result.elements;
  return out;
}

/// The user's own check comes last: it need not look at what is wrong anyway.
Status ask_user(const Proposal& proposal, const Workbench& bench, StageOutcome& out) {
  const UserVerdict verdict =
      TRY(bench.listener->check(check_subject(Stage::verify, *bench.optimization, proposal)));
  if (verdict.asked.empty()) return {};
  List asked;
  for (const std::string& one : verdict.asked) asked.emplace_back(one);
  out.facts.emplace_back("user_check", Record{{"asked", Value(std::move(asked))},
                                              {"passed", !verdict.against.has_value()}});
  out.passed = !verdict.against;
  if (verdict.against) {
    out.found = "refused by your check: " + verdict.against->message;
    out.reasons.push_back(*verdict.against);
  } else {
    out.found += ", and your check agrees";
  }
  return {};
}

/// Signed numbers that wrap, no types that rule out aliasing, no endless loops that are none, and a value that nobody would have chosen in whatever is not initialised; and fewer
/// passes that could draw conclusions.
const std::vector<std::string>& defined_flags() {
  static const std::vector<std::string> flags = {"-O1", "-fwrapv", "-fno-strict-aliasing",
                                                 "-fno-finite-loops",
                                                 "-ftrivial-auto-var-init=pattern"};
  return flags;
}

/// How a text that was built so that nothing is undefined differs from the baseline; nothing: it does not, or that was not found out.
Result<std::optional<VerifyFinding>> wrong_when_defined(const std::string& source,
                                                        std::vector<std::string> flags,
                                                        const Proposal& proposal,
                                                        const Workbench& bench, Means means) {
  flags.insert(flags.end(), defined_flags().begin(), defined_flags().end());
  auto built = built_otherwise(source, std::move(flags), proposal, bench);
  if (!built && built.error().code == Errc::interrupted) return Failure(built.error());
  if (!built) return std::optional<VerifyFinding>();
  means.object = std::move(*built);
  means.lines = nullptr;
  const VerifyReport report = TRY(verified(proposal, bench, means));
  // Slower it may be, and races are found in the build that counts.
  if (report.passed || report.undecided || report.findings.front().rule == "runaway" ||
      report.findings.front().rule == "race")
    return std::optional<VerifyFinding>();
  return std::optional(report.findings.front());
}

/// What is right in one build alone is right by luck: the next compiler may make something else of it. What the text that it was made from does not bear either is no fault of the candidate.
Status verify_defined_build(const Proposal& proposal, const Workbench& bench, const Means& means,
                            StageOutcome& accepted) {
  if (!bench.compiler) return {};
  std::vector<std::string> flags = means.against.flags;
  Proposal base = proposal;
  base.launch = means.against.launch;
  base.fusion = {};
  std::vector<std::string> own = bench.optimization->flags;
  own.insert(own.end(), proposal.flags.begin(), proposal.flags.end());
  const auto wrong =
      TRY(wrong_when_defined(proposal.candidate_source(), std::move(own), proposal, bench, means));
  const bool base_too = wrong && TRY(wrong_when_defined(means.against.base_source(),
                                                        std::move(flags), base, bench, means));
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
Result<std::optional<VerifyFinding>> race_when_marked(const std::string& source,
                                                      std::vector<std::string> flags,
                                                      const Proposal& proposal,
                                                      const Workbench& bench, Means means) {
  if (!shares_closely(TRY(read_text_file(source)))) return std::optional<VerifyFinding>();
  for (std::string& flag : marking_flags()) flags.push_back(std::move(flag));
  auto built = built_otherwise(source, std::move(flags), proposal, bench);
  if (!built && built.error().code == Errc::interrupted) return Failure(built.error());
  if (!built) return std::optional<VerifyFinding>();
  means.object = std::move(*built);
  means.lines = nullptr;
  means.marked_build = true;
  const VerifyReport report = TRY(verified(proposal, bench, means));
  const bool races = !report.findings.empty() && report.findings.front().rule == "race";
  return races ? std::optional(report.findings.front()) : std::nullopt;
}

/// What the baseline's text does too is no fault of the candidate.
Status verify_marked_build(const Proposal& proposal, const Workbench& bench, const Means& means,
                           StageOutcome& accepted) {
  if (!bench.compiler) return {};
  std::vector<std::string> own = bench.optimization->flags;
  own.insert(own.end(), proposal.flags.begin(), proposal.flags.end());
  const auto race =
      TRY(race_when_marked(proposal.candidate_source(), std::move(own), proposal, bench, means));
  Proposal base = proposal;
  base.launch = means.against.launch;
  base.fusion = {};
  const bool base_too = race && TRY(race_when_marked(means.against.base_source(),
                                                     means.against.flags, base, bench, means));
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

/// What rules try and what the model sees no gain in is decided by that; nothing: it is worth verifying. A clock times nothing that was not verified.
Result<std::optional<StageOutcome>> left_out(const Proposal& proposal, const Workbench& bench) {
  std::optional<StageOutcome> none;
  if (bench.verify_all || bench.measuring.target || proposal.origin != "rule") return none;
  Proposal timed = proposal;
  put(timed.evidence, to_string(Stage::measure), Value(TRY(measure_stage(proposal, bench)).facts));
  const Decision decision = TRY(decision_on(timed, bench.rule));
  if (decision.verdict == Verdict::improved) return none;
  const std::string why = fmt::format(
      "left out: {:.3f} times as fast on the captured input (modelled)", decision.ratio);
  return std::optional(StageOutcome{.passed = true, .found = why, .facts = {{"left_out", why}}});
}

}  // namespace

Result<StageOutcome> verify_stage(const Proposal& proposal, const Workbench& bench) {
  if (auto without = TRY(left_out(proposal, bench))) return std::move(*without);
  static KeptStudy kept;
  const Contract contract = TRY(contract_of(*bench.optimization));
  const std::string key =
      fmt::format("{}\n{}", bench.optimization->folder, fmt::join(lines_of(contract), "\n"));
  auto study = kept.take(key);
  CandidateLines lines(proposal, bench);
  VerifyReport report =
      TRY(verified(proposal, bench,
                   {.object = TRY(isa::CodeObject::open(proposal.candidate_object())),
                    .against = *bench.optimization,
                    .contract = contract,
                    .seed = search_seed(bench),
                    .lines = &lines,
                    .study = &study}));
  kept.keep(key, std::move(study));
  StageOutcome out;
  out.passed = report.passed;
  const CheckMark check = self_check(*bench.capture);
  if (check.verdict == "weak") report.notes.push_back(warning_of(check));
  out.facts = facts_of(report, proposal.bit_exact);
  if (!contract.empty()) out.facts.emplace_back("contract", texts(lines_of(contract)));
  add_reasons(report, lines, out.reasons);
  if (report.passed)
    out.found = fmt::format("{} elements {} on {} input sets{}", compared(report),
                            proposal.bit_exact ? "equal bit by bit" : "within tolerance",
                            report.input_sets, contract.empty() ? "" : " within the contract");
  else
    out.found =
        report.undecided ? out.reasons.front().message : "wrong: " + out.reasons.front().message;
  if (out.passed) TRY(ask_user(proposal, bench, out));
  return out;
}

Result<std::shared_ptr<BaselineStudy>> verify_finally(const Proposal& proposal,
                                                      const Workbench& bench,
                                                      StageOutcome& accepted) {
  std::shared_ptr<BaselineStudy> study;
  // Who decides on kept times alone has nothing to run on; the loop always has.
  if (bench.verifier == nullptr) {
    put(accepted.facts, "final_verification", Value());
    return study;
  }
  const std::uint64_t seed = bench.seed != 0 ? bench.seed : secret_seed();
  CandidateLines lines(proposal, bench);
  // Small errors of several changes could add up: the last of them is held against what all began with.
  const Optimization& origin = bench.origin ? *bench.origin : *bench.optimization;
  auto object = TRY(isa::CodeObject::open(proposal.candidate_object()));
  const Contract contract = TRY(contract_of(*bench.optimization));
  Means means{.object = std::move(object),
              .against = origin,
              .contract = contract,
              .seed = seed,
              .lines = &lines,
              .study = &study};
  const VerifyReport report = TRY(verified(proposal, bench, means));
  put(accepted.facts, "final_verification",
      Record{{"seed", seed_value(seed)},
             {"passed", report.passed},
             {"against", origin.id()},
             {"input_sets", report.input_sets},
             {"sets", texts(report.sets)},
             {"schedules", texts(report.schedules)},
             {"schedules", texts(report.schedules)},
             {"contract", texts(lines_of(contract))}});
  if (!report.passed) {
    accepted.passed = false;
    add_reasons(report, lines, accepted.reasons);
    accepted.found += fmt::format("; verified on inputs of its own (seed {}): {}", seed,
                                  accepted.reasons.front().message);
    return study;
  }
  TRY(verify_defined_build(proposal, bench, means, accepted));
  if (accepted.passed) TRY(verify_marked_build(proposal, bench, means, accepted));
  return study;
}

}  // namespace rpl
