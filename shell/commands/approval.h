// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shell/commands/context.h"
#include "shell/commands/loop_context.h"

namespace rpl {

/// Writes an accepted proposal into the user's file: asks, where its gain is modelled and that was not `accepted` before, lets listeners of
/// `before_approve` veto, and approves. Fails with denied, or as approve() does.
Result<Proposal> approve_as_person(Context& context, LoopContext& loop, const std::string& reference, bool accept_modelled);

}  // namespace rpl
