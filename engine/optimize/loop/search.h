// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/optimize/loop/loop.h"

/// Changes that build on one another.
namespace rpl {

/// How far a search goes.
struct SearchPlan {
  std::int64_t rounds = 1;  ///< at most; each builds on what the one before accepted
  std::int64_t beam =
      1;  ///< so many accepted changes are built on in each round, the fastest first
};

/// A change that was accepted, and how many times as fast it is as what all began with.
struct Leader {
  Proposal proposal;
  double ratio = 1;
};

/// What a search did.
struct SearchReport {
  std::vector<StepReport> steps;
  std::vector<Leader> leaders;  ///< all that was accepted, the fastest first
};

/// Decides all proposals of the optimization under way, then builds on the fastest of them, until a round accepts nothing or none of it is faster than the fastest before, or
/// `plan` is carried out. `done`: steps that were carried out already, which come first in what is returned. What was done before a failure is kept in the session. Fails as
/// OptimizationLoop does.
Result<SearchReport> search(OptimizationLoop& loop, const SearchPlan& plan,
                            std::vector<StepReport> done);

}  // namespace rpl
