// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/bound.h"

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
  std::vector<double> samples = {};

  [[nodiscard]] std::optional<double> known_mean() const {
    return samples.empty() ? std::nullopt : std::optional(mean);
  }
};
/// The record "stability" of profile.json, whose samples are milliseconds.
inline constexpr auto kStabilityFields =
    bound_to<Stability>(column<&Stability::runs>("runs", "how many"),
                        column<&Stability::known_mean>("mean_ms", "of the runs"),
                        column<&Stability::stddev>("stddev_ms", "of the sample"),
                        column<&Stability::cv>("cv", "stddev_ms / mean_ms"),
                        column<&Stability::kind>("classification", "stable, moderate or unstable"),
                        column<&Stability::samples>("samples_ms", "in each run"));
inline Columns<Stability> bound(const Stability* /*of*/) { return kStabilityFields; }

/// Of none: one run of unknown time.
Stability stability_of(std::span<const double> samples);

/// What to do about runs that differ; "" where there is nothing to do. `what`: the quantity, "runtime_ms". `modelled`: of the virtual clock,
/// where equal work takes equal time.
std::string stability_advice(const Stability& stability, std::string_view what,
                             bool modelled = false);

}  // namespace rpl::profile
