// SPDX-License-Identifier: MIT
#pragma once

#include "engine/optimize/verify/reference_run.h"

namespace rpl {

/// What rounding can have changed of a baseline's results, by region.
struct RoundingErrors {
  std::vector<std::vector<float>> distances;                ///< see ReferenceRun::rounding
  std::vector<std::vector<std::vector<std::byte>>> others;  ///< see decided_by_rounding
  std::vector<double> biases;                               ///< see rounding_bias
  std::vector<bool> moves;                                  ///< see moves_by_rounding
};

/// Found out by running the baseline again from `reference.input[0]` with everything rounded up, down, and at random by operation, and with results that move by a unit in the
/// last place though they are exact. Empty where the baseline does not run so. Fails with interrupted alone.
Result<RoundingErrors> rounding_errors(const Runner& runner, const InputSet& set,
                                       const std::vector<BufferTraits>& traits,
                                       const ReferenceRun& reference, std::uint64_t seed);

/// The same from several more runs, for elements on which a candidate differs: what a few runs show is too little where a sum's last bits decide much, as they do in the
/// exponential of a difference of large numbers.
Result<RoundingErrors> more_rounding_errors(const Runner& runner, const InputSet& set,
                                            const std::vector<BufferTraits>& traits,
                                            const ReferenceRun& reference, std::uint64_t seed);

/// By region of floats and element: six standard deviations of what rounding at random makes of the baseline's result, absolute, from sixteen runs. Of a million elements of
/// honest candidates one differs by about five of those of its own rounding; rounding at random errs twice as much as rounding to the nearest.
Result<std::vector<std::vector<float>>> rounding_at_worst(const Runner& runner, const InputSet& set,
                                                          const std::vector<BufferTraits>& traits,
                                                          const ReferenceRun& reference,
                                                          std::uint64_t seed);

}  // namespace rpl
