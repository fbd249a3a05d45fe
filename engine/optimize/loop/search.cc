// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/search.h"

#include <algorithm>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

/// Until every proposal of the optimization under way is decided.
Status decide_all(OptimizationLoop& loop, std::vector<StepReport>& done) {
  const LookAhead ahead(loop);
  while (done.empty() || done.back().next) {
    TRY(interrupt::check());
    done.push_back(TRY(loop.step()));
  }
  return {};
}

OptimizationGoal goal_on(const Proposal& parent, const Optimization& before) {
  return {.source = before.source,
          .kernel = before.kernel,
          .capture = before.capture,
          .flags = before.flags,
          .parent = parent.number};
}

/// What was accepted of these optimizations, the fastest first. Options of the compiler are no text.
std::vector<Leader> leaders(const ProposalStore& store,
                            const std::vector<std::int64_t>& optimizations) {
  std::vector<Leader> out;
  for (const Proposal& proposal : store.proposals()) {
    const bool of_these =
        std::ranges::find(optimizations, proposal.optimization) != optimizations.end();
    if (of_these && proposal.state == ProposalState::accepted && proposal.flags.empty())
      out.push_back({proposal, ratio_of_chain(store, proposal)});
  }
  std::ranges::stable_sort(out, std::greater{}, &Leader::ratio);
  return out;
}

}  // namespace

Result<SearchReport> search(OptimizationLoop& loop, const SearchPlan& plan,
                            std::vector<StepReport> done) {
  ProposalStore& store = loop.store();
  SearchReport out{.steps = std::move(done), .leaders = {}};
  TRY(decide_all(loop, out.steps));
  std::vector<std::int64_t> round{TRY(store.current()).number}, all = round;
  double fastest = 1;
  for (std::int64_t turn = 1; turn < plan.rounds; ++turn) {
    std::vector<Leader> found = leaders(store, round);
    std::erase_if(found, [](const Leader& leader) { return !leader.proposal.fusion.empty(); });
    if (found.empty() || found.front().ratio <= fastest) break;
    fastest = found.front().ratio;
    if (found.size() > static_cast<std::size_t>(plan.beam))
      found.resize(static_cast<std::size_t>(plan.beam));
    round.clear();
    for (const Leader& leader : found) {
      const Optimization before = TRY(store.optimization(leader.proposal.optimization));
      out.steps.push_back(TRY(loop.begin(goal_on(leader.proposal, before))));
      round.push_back(out.steps.back().optimization.number);
      TRY(decide_all(loop, out.steps));
    }
    all.insert(all.end(), round.begin(), round.end());
  }
  out.leaders = leaders(store, all);
  return out;
}

}  // namespace rpl
