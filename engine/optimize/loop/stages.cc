// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/stages.h"

#include <algorithm>
#include <array>

#include "engine/base/files.h"
#include "engine/optimize/loop/hashes.h"
#include "engine/optimize/loop/propose.h"

namespace rpl {
namespace {

using enum Stage;
using State = ProposalState;

constexpr std::array<StageRow, 17> kStages{{
    {.stage = profile, .next = select},
    {.stage = select, .next = propose},
    {.stage = propose, .leaves = State::proposed, .next = guard},
    {.stage = guard, .run = guard_stage, .leaves = State::guarded, .next = build},
    {.stage = build, .run = build_stage, .leaves = State::built, .next = screen},
    {.stage = screen, .run = screen_stage, .leaves = State::screened, .next = verify},
    {.stage = verify, .run = verify_stage, .leaves = State::verified, .next = measure},
    {.stage = measure,
     .run = measure_stage,
     .leaves = State::measured,
     .next = decide,
     .measures = true},
    {.stage = decide, .run = decide_stage, .leaves = State::accepted},
    {.stage = again,
     .run = again_stage,
     .leaves = State::accepted,
     .measures = true,
     .shown = Shown::finding_if_passed},
    {.stage = application, .next = target},
    {.stage = target, .next = capture},
    {.stage = capture, .next = profile},
    {.stage = round, .next = target},
    {.stage = confirm, .leaves = State::accepted, .next = target, .shown = Shown::finding},
    {.stage = end},
    {.stage = person},
}};
static_assert(std::ranges::is_sorted(kStages, {}, &StageRow::stage) &&
              kStages.back().stage == person);

}  // namespace

std::span<const StageRow> stage_rows() { return kStages; }

std::optional<Stage> next_stage(ProposalState state) {
  if (state >= State::accepted) return std::nullopt;
  return std::ranges::find(kStages, state, &StageRow::leaves)->next;
}

Result<StageOutcome> advance(Proposal& proposal, Stage stage, const Workbench& bench) {
  const StageRow& row = row_of(stage);
  // What is decided already does not depend on the file any more.
  if (proposal.open()) TRY(check_source(*bench.optimization, proposal.id() + " was proposed"));
  TRY(check_files(proposal, bench.optimization->base_source()));
  StageOutcome outcome = TRY(row.run(proposal, bench));
  // A text that changed while it was looked at was not looked at.
  TRY(check_files(proposal, bench.optimization->base_source()));
  if (stage == Stage::build && outcome.passed)
    keep_hash(proposal, JudgedFile::object, TRY(read_text_file(proposal.candidate_object())));
  put(proposal.evidence, to_string(stage), Value(outcome.facts));
  proposal.state = outcome.passed ? *row.leaves : State::rejected;
  if (!outcome.passed) {
    proposal.decided_at = stage;
    proposal.reasons = outcome.reasons;
  }
  if (proposal.state == State::accepted)
    keep_hash(proposal, JudgedFile::evidence, evidence_text(proposal));
  return outcome;
}

}  // namespace rpl
