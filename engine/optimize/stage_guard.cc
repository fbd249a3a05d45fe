// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/optimize/stages.h"
#include "engine/source/guard.h"
#include "engine/source/header_edit.h"

namespace rpl {
namespace {

/// What a proposal may change depends on who made it: rules alone may change a header, by the one edit that they name, or nothing but options.
Result<GuardVerdict> text_verdict(const Proposal& proposal, const Optimization& optimization, const std::string& base,
                                  const std::string& candidate) {
  const bool typed = proposal.origin == "rule";
  if (typed && !proposal.header_edit.empty()) {
    return check_header_edit(base, optimization.kernel, TRY(header_edit_from(proposal.header_edit)), candidate);
  }
  if (typed && !proposal.flags.empty() && candidate == base) {
    GuardVerdict same;
    same.accept = true;
    return same;
  }
  return check_edit(base, optimization.kernel, candidate);
}

std::string changed(const Proposal& proposal, const Optimization& optimization) {
  if (!proposal.header_edit.empty()) return fmt::format("only the header of {} changed, by '{}'", optimization.kernel, proposal.header_edit);
  if (!proposal.flags.empty()) return "no source changed";
  return fmt::format("only the body of {} changed", optimization.kernel);
}

}  // namespace

Result<StageOutcome> guard_stage(const Proposal& proposal, const Workbench& bench) {
  const std::string base = TRY(read_text_file(bench.optimization->base_source()));
  const std::string candidate = TRY(read_text_file(proposal.candidate_source()));
  const GuardVerdict verdict = TRY(text_verdict(proposal, *bench.optimization, base, candidate));
  StageOutcome out;
  out.passed = verdict.accept;
  for (const GuardReason& reason : verdict.reasons) {
    out.reasons.push_back({reason.rule, reason.message, static_cast<std::int64_t>(reason.line)});
  }
  out.facts.emplace_back("rules_broken", std::uint64_t{verdict.reasons.size()});
  out.found = verdict.accept ? changed(proposal, *bench.optimization)
                             : fmt::format("the guard refuses it: {}", out.reasons.front().message);
  return out;
}

}  // namespace rpl
