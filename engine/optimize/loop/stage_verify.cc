// SPDX-License-Identifier: MIT
#include <fmt/format.h>

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

Record facts_of(const VerifyReport& report, bool bit_exact) {
  List results, notes;
  for (const ResultCheck& result : report.results) results.push_back(result_value(result));
  for (const std::string& note : report.notes) notes.emplace_back(note);
  return {{"passed", report.passed},
          {"input_sets", report.input_sets},
          {"candidate_runs", report.candidate_runs},
          {"comparison", bit_exact ? "bit by bit" : "tolerance of the type"},
          {"results", results},
          {"notes", notes}};
}

std::uint64_t compared(const VerifyReport& report) {
  std::uint64_t out = 0;
  for (const ResultCheck& result : report.results) out += result.worst.elements;
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

}  // namespace

Result<StageOutcome> verify_stage(const Proposal& proposal, const Workbench& bench) {
  const auto baseline = TRY(isa::CodeObject::open(bench.optimization->base_object()));
  const auto candidate = TRY(isa::CodeObject::open(proposal.candidate_object()));
  VerifyReport report = TRY(verify({.capture = bench.capture,
                                    .baseline = baseline,
                                    .candidate = candidate,
                                    .bit_exact = proposal.bit_exact},
                                   *bench.verifier));
  StageOutcome out;
  out.passed = report.passed;
  const CheckMark check = self_check(*bench.capture);
  const std::string weakness = check.verdict == "weak" ? warning_of(check) : "";
  if (!weakness.empty()) report.notes.push_back(weakness);
  out.facts = facts_of(report, proposal.bit_exact);
  for (const VerifyFinding& finding : report.findings)
    out.reasons.push_back({finding.rule, finding.message});
  out.found = report.passed
                  ? fmt::format("{} elements {} on {} input sets", compared(report),
                                proposal.bit_exact ? "equal bit by bit" : "within tolerance",
                                report.input_sets)
                  : fmt::format("wrong: {}", out.reasons.front().message);
  if (report.passed && !weakness.empty()) out.found += "; " + weakness;
  if (out.passed) TRY(ask_user(proposal, bench, out));
  return out;
}

}  // namespace rpl
