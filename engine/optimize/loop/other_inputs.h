// SPDX-License-Identifier: MIT
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/execute/launch/launch.h"
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

/// For decide_stage(): a candidate and its base on some of the inputs that the final verification drew, timed on other cores while something else is done. Times of a clock are taken
/// of the captured dispatch alone.
class TimedElsewhere {
 public:
  /// `bench` and what it refers to are borrowed until the end.
  static Result<TimedElsewhere> begun(const Proposal& proposal, const Workbench& bench,
                                      BaselineStudy& inputs);

  /// Waits for the times, and enters them into what is about to be accepted with a gain of `ratio` ("other_inputs"), with the reasons of held_elsewhere(). Fails as the target does.
  Status enter(const Workbench& bench, double ratio, StageOutcome& accepted);

 private:
  std::vector<InputClass> kinds_;
  /// Two for each: the baseline's run, the candidate's.
  std::future<std::vector<std::optional<Result<emu::Executed>>>> runs_;
};

}  // namespace rpl
