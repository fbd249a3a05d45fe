// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/trace/core/trace.h"

namespace rpl {

/// Steps of a loop in one recording (round_lengths_ns), and between what their median lies: with a confidence of 97.5 %, by the order of the lengths alone, whatever
/// their distribution. Steps count as independent of each other.
struct StepTimes {
  std::uint64_t steps = 0;
  std::int64_t median_ns = 0, low_ns = 0, high_ns = 0;
};

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
      after;  ///< nothing where nothing repeats, or less than six times
  /// Of the medians, after / before, and its interval with a confidence of 95 %; where both have steps.
  std::optional<double> ratio, low, high;
  std::optional<StepVerdict> verdict;
  bool by_step = false;                    ///< changes are of a step
  std::vector<LaunchChange> changes = {};  ///< the largest first, whatever its sign
};

/// One pass over the dispatches of each, which must outlive the result.
Comparison compare_recordings(const Trace& before, const Trace& after);

}  // namespace rpl
