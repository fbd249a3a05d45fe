// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/rule.h"
#include "engine/source/text/declarations.h"

namespace rpl {

enum class LoopKind { for_loop, while_loop, do_loop };

/// One loop of a function body; all positions are token indices.
struct SourceLoop {
  LoopKind kind = LoopKind::for_loop;
  std::size_t keyword = 0;
  std::size_t head_begin = 0;  ///< behind the parenthesis of the head
  std::size_t head_end = 0;    ///< the closing one
  std::size_t body_begin = 0;
  std::size_t body_end = 0;
  bool innermost = true;
  std::size_t early_exit =
      0;  ///< the first `break`, `return` or `goto` that leaves this loop; 0: none
  std::vector<std::size_t> pragmas;  ///< the directives directly before the keyword
};

struct LoopsFound {
  std::vector<SourceLoop> loops;  ///< in the order of their keywords
  bool too_deep = false;          ///< statements are nested too deeply to be read
};

/// The loops of a kernel's body, those of lambdas in it included, those that macros hide not.
LoopsFound find_loops(const SourceText& source, const SourceKernel& kernel);

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

/// The rule `loop-unroll`: `#pragma unroll N` for the innermost loops of one kernel. Refuses loops with barriers,
/// cross-lane operations, atomics, inline assembly or dynamic LDS (also behind macros, lambdas and functions of the file),
/// loops that end early, and loops that change their own bound. A `#pragma unroll` of the loop is replaced. Errors are those of find_target().
Result<RuleOutcome> propose_unroll(std::string_view source, std::string_view kernel);

}  // namespace rpl
