// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/tune/search/evaluation.h"
#include "engine/tune/search/search.h"

namespace rpl::tune {

/// A search whose answers come from what is known; nothing runs.
struct Simulation {
  std::vector<std::size_t> order;            ///< points in the order of asking
  std::vector<std::optional<double>> curve;  ///< fastest time so far, ns
  std::optional<std::size_t> best;
  ModelReport model;
  double search_ns_per_evaluation = 0;  ///< processor time that choosing took
};
/// Fails as Search::start does, and with not_found for a point that the cache lacks, naming the configuration.
Result<Simulation> simulate(const Space& space, const Cache& cache, const SearchOptions& options,
                            std::size_t batch = 1);

/// After how many evaluations the best so far is within `share` (0.05) of the optimum's `truth`; none when never. Where times are noisy `truth`
/// may hold the true ones by point: what counts is what the choice is worth, not how fast it looked.
std::optional<std::size_t> evaluations_to_within(const Simulation& run, double share,
                                                 const std::vector<std::optional<double>>& times,
                                                 const std::vector<std::optional<double>>& truth);

/// A strategy against random search on one cache.
struct Race {
  std::size_t seeds = 0, points = 0;
  double
      median = 0,
      random_median =
          0;  ///< evaluations to within 5 % of the best in the cache; one more than the space has for never
  std::vector<double>
      curve = {},
      random_curve =
          {};  ///< median of the best so far by evaluation, ns; as long as the shorter runs
};
/// Seeds 0 to seeds − 1, budget: the whole space.
Result<Race> race_against_random(const Space& space, const Cache& cache, SearchOptions options,
                                 std::size_t seeds);

/// The space of what the cache holds, and the cache with the points of that one.
CacheFile cached_part(const Space& space, const Cache& cache);

/// How much of the spread of log times a parameter explains alone: the share of variance between its values (eta², corrected for the number of
/// values), 0 to 1; shares of parameters that work together need not sum to 1.
struct Importance {
  std::string parameter;
  double share = 0;
  Value best_value;  ///< with the least mean log time
};
/// Largest first; empty below 3 measured configurations.
std::vector<Importance> importance_of(const Space& space, const Cache& cache);

}  // namespace rpl::tune
