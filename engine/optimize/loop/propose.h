// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/optimize/rules/catalogue.h"
#include "engine/optimize/store/store.h"

namespace rpl {

/// What the rules had to say about a kernel.
struct RuleProposals {
  std::vector<Proposal> made;
  std::vector<RuleRefusal> refusals;
};

/// What the user chose of the catalogue.
struct RuleChoice {
  RuleScope scope = RuleScope::extended;
  std::string rule = {};  ///< this one alone; "" for all of the scope
  bool assume_captured = false;
  std::vector<UserRule> user_rules = {};
};

/// Keeps a proposal for every edit that a rule offers for the baseline's source, in the order of the diagnosis. Fails with denied when the
/// user's file is no longer that source.
Result<RuleProposals> propose_by_rules(const Optimization& optimization, ProposalStore& store,
                                       const RuleChoice& choice = {});

/// What a captured dispatch says of launches; `folder` names it.
LaunchFacts launch_facts(const Capture& capture, const std::string& folder);

/// What holds the kernel back, the worst first, by what running the baseline gave: shares of the cycles that waves wait for memory and for
/// LDS, and of those in which they work; scratch and registers for occupancy.
struct RankedBottleneck {
  Bottleneck bottleneck;
  double share = 0;  ///< 0 to 1, of the lifetime of waves
};
std::vector<RankedBottleneck> ranked_bottlenecks(const Record& profile);

/// Keeps a file that somebody edited as a proposal; the guard judges it later. `title` may be empty. `launch`: how it
/// is launched otherwise than its baseline; written into the text where that can be done. Fails with usage when nothing is changed.
Result<Proposal> propose_edit(const Optimization& optimization, const std::string& edited_file,
                              std::string title, ProposalStore& store,
                              const LaunchPlan& launch = {});

/// Keeps a candidate that came another way: `draft` says origin, title and evidence. Fails as check_source() does, io.
Result<Proposal> propose_text(const Optimization& optimization, Proposal draft,
                              const std::string& candidate, ProposalStore& store);

/// Fails with denied when the user's file is neither what the optimization began with nor an accepted change that it builds on; `since` says
/// since when, for the message: "p3 was proposed".
Status check_source(const Optimization& optimization,
                    std::string_view since = "its baseline was built");
/// Whether `text` is one of these.
bool is_known_source(const Optimization& optimization, std::string_view text);

}  // namespace rpl
