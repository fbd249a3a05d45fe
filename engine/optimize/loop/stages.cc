// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/stages.h"

#include <fmt/format.h>

#include <array>

#include "engine/optimize/loop/propose.h"

namespace rpl {
namespace {

struct Stage {
  std::string_view name;
  ProposalState before, after;
  Result<StageOutcome> (*run)(const Proposal&, const Workbench&);
};

constexpr std::array<Stage, 6> kStages{{
    {"guard", ProposalState::proposed, ProposalState::guarded, guard_stage},
    {"build", ProposalState::guarded, ProposalState::built, build_stage},
    {"screen", ProposalState::built, ProposalState::screened, screen_stage},
    {"verify", ProposalState::screened, ProposalState::verified, verify_stage},
    {"measure", ProposalState::verified, ProposalState::measured, measure_stage},
    {"decide", ProposalState::measured, ProposalState::accepted, decide_stage},
}};

const Stage* stage_after(ProposalState state) {
  for (const Stage& stage : kStages) {
    if (stage.before == state) return &stage;
  }
  return nullptr;
}

}  // namespace

std::string_view next_stage(ProposalState state) {
  const Stage* stage = stage_after(state);
  return stage ? stage->name : "";
}

const std::vector<std::string_view>& stage_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> out;
    for (const Stage& stage : kStages) out.push_back(stage.name);
    return out;
  }();
  return names;
}

Result<StageOutcome> advance(Proposal& proposal, const Workbench& bench) {
  const Stage* stage = stage_after(proposal.state);
  if (!stage) {
    return fail(Errc::usage,
                fmt::format("{} is {}: no stage follows", proposal.id(), to_string(proposal.state)),
                "'info proposals' shows how each stands; 'step --again' starts anew");
  }
  TRY(check_source(*bench.optimization, proposal.id() + " was proposed"));
  StageOutcome outcome = TRY(stage->run(proposal, bench));
  if (outcome.passed && stage->after == ProposalState::accepted)
    TRY(build_twice(proposal, bench, outcome));
  put(proposal.evidence, stage->name, Value(outcome.facts));
  proposal.state = outcome.passed ? stage->after : ProposalState::rejected;
  if (!outcome.passed) {
    proposal.decided_at = stage->name;
    proposal.reasons = outcome.reasons;
  }
  return outcome;
}

}  // namespace rpl
