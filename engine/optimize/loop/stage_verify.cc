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
#include "engine/optimize/loop/verifying.h"
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

Record facts_of(const VerifyReport& report, bool bit_exact) {
  List results;
  for (const ResultCheck& result : report.results) results.push_back(result_value(result));
  return {{"passed", report.passed},
          {"undecided", report.undecided},
          {"seed", seed_value(report.seed)},
          {"input_sets", report.input_sets},
          {"sets", texts_of(report.sets)},
          {"schedules", texts_of(report.schedules)},
          {"candidate_runs", report.candidate_runs},
          {"comparison", bit_exact ? "bit by bit" : "tolerance of the type"},
          {"results", results},
          {"baseline_races", texts_of(report.baseline_races)},
          {"unseen_in_baseline", report.unseen_in_baseline},
          {"notes", texts_of(report.notes)}};
}

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

List texts_of(const std::vector<std::string>& from) {
  List out;
  for (const std::string& text : from) out.emplace_back(text);
  return out;
}

/// As text: not every reader of JSON keeps 64 bits of a number.
Value seed_value(std::uint64_t seed) { return fmt::format("{}", seed); }

// Small enough to be typed after --seed.
std::uint64_t secret_seed() { return 1 + system_entropy() % 1'000'000'000'000; }

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
  if (!contract.empty()) out.facts.emplace_back("contract", texts_of(lines_of(contract)));
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

}  // namespace rpl
