// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Steps of a loop in one recording (StepLengths), and between what their median lies: with a confidence of 97.5 %, by the order of the lengths alone, whatever
/// their distribution. Steps count as independent of each other.
struct StepTimes {
  std::uint64_t steps = 0;
  std::int64_t median_ns = 0, low_ns = 0, high_ns = 0;
  std::size_t ranks = 0;  ///< processes whose steps were put together
  double mean_ns = 0;     ///< by which the times of launches are made those of a step
};

/// How the steps of both recordings were told apart: by ranges of markers of one name, else by kernels that repeat.
enum class StepsBy : std::uint8_t { nothing, markers, repetition };
std::string_view to_string(StepsBy by);

/// `unclear`: the interval of the ratio holds 1 and goes beyond one per cent of it.
enum class StepVerdict : std::uint8_t { faster, slower, same, unclear };
std::string_view to_string(StepVerdict verdict);

/// What one launch configuration, by the kernel's mangled name and geometry, takes in two recordings: of a step where both have steps, else in all. Time of all streams.
struct LaunchChange {
  const Kernel* kernel = nullptr;  ///< of one of the traces
  Dim3 grid{}, workgroup{};
  double before_calls = 0, after_calls = 0;
  double before_ns = 0, after_ns = 0;
  [[nodiscard]] double change_ns() const { return after_ns - before_ns; }
};

struct Comparison {
  std::optional<StepTimes> before,
      after;                       ///< nothing where nothing repeats, or less than six times
  StepsBy by = StepsBy::nothing;   ///< nothing where one of them has no steps
  std::string marker = {};         ///< "step #": the name of the ranges; "" otherwise
  std::string why_no_marker = {};  ///< why ranges that are there were not taken, as a sentence; ""
  /// Steps whose ranges have one number in both, if they are enough: the ratio is then the median of theirs. 0: it is that of the medians.
  std::uint64_t paired = 0;
  /// After / before, and its interval with a confidence of 95 %; where both have steps.
  std::optional<double> ratio, low, high;
  std::optional<StepVerdict> verdict;
  bool by_step = false;                    ///< changes are of a step of one rank
  std::vector<LaunchChange> changes = {};  ///< the largest first, whatever its sign
};

/// A few passes over the dispatches of each, which must outlive the result, both traces beside each other on two threads; markers are read where both have them. Fails as Trace::markers() does, and with
/// `interrupted`.
Result<Comparison> compare_recordings(const Trace& before, const Trace& after);

}  // namespace rpl
