// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/optimize/loop/stages.h"
#include "engine/optimize/verify/baseline_study.h"

namespace rpl {

/// Modelled times of a candidate and its base on another input than the captured one.
struct InputTiming {
  InputClass kind = InputClass::again;  ///< again, sizes or launch
  double baseline_ns = 0, candidate_ns = 0;
  std::optional<double> band;  ///< half-width of their ratio's, as Samples::model_band

  [[nodiscard]] double ratio() const { return baseline_ns / candidate_ns; }
};

/// What the evidence of an accepted proposal holds of its times elsewhere.
struct OtherInputs {
  std::vector<InputTiming> timings;
  bool assumed = false;  ///< that inputs are like the captured ones: nothing is asked of the others
  bool held = true;      ///< held_elsewhere() found nothing against the gain
};
Value to_value(const OtherInputs& of);
/// Nothing for anything else than what to_value() makes.
std::optional<OtherInputs> other_inputs_from(const Value& value);

/// Why a gain of `ratio` on the captured input is none of the kernel: with other values, drawn like the captured ones, less than half of it (as logarithms) is left and that lies within the model's error
/// (captured-values-alone); or a launch that is nearly the captured one takes longer (slower-elsewhere). Other launches may gain less: what they do is told. Fails as decide() does.
Result<std::vector<Reason>> held_elsewhere(const OtherInputs& of, double ratio,
                                           const DecisionRule& rule);
/// Whether at least half of a gain of `ratio` (as logarithms) is there elsewhere: "on other inputs, too", else "less with other scalar arguments", or slower; "" where nothing was timed.
std::string text_of(const OtherInputs& of, double ratio);

/// For decide_stage(), of what it is about to accept with a gain of `ratio`: times it and its base on some of the inputs that the final verification drew, and enters them into `accepted` ("other_inputs"), with the
/// reasons of held_elsewhere(). Times of a clock are taken of the captured dispatch alone. Fails as the target does.
Status time_on_other_inputs(const Proposal& proposal, const Workbench& bench, BaselineStudy& inputs,
                            double ratio, StageOutcome& accepted);

}  // namespace rpl
