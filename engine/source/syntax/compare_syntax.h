// SPDX-License-Identifier: MIT
#pragma once

#include "engine/source/syntax/kernel_facts.h"
#include "engine/source/text/guard.h"

namespace rpl {

/// What a candidate's kernel does that the baseline's does not and may not begin to do; by line. `own_functions` are those that the file declares: of
/// them no other may be called than before. The rules are described in docs/guards.md.
std::vector<GuardReason> compare_syntax(const SyntaxFacts& baseline, const SyntaxFacts& candidate,
                                        const std::set<std::string>& own_functions);

}  // namespace rpl
