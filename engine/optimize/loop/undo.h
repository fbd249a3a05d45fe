// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/optimize/store/store.h"

namespace rpl {

/// What was undone.
struct Undone {
  Proposal proposal;  ///< as it is now
  ProposalState decision =
      ProposalState::approved;  ///< what a person had decided: approved, reverted or rejected
};

/// Takes back the last decision of a person that still stands: an approval (the file becomes what it was, the proposal accepted again), a reversal (the
/// change is written again), a rejection (the proposal is as it was before). Nothing is removed from the session: a further record says how the proposal
/// stands. Fails with not_found when nothing is left to undo, denied when the file changed since, io.
Result<Undone> undo_decision(ProposalStore& store);

}  // namespace rpl
