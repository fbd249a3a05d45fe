// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/optimize/measure/decision.h"
#include "engine/optimize/measure/replay_sampler.h"
#include "engine/optimize/store/proposal.h"
#include "engine/store/session.h"

namespace rpl {

/// Where dispatches are timed by a clock instead of a model. Borrowed; without a target times are modelled.
struct MeasuringTarget {
  Target* target = nullptr;
  Looks looks = {};
  Design design = {};
};

/// What a measurement of a proposal against its baseline gave.
struct PairMeasurement {
  Measurement measurement;
  std::string agent, product;                ///< of the GPU; "" for unknown
  double baseline_ns = 0, candidate_ns = 0;  ///< medians of the dispatches that count
};
/// Measures, extending an undecided measurement. Fails as the target does, and with verification_failed when the timed runs leave other results.
Result<PairMeasurement> measure_pair(const MeasuringTarget& clock, const Optimization& optimization,
                                     const Proposal& proposal, const Capture& capture,
                                     const DecisionRule& rule, std::uint64_t seed);

/// The noise of the captured kernel on this target: that of the session's last A/A calibration; without one it is calibrated now, and kept in the session
/// as `bench aa` does.
Result<double> noise_on(const MeasuringTarget& clock, const Optimization& optimization,
                        const Capture& capture, Session& session);

}  // namespace rpl
