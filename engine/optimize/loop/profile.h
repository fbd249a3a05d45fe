// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/optimize/store/store.h"
#include "engine/source/build/compiler.h"
#include "engine/target/target.h"

namespace rpl {

/// What to make faster.
struct OptimizationGoal {
  std::string source;   ///< path of the HIP source
  std::string kernel;   ///< empty: the captured one
  std::string capture;  ///< path of the folder
  std::vector<std::string> flags;
  std::int64_t parent =
      0;  ///< begin with the text of this accepted proposal, of the same source; 0: with the file as it is
};

/// Whether `current` is the optimization that a goal asks for, and its source is still the one that it began with: then there is no need to
/// begin again.
bool is_under_way(const OptimizationGoal& goal, const Optimization& current);

/// Builds the source as it is, runs the captured dispatch with what came out and keeps both as the baseline of all proposals to come. Fails with
/// verification_failed when that does not compute what the capture holds: then the source is not what was captured, and comparing with it would
/// prove nothing; with corrupt when the source does not compile; with denied for a parent that is not accepted or belongs to another source.
Result<Optimization> begin_optimization(const OptimizationGoal& goal, const Compiler& compiler,
                                        Target& target, ProposalStore& store);

}  // namespace rpl
