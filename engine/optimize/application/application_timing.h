// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/optimize/measure/decision.h"
#include "engine/optimize/store/application.h"
#include "engine/store/session.h"

/// A whole application against itself with a change, by a clock: pairs of runs, one of each, in turns AB and BA. Each pair is a process of the decision rule
/// with one block of one sample a side; the sample is the span from the first start to the last end of kernels and copies.
namespace rpl {

struct ApplicationTiming {
  DecisionInput input;  ///< rule, looks and samples
  Decision decision;
  double baseline_ns = 0, candidate_ns = 0;   ///< medians of the spans
  std::vector<TimedRun> baseline, candidate;  ///< every run
};

/// Times pairs until a look decides. Fails as a run does, and with corrupt for a span that is not a time.
Result<ApplicationTiming> time_pairs(const ApplicationTools& tools,
                                     const std::vector<std::string>& baseline,
                                     const std::vector<std::string>& candidate,
                                     const DecisionRule& rule, const Looks& looks);

/// The noise of the application: it against itself, in kCalibrationProcesses pairs. `timing.decision` is of that; the floor that comes of it is
/// noise_floor() for as many pairs as the first look has.
struct ApplicationNoise {
  ApplicationTiming timing;
  double noise = 0;  ///< a fraction
};
Result<ApplicationNoise> application_noise(const ApplicationTools& tools,
                                           const std::vector<std::string>& argv);

/// How many pairs of runs a decision was made from: "5 pairs of runs".
std::string pairs_text(const ApplicationTiming& timing);

/// Keeps it in the session, with the raw samples. `kind`: "aa" or "ab"; `noise` of an "aa". Fails as keep() does.
Status keep_timing(Session& session, std::string kind, std::string about,
                   const ApplicationTiming& timing, std::optional<double> noise);

/// Confirmation of a change by timed pairs. `with_change`: a run of the candidate, recorded. Refuses another exit status or output in any run, a regression,
/// and a measurement that does not exclude one: the whole interval must lie above 1 / (1 + floor).
Confirmation confirm_timed(const Application& before, const ApplicationRun& with_change,
                           const ApplicationTiming& timing);

}  // namespace rpl
