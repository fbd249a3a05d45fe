// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"

namespace rpl {
namespace {

double number_of(const Record& record, std::string_view name) {
  for (const auto& [key, value] : record) {
    if (key == name) return value.number().value_or(0);
  }
  return 0;
}

bool is_verified(const Record& profile) {
  return std::ranges::any_of(profile, [](const auto& field) {
    const std::string* text = field.second.template as<std::string>();
    return field.first == "self_check" && text != nullptr && *text == "verified";
  });
}

std::string profile_text(const Optimization& optimization) {
  const Record& profile = optimization.profile;
  return fmt::format("baseline built and {} the capture: {:.0f} cycles, {:.0f} wave-instructions",
                     is_verified(profile) ? "verified against" : "equal to",
                     number_of(profile, "cycles"), number_of(profile, "instructions"));
}

/// Of all cycles that waves spend, the part in which one waits for memory; a wave may wait while others work.
std::string select_text(const Optimization& optimization) {
  const Record& profile = optimization.profile;
  const double waits = number_of(profile, "vmem_wait_cycles"),
               lds = number_of(profile, "lds_wait_cycles");
  const double waves = std::max(1.0, number_of(profile, "waves"));
  const double dispatches = number_of(profile, "dispatches");
  const std::string which =
      dispatches > 1 ? fmt::format("the first of {} dispatches", dispatches) : "the only kernel";
  return fmt::format(
      "{} is {} of this capture; a wave waits {:.0f} cycles for memory and {:.0f} for LDS",
      short_kernel(demangled(optimization.kernel)), which, waits / waves, lds / waves);
}

bool measured_better(const Proposal& proposal) {
  return text_in(proposal.evidence, "measure", "time_source") == "measured" &&
         text_in(proposal.evidence, "decide", "verdict") == to_string(Verdict::improved) &&
         proposal.decided_at != Stage::decide;
}

}  // namespace

std::optional<Stage> next_stage(const ProposalStore& store) {
  const auto current = store.current();
  if (!current) return Stage::profile;
  if (current->reached < Stage::propose) return row_of(current->reached).next;
  if (const auto open = store.next_open()) return next_stage(open->state);
  return awaiting_again(store) ? std::optional(Stage::again) : std::nullopt;
}

std::string next_text(const ProposalStore& store) {
  const auto next = next_stage(store);
  if (!next || store.optimizations().empty()) return "";
  const auto open = store.next_open();
  return fmt::format("{}:{}",
                     open ? open->id() : fmt::format("o{}", store.optimizations().back().number),
                     to_string(*next));
}

std::optional<Proposal> awaiting_again(const ProposalStore& store) {
  if (!store.current()) return std::nullopt;
  int better = 0;
  for (const Proposal& proposal : store.of_current()) better += measured_better(proposal) ? 1 : 0;
  // The best of one was not chosen.
  if (better < 2) return std::nullopt;
  auto best = best_accepted(store);
  if (!best || !measured_better(*best) || number_in(best->evidence, "again", "ratio"))
    return std::nullopt;
  return best;
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
  const auto again = number_in(proposal.evidence, "again", "ratio");
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
  report.next = next_stage(store_);
  report.next_proposal = report.next == Stage::again ? awaiting_again(store_) : store_.next_open();
  report.best = best_accepted(store_);
  report.more_rules =
      !report.next && tools_.rules.rule.empty() && tools_.rules.scope == RuleScope::v1;
}

Result<StepReport> OptimizationLoop::told(StepReport report) const {
  set_next(report);
  TRY(tools_.listener->after(report));
  return report;
}

Result<StepReport> OptimizationLoop::begin(const OptimizationGoal& goal) {
  TRY(tools_.stop.check());
  StepReport report;
  report.optimization =
      TRY(begin_optimization(goal, TRY(tools_.compiler()), *tools_.verifier, store_));
  report.outcome = {.passed = true,
                    .found = profile_text(report.optimization),
                    .facts = report.optimization.profile};
  return told(std::move(report));
}

Result<StepReport> OptimizationLoop::done(Stage stage) const {
  StepReport report;
  report.optimization = TRY(store_.current());
  if (stage > std::min(report.optimization.reached, Stage::propose))
    return fail(Errc::not_found, fmt::format("{} is still to come", to_string(stage)),
                "'step' runs the next stage");
  report.stage = stage;
  report.outcome.passed = true;
  report.outcome.found = "done before";
  if (stage == Stage::propose) report.made = store_.of_current();
  set_next(report);
  return report;
}

Result<StepReport> OptimizationLoop::step() {
  Optimization current = TRY(store_.current());
  const auto next = next_stage(store_);
  if (!next) {
    return fail(
        Errc::not_found, "every proposal is decided",
        "'info proposals' shows how; 'approve' takes an accepted one; 'step --again' starts over");
  }
  switch (*next) {
    case Stage::select:
      return select(std::move(current));
    case Stage::propose:
      return propose(std::move(current));
    case Stage::again:
      return measure_again();
    default:
      return carry_out(*next, std::move(*store_.next_open()));
  }
}

Result<StepReport> OptimizationLoop::select(Optimization optimization) {
  TRY(tools_.stop.check());
  optimization.reached = Stage::select;
  TRY(store_.save(optimization));
  StepReport report;
  report.stage = Stage::select;
  report.outcome = {
      .passed = true, .found = select_text(optimization), .facts = optimization.profile};
  report.optimization = std::move(optimization);
  return told(std::move(report));
}

Result<StepReport> OptimizationLoop::propose(Optimization optimization) {
  TRY(tools_.stop.check());
  StepReport report;
  report.stage = Stage::propose;
  RuleProposals proposals = TRY(propose_by_rules(optimization, store_, tools_.rules));
  report.made = std::move(proposals.made);
  report.refusals = std::move(proposals.refusals);
  report.outcome.passed = !report.made.empty();
  report.outcome.found = report.made.empty()
                             ? "no rule applies to this kernel"
                             : fmt::format("{} proposals, {} to {}", report.made.size(),
                                           report.made.front().id(), report.made.back().id());
  optimization.reached = Stage::propose;
  TRY(store_.save(optimization));
  report.optimization = std::move(optimization);
  return told(std::move(report));
}

Result<Workbench> OptimizationLoop::workbench(const Optimization& optimization,
                                              const Capture& capture, const StageRow& row) {
  Workbench out{.optimization = &optimization,
                .capture = &capture,
                .verifier = tools_.verifier,
                .compiler = tools_.compiler,
                .rule = tools_.rule,
                .measuring = tools_.measuring,
                .gate = tools_.gate,
                .listener = tools_.listener,
                .hardware = tools_.hardware,
                .seed = tools_.seed,
                .runs = &runs_,
                .assume_captured = tools_.rules.assume_captured};
  Optimization first = optimization;
  while (first.parent != 0) {
    const Proposal parent = TRY(store_.proposal(std::to_string(first.parent)));
    out.bit_exact_so_far = out.bit_exact_so_far && parent.bit_exact;
    Optimization before = TRY(store_.optimization(parent.optimization));
    // Another capture holds what the text that was built on computes.
    if (before.capture != first.capture) break;
    first = std::move(before);
  }
  if (first.number != optimization.number) out.origin = std::move(first);
  if (row.measures && tools_.measuring.target)
    out.rule.noise_floor = TRY(noise_on(tools_.measuring, optimization, capture, store_.session()));
  return out;
}

Result<StepReport> OptimizationLoop::carry_out(Stage stage, Proposal proposal, bool verify_all) {
  TRY(tools_.stop.check());
  TRY(tools_.listener->before(stage, proposal));
  StepReport report;
  report.stage = stage;
  report.optimization = TRY(store_.optimization(proposal.optimization));
  const Capture capture = TRY(read_capture(report.optimization.capture));
  if (stage == Stage::guard) TRY(look_ahead(report.optimization, capture));
  auto ahead = ahead_ ? ahead_->take(stage, proposal) : std::nullopt;
  if (ahead) {
    report.outcome = std::move(ahead->outcome);
    proposal = std::move(ahead->proposal);
  } else {
    Workbench bench = TRY(workbench(report.optimization, capture, row_of(stage)));
    bench.verify_all = verify_all;
    report.outcome = TRY(advance(proposal, stage, bench));
  }
  TRY(store_.save(proposal));
  report.proposal = std::move(proposal);
  return told(std::move(report));
}

Status OptimizationLoop::look_ahead(const Optimization& optimization, const Capture& capture) {
  if (!looks_ahead_ || ahead_of_ == optimization.number || !tools_.compiler) return {};
  ahead_of_ = optimization.number;
  ahead_.reset();
  std::vector<Proposal> open = store_.of_current();
  std::erase_if(open, [&](const Proposal& one) {
    return one.state != ProposalState::proposed || one.optimization != optimization.number;
  });
  if (open.size() < 2) return {};
  const auto compiler = tools_.compiler();
  // The stage that asks for it says why there is none.
  if (!compiler) return {};
  const auto kept = std::make_shared<const Capture>(capture);
  Workbench bench = TRY(workbench(optimization, *kept, row_of(Stage::guard)));
  // Who asks for the compiler looks at settings, which are this thread's.
  bench.compiler = [known = *compiler]() -> Result<Compiler> { return known; };
  bench.runs = nullptr;
  bench.verifier = nullptr;
  ahead_ = std::make_unique<StagesAhead>(optimization, kept, std::move(bench), std::move(open));
  return {};
}

Result<StepReport> OptimizationLoop::step(Proposal proposal) {
  if (const auto next = next_stage(proposal.state)) return carry_out(*next, std::move(proposal));
  return fail(Errc::usage,
              fmt::format("{} is {}: no stage follows", proposal.id(), to_string(proposal.state)),
              "'info proposals' shows how each stands; 'step --again' starts over");
}

Result<std::vector<StepReport>> OptimizationLoop::steps(Proposal proposal,
                                                        std::optional<Stage> last) {
  std::vector<StepReport> done;
  while (proposal.open() && (done.empty() || done.back().stage != last)) {
    done.push_back(TRY(carry_out(*next_stage(proposal.state), proposal, last == Stage::verify)));
    proposal = *done.back().proposal;
  }
  if (!done.empty()) return done;
  return fail(Errc::usage,
              fmt::format("{} is {} already", proposal.id(), to_string(proposal.state)),
              "'info proposal " + proposal.id() + "' shows what was found");
}

Result<StepReport> OptimizationLoop::measure_again() {
  if (auto winner = awaiting_again(store_)) return carry_out(Stage::again, std::move(*winner));
  return fail(Errc::not_found, "no proposal waits to be measured again",
              "'info proposals' shows how far each is");
}

}  // namespace rpl
