// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/optimize/store.h"
#include "engine/propose/unroll.h"

namespace rpl {

/// What the rules had to say about a kernel.
struct RuleProposals {
  std::vector<Proposal> made;
  std::vector<RuleRefusal> refusals;
};

/// Keeps a proposal for every edit that a rule offers for the baseline's source. Fails with denied when the user's file is no longer that source.
Result<RuleProposals> propose_by_rules(const Optimization& optimization, ProposalStore& store);

/// Keeps a file that somebody edited as a proposal; the guard judges it later. `title` may be empty. Fails with usage when nothing is changed.
Result<Proposal> propose_edit(const Optimization& optimization, const std::string& edited_file, std::string title,
                              ProposalStore& store);

/// Fails with denied when the user's file is neither what the optimization began with nor an accepted change that it builds on; `since` says
/// since when, for the message: "p3 was proposed".
Status check_source(const Optimization& optimization, std::string_view since = "its baseline was built");
/// Whether `text` is one of these.
bool is_known_source(const Optimization& optimization, std::string_view text);

}  // namespace rpl
