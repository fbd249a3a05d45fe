// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/optimize/rules/rule.h"

namespace rpl {

/// The rule `loop-unroll`: `#pragma unroll N` for the innermost loops of one kernel. Refuses loops with barriers,
/// cross-lane operations, atomics, inline assembly or dynamic LDS (also behind macros, lambdas and functions of the file),
/// loops that end early, and loops that change their own bound. A `#pragma unroll` of the loop is replaced. Errors are those of find_target().
Result<RuleOutcome> propose_unroll(std::string_view source, std::string_view kernel);

}  // namespace rpl
