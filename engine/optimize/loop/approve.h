// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "engine/optimize/store/store.h"

namespace rpl {

/// That the cycle model has changed since the proposal was timed by it, as a sentence; nothing where it is the same, or a clock measured.
std::optional<std::string> model_changed(const Proposal& proposal);

/// The text of the candidate, which is the one that was judged; fails with denied where it changed since, io.
Result<std::string> judged_candidate(const Proposal& proposal);

/// Puts an accepted candidate into the user's file: keeps a copy of the file in the proposal's folder, replaces it in one step (permissions
/// stay), and enters `approved`. Killed in between and called again it finishes what it began. Fails with denied when the proposal is not
/// accepted, the file is neither what the proposal was made from nor the candidate, or candidate, base, code or evidence are not those that were judged
/// (hashes.h); io.
Status approve(Proposal& proposal, ProposalStore& store);

/// Puts the copy back and enters `reverted`. Fails with denied when the proposal is not approved or the file changed since, so that no work is
/// lost; io.
Status revert(Proposal& proposal, ProposalStore& store);

/// Enters `rejected` with the person's reason. Fails with denied for a proposal that is approved.
Status reject(Proposal& proposal, const std::string& why, ProposalStore& store);

/// What was undone.
struct Undone {
  Proposal proposal;  ///< as it is now
  ProposalState decision =
      ProposalState::approved;  ///< what a person had decided: approved, reverted or rejected
};

/// Takes back the last decision of a person that still stands: an approval (the file becomes what it was, the proposal accepted again), a reversal (the
/// change is written again), a rejection (the proposal is as it was before). Nothing is removed from the session: a further record says how the proposal
/// stands. `may_write` is asked before a source is written. Fails with not_found when nothing is left to undo, denied when the file changed since, io.
using MayWrite = std::function<Status()>;
Result<Undone> undo_decision(ProposalStore& store, const MayWrite& may_write);

}  // namespace rpl
