// SPDX-License-Identifier: MIT
#include "shell/commands/approval.h"

#include <fmt/format.h>

#include "engine/optimize/approve.h"

namespace rpl {
namespace {

/// A modelled gain is no measured one: a person says yes to that a second time.
Status consent(Context& context, const Proposal& proposal, bool given) {
  if (given) return {};
  const std::string model = text_in(proposal.evidence, "measure", "model");
  if (context.interactive && context.ask &&
      context.ask(fmt::format("{} was timed by the model {}, not on a GPU. Write it to the file all the same?",
                              proposal.id(), model))) {
    return {};
  }
  return fail(Errc::denied, fmt::format("{} was timed by the model {}, not on a GPU", proposal.id(), model),
              fmt::format("'approve {} --accept-modelled' writes it all the same", proposal.id()));
}

}  // namespace

Result<Proposal> approve_as_person(Context& context, LoopContext& loop, const std::string& reference, bool accept_modelled) {
  Proposal proposal = TRY(loop.store().proposal(reference));
  const Optimization optimization = TRY(loop.store().optimization(proposal.optimization));
  if (proposal.state == ProposalState::accepted) {
    TRY(consent(context, proposal, accept_modelled));
    TRY(context.events.emit("before_approve", Value(Record{{"proposal", proposal.id()},
                                                           {"title", proposal.title},
                                                           {"source", optimization.source},
                                                           {"ratio", Value(number_in(proposal.evidence, "decide", "ratio"))}})));
  }
  TRY(approve(proposal, loop.store()));
  return proposal;
}

}  // namespace rpl
