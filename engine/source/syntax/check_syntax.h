// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/isa/traits/architecture.h"
#include "engine/source/build/compiler.h"
#include "engine/source/syntax/kernel_facts.h"
#include "engine/source/text/guard.h"

namespace rpl {

/// Two versions of a file whose kernel is to be compared by its syntax tree.
struct SyntaxRequest {
  std::string baseline, candidate;  ///< whole texts
  std::string kernel;               ///< as find_kernel() reads it
  /// Where a kernel of the candidate takes the place of two: that one, and the second of the two, `kernel` is the first. Empty: it is a version of `kernel`.
  std::string fused = {}, second = {};
  std::string folder = ".";  ///< where `#include "…"` is looked up first
  std::string architecture = isa::usual_architecture();
  std::vector<std::string> flags = {};
};

/// What the second layer of the guard found.
struct SyntaxCheck {
  bool ran = false;
  std::string why_not;               ///< when it did not run: "no compiler for HIP sources here: …"
  std::vector<GuardReason> reasons;  ///< empty: nothing against it
};

/// Lets clang read both texts for the device alone, writes nothing, and compares what they do. A candidate with errors is a reason
/// (`does-not-parse`: a call of a function of the host is such an error); a baseline with errors means that this layer cannot run. The facts
/// of the last few baselines are kept in memory. Fails with interrupted, or as find_target() does.
Result<SyntaxCheck> check_syntax(const Result<Compiler>& compiler, const SyntaxRequest& request);

/// What a candidate's kernel does that the baseline's does not and may not begin to do; by line. `own_functions` are those that the file declares: of
/// them no other may be called than before. The rules are described in docs/guards.md.
std::vector<GuardReason> compare_syntax(const SyntaxFacts& baseline, const SyntaxFacts& candidate,
                                        const std::set<std::string>& own_functions);

/// Whether a kernel may call this function of the compiler's or HIP's headers though it did not before: mathematics, conversions, hints, copies within
/// registers, and the built-ins that read the place in the grid. No barriers, atomics, cross-lane operations, clocks, traps or output.
bool may_be_called_anew(std::string_view name);

}  // namespace rpl
