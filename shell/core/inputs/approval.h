// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "shell/core/inputs/open_loop.h"

namespace rpl {

class Events;
class Face;

/// Set to kApprovalRefused in the environment of a process that an agent drives, and so of all that it starts, unless a person has allowed it to change sources.
inline constexpr const char* kApprovalVariable = "RPL_APPROVAL";
inline constexpr const char* kApprovalRefused = "refused";

/// Fails with denied where the session may not approve, or nobody sits at a terminal and it was not started with --allow approve: to be asked before a source is changed, or before long work that is to end so. `command`
/// is what a person would type instead. No sandbox: who runs programs as this user may change files without rpl.
Status person_allows(const Face& face, std::string_view command);

/// What was said with the command already.
struct Consent {
  bool modelled = false;  ///< its time may be a model's
  bool launch_elsewhere =
      false;  ///< the launch, which the file does not have, is or will be changed by hand
};

/// Writes an accepted proposal into the user's file: shows the change and asks whoever sits at the terminal, lets listeners of
/// `before_approve` veto, and approves. Fails with denied (also where person_allows() does), or as approve() does.
Result<Proposal> approve_as_person(Face& face, Events& events, ProposalStore& store,
                                   const std::string& reference, const Consent& given);

}  // namespace rpl
