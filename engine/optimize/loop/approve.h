// SPDX-License-Identifier: MIT
#pragma once

#include "engine/optimize/store/store.h"

namespace rpl {

/// Puts an accepted candidate into the user's file: keeps a copy of the file in the proposal's folder, replaces it in one step (permissions
/// stay), and enters `approved`. Killed in between and called again it finishes what it began. Fails with denied when the proposal is not
/// accepted or the file is neither what the proposal was made from nor the candidate; io.
Status approve(Proposal& proposal, ProposalStore& store);

/// Puts the copy back and enters `reverted`. Fails with denied when the proposal is not approved or the file changed since, so that no work is
/// lost; io.
Status revert(Proposal& proposal, ProposalStore& store);

/// Enters `rejected` with the person's reason. Fails with denied for a proposal that is approved.
Status reject(Proposal& proposal, const std::string& why, ProposalStore& store);

}  // namespace rpl
