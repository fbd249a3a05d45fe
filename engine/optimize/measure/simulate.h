// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/optimize/measure/decision.h"

/// How often the decision rule is wrong, found by deciding on measurements whose truth is known.
namespace rpl {

/// What disturbs dispatch times. All are fractions of the time; deviations are of one dispatch or one process.
struct NoiseModel {
  std::string name;
  double dispatch = 0;                         ///< deviation from dispatch to dispatch
  double spike_share = 0;                      ///< so many dispatches take longer,
  double spike_low = 0.05, spike_high = 0.15;  ///< by this much
  double process = 0;    ///< deviation between processes, the same for both sides
  double placement = 0;  ///< deviation between processes of each side for itself
  double ramp = 0;       ///< over a process times go up or down by twice this
  double walk = 0;       ///< deviation of a step of a random walk, at each dispatch
};

/// quiet, drift, spikes, processes, and everything: the sizes are assumed, see docs/decision-rule.md.
const std::vector<NoiseModel>& noise_models();

/// Measurements of a kernel and of the same made faster so that the ratio of times is `ratio`. Deterministic for a seed; blocks lie in time
/// one after the other, dispatches of a block A…AB…B or B…BA…A.
std::unique_ptr<Sampler> simulated(const NoiseModel& noise, double ratio, const Design& design,
                                   std::uint64_t seed);

/// Measurements drawn from recorded ones: whole processes, with replacement. `swapped`: baseline and candidate change places. The recording must
/// outlive it and hold at least one process.
std::unique_ptr<Sampler> resampled(const Samples& recorded, bool swapped, std::uint64_t seed);

/// Where sessions with a known truth come from.
struct KnownTruth {
  std::string name;
  std::string truth;  ///< how it is known: "simulated", "recorded"
  /// Fresh measurements; each seed others.
  std::function<std::unique_ptr<Sampler>(std::uint64_t seed)> no_op, gain, regression;
};
KnownTruth simulated_truth(const NoiseModel& noise, const Design& design = {}, double gain = 0.02);
/// Whole processes of an A/A recording and of a gain, drawn with replacement; the regression is the gain upside down. Both must outlive it.
KnownTruth recorded_truth(std::string name, const Samples& same, const Samples& gain);

/// Shares of sessions.
struct DecisionRates {
  std::string name;
  std::uint32_t sessions = 0;
  double no_op = 0;                    ///< no change accepted, one look
  double no_op_extended = 0;           ///< the same, undecided ones extended
  double ten_no_ops = 0;               ///< of ten, extended, the best measured again: accepted
  double gain = 0, gain_extended = 0;  ///< found
  double regression = 0;               ///< accepted, extended
  double covered =
      0;  ///< intervals of gains, one look, that hold the truth; NaN when it is not known exactly
  double processes = 0;  ///< mean number of processes of extended measurements of gains
  double older_no_op = 0, older_ten_no_ops = 0, older_gain = 0,
         older_regression = 0;  ///< accepted by the older form of the rule
};

/// In each session an A/A calibration of `calibration` processes sets the floor, as `bench aa` does; then a change that does nothing, a gain,
/// a regression and ten candidates that do nothing are measured. Repeatable. Fails as decide() does, and when interrupted.
Result<DecisionRates> decision_rates(const KnownTruth& truth, std::uint32_t sessions,
                                     std::uint64_t seed = 1, double true_ratio = 0);

/// Processes of an A/A calibration.
inline constexpr std::uint32_t kCalibrationProcesses = 9;

}  // namespace rpl
