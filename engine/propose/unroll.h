// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// One edit that a rule offers: a whole file to build, in which only the body of the kernel differs.
struct RuleEdit {
  std::string rule;      ///< "loop-unroll"
  int factor = 0;        ///< iterations in one; 1 forbids the compiler to unroll
  std::size_t line = 0;  ///< 1-based, of the loop in the original file
  std::string title;     ///< "unroll the loop in line 11 by 4"
  std::string why;       ///< one sentence: what it is hoped to change
  std::string source;    ///< the whole patched file; check_edit() accepts it
};

/// A loop, or the kernel, for which the rule offers nothing.
struct RuleRefusal {
  std::size_t line = 0;  ///< 1-based, in the original file
  std::string reason;    ///< one sentence without a final period
};

struct RuleOutcome {
  std::vector<RuleEdit> edits;  ///< by loop, in the order 2, 4, 8, 1
  std::vector<RuleRefusal> refusals;
};

/// The rule `loop-unroll`: `#pragma unroll N` for the innermost loops of one kernel. Refuses loops with barriers,
/// cross-lane operations, atomics, inline assembly or dynamic LDS (also behind macros, lambdas and functions of the file),
/// loops that end early, and loops that change their own bound. A `#pragma unroll` of the loop is replaced. Errors are those of find_target().
Result<RuleOutcome> propose_unroll(std::string_view source, std::string_view kernel);

}  // namespace rpl
