// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/demangle.h"
#include "engine/base/short_kernel.h"
#include "engine/optimize/loop/measure_again.h"

namespace rpl {
namespace {

double number_of(const Record& record, std::string_view name) {
  for (const auto& [key, value] : record) {
    if (key == name) return value.number().value_or(0);
  }
  return 0;
}

std::string profile_text(const Optimization& optimization) {
  const Record& profile = optimization.profile;
  return fmt::format(
      "baseline built and equal to the capture: {:.0f} cycles, {:.0f} wave-instructions",
      number_of(profile, "cycles"), number_of(profile, "instructions"));
}

/// Of all cycles that waves spend, the part in which one waits for memory; a wave may wait while others work.
std::string select_text(const Optimization& optimization) {
  const Record& profile = optimization.profile;
  const double waits = number_of(profile, "vmem_wait_cycles"),
               lds = number_of(profile, "lds_wait_cycles");
  const double waves = std::max(1.0, number_of(profile, "waves"));
  return fmt::format(
      "{} is the only kernel of this capture; a wave waits {:.0f} cycles for memory and {:.0f} for "
      "LDS",
      short_kernel(demangled(optimization.kernel)), waits / waves, lds / waves);
}

}  // namespace

std::string OptimizationLoop::next_stage_of(const ProposalStore& store) {
  const auto current = store.current();
  if (!current) return "profile";
  if (current->reached == "profile") return "select";
  if (current->reached == "select") return "propose";
  const auto open = store.next_open();
  if (open) return std::string(next_stage(open->state));
  return awaiting_again(store) ? std::string(kAgain) : "";
}

std::optional<Proposal> best_accepted(const ProposalStore& store) {
  std::optional<Proposal> best;
  const auto ratio = [](const Proposal& proposal) {
    return number_in(proposal.evidence, "decide", "ratio").value_or(0);
  };
  for (Proposal& proposal : store.of_current()) {
    if (proposal.state != ProposalState::accepted) continue;
    if (!best || ratio(proposal) > ratio(*best)) best = std::move(proposal);
  }
  return best;
}

double gain_of(const Proposal& proposal) {
  const auto again = number_in(proposal.evidence, kAgain, "ratio");
  return again ? *again : number_in(proposal.evidence, "decide", "ratio").value_or(0);
}

double ratio_of_chain(const ProposalStore& store, Proposal last) {
  double ratio = 1;
  while (true) {
    if (const double gain = gain_of(last); gain > 0) ratio *= gain;
    const auto base = store.optimization(last.optimization);
    if (!base || base->parent == 0) return ratio;
    auto parent = store.proposal(std::to_string(base->parent));
    if (!parent) return ratio;
    last = std::move(*parent);
  }
}

void OptimizationLoop::set_next(StepReport& report) const {
  report.next = next_stage_of(store_);
  report.next_proposal = store_.next_open();
  if (report.next == kAgain) report.next_proposal = awaiting_again(store_);
  report.best = best_accepted(store_);
}

Result<StepReport> OptimizationLoop::begin(const OptimizationGoal& goal) {
  StepReport report;
  report.stage = "profile";
  report.optimization =
      TRY(begin_optimization(goal, TRY(tools_.compiler()), *tools_.replayer, store_));
  report.outcome.passed = true;
  report.outcome.found = profile_text(report.optimization);
  report.outcome.facts = report.optimization.profile;
  set_next(report);
  return report;
}

bool OptimizationLoop::reached(std::string_view stage, const Optimization& current) const {
  constexpr std::array<std::string_view, 3> kStages{"profile", "select", "propose"};
  const auto at = [&](std::string_view name) {
    return std::find(kStages.begin(), kStages.end(), name);
  };
  return at(stage) != kStages.end() && at(stage) <= at(current.reached);
}

Result<StepReport> OptimizationLoop::done(std::string_view stage) const {
  StepReport report;
  report.optimization = TRY(store_.current());
  if (!reached(stage, report.optimization))
    return fail(Errc::not_found, fmt::format("{} is still to come", stage));
  report.stage = stage;
  report.outcome.passed = true;
  report.outcome.found = "done before";
  if (stage == "propose") report.made = store_.of_current();
  set_next(report);
  return report;
}

Result<StepReport> OptimizationLoop::step() {
  Optimization current = TRY(store_.current());
  if (current.reached == "profile") {
    StepReport report = select(std::move(current));
    TRY(store_.save(report.optimization));
    set_next(report);
    return report;
  }
  if (current.reached == "select") return propose(std::move(current));
  auto open = store_.next_open();
  if (open) return step(std::move(*open));
  if (awaiting_again(store_)) return measure_again();
  return fail(
      Errc::not_found, "every proposal is decided",
      "'info proposals' shows how; 'approve' takes an accepted one; 'step --again' starts anew");
}

StepReport OptimizationLoop::select(Optimization optimization) {
  StepReport report;
  report.stage = "select";
  report.outcome.passed = true;
  report.outcome.found = select_text(optimization);
  report.outcome.facts = optimization.profile;
  optimization.reached = "select";
  report.optimization = std::move(optimization);
  return report;
}

Result<StepReport> OptimizationLoop::propose(Optimization optimization) {
  StepReport report;
  report.stage = "propose";
  RuleProposals proposals = TRY(propose_by_rules(optimization, store_, tools_.rules));
  report.made = std::move(proposals.made);
  report.refusals = std::move(proposals.refusals);
  report.outcome.passed = !report.made.empty();
  report.outcome.found = report.made.empty()
                             ? "no rule applies to this kernel"
                             : fmt::format("{} proposals, {} to {}", report.made.size(),
                                           report.made.front().id(), report.made.back().id());
  optimization.reached = "propose";
  TRY(store_.save(optimization));
  report.optimization = std::move(optimization);
  set_next(report);
  return report;
}

Result<Workbench> OptimizationLoop::workbench(const Optimization& optimization,
                                              const Capture& capture, std::string_view stage) {
  Workbench out{.optimization = &optimization,
                .capture = &capture,
                .replayer = tools_.replayer,
                .compiler = tools_.compiler,
                .rule = tools_.rule,
                .measuring = tools_.measuring,
                .gate = tools_.gate,
                .check = tools_.check,
                .hardware = tools_.hardware};
  const bool measures = stage == "measure" || stage == kAgain;
  if (measures && tools_.measuring.replayer)
    out.rule.noise_floor = TRY(noise_on(tools_.measuring, optimization, capture, store_.session()));
  return out;
}

Result<StepReport> OptimizationLoop::measure_again() {
  auto waiting = awaiting_again(store_);
  if (!waiting) return fail(Errc::not_found, "no proposal waits to be measured again");
  Proposal winner = std::move(*waiting);
  StepReport report;
  report.stage = kAgain;
  report.optimization = TRY(store_.optimization(winner.optimization));
  const Capture capture = TRY(read_capture(report.optimization.capture));
  report.outcome = TRY(again_stage(winner, TRY(workbench(report.optimization, capture, kAgain))));
  put(winner.evidence, kAgain, Value(report.outcome.facts));
  if (!report.outcome.passed) {
    winner.state = ProposalState::rejected;
    winner.decided_at = kAgain;
    winner.reasons = report.outcome.reasons;
  }
  TRY(store_.save(winner));
  report.proposal = std::move(winner);
  set_next(report);
  return report;
}

Result<StepReport> OptimizationLoop::step(Proposal proposal) {
  StepReport report;
  report.stage = next_stage(proposal.state);
  report.optimization = TRY(store_.optimization(proposal.optimization));
  const Capture capture = TRY(read_capture(report.optimization.capture));
  report.outcome =
      TRY(advance(proposal, TRY(workbench(report.optimization, capture, report.stage))));
  TRY(store_.save(proposal));
  report.proposal = std::move(proposal);
  set_next(report);
  return report;
}

}  // namespace rpl
