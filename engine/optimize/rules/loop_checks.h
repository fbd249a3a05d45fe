// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rule.h"

namespace rpl {

/// Why a loop should not be changed, with the line; none when nothing is in the way.
///
/// A word of the loop, head or body, that leads to something that must not be repeated.
std::optional<RuleRefusal> effect_in_loop(const SourceText& text, const SourceLoop& loop,
                                          const Effects& effects);
/// It ends early.
std::optional<RuleRefusal> exit_of_loop(const SourceText& text, const SourceLoop& loop);
/// Its body assigns a name of its condition.
std::optional<RuleRefusal> changed_bound_of_loop(const SourceText& text, const SourceLoop& loop);

/// Whether token `i`, a name, is assigned: `x = `, `x[i] +=`, `++x`.
bool is_assigned_at(const SourceText& text, std::size_t i);

/// The tokens between the two semicolons of the head of a `for`; none for a loop over a range.
ByteRange condition_of_loop(const SourceText& text, const SourceLoop& loop);

}  // namespace rpl
