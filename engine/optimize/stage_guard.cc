// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/optimize/stages.h"
#include "engine/source/guard.h"

namespace rpl {

Result<StageOutcome> guard_stage(const Proposal& proposal, const Workbench& bench) {
  const std::string base = TRY(read_text_file(bench.optimization->base_source()));
  const std::string candidate = TRY(read_text_file(proposal.candidate_source()));
  const GuardVerdict verdict = TRY(check_edit(base, bench.optimization->kernel, candidate));
  StageOutcome out;
  out.passed = verdict.accept;
  for (const GuardReason& reason : verdict.reasons) {
    out.reasons.push_back({reason.rule, reason.message, static_cast<std::int64_t>(reason.line)});
  }
  out.facts.emplace_back("rules_broken", std::uint64_t{verdict.reasons.size()});
  out.found = verdict.accept ? fmt::format("only the body of {} changed", bench.optimization->kernel)
                             : fmt::format("the guard refuses it: {}", out.reasons.front().message);
  return out;
}

}  // namespace rpl
