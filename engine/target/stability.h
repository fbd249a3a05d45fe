// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rpl::profile {

enum class StabilityClass { stable, moderate, unstable };
std::string_view to_string(StabilityClass value);

/// How much a quantity differs between runs of a program.
struct Stability {
  std::size_t runs = 0;
  double mean = 0;                          ///< of the samples, in their unit
  std::optional<double> stddev = {};        ///< of the sample (n - 1); none for one run
  std::optional<double> cv = {};            ///< stddev / mean; none for one run or a mean of 0
  std::optional<StabilityClass> kind = {};  ///< stable up to a cv of 0.05, moderate up to 0.10
};

/// At least one sample.
Stability stability_of(std::span<const double> samples);

/// What to do about runs that differ; "" where there is nothing to do. `what`: the quantity, "runtime_ms". `modelled`: of the virtual clock,
/// where equal work takes equal time.
std::string stability_advice(const Stability& stability, std::string_view what,
                             bool modelled = false);

}  // namespace rpl::profile
