// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

/// One step of a loop: from the first operation of a round to the first one of the next.
struct LoopStep {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t operations = 0;  ///< of all streams of its device that start within it
  std::int64_t busy_ns = 0;      ///< in which any of them ran
  std::int64_t longest_gap_ns = 0;
  [[nodiscard]] std::int64_t idle_ns() const { return end_ns - start_ns - busy_ns; }
};

/// Gaps at one place of a loop, or between two kernels outside of it.
struct GapGroup {
  std::uint32_t before = kNone, after = kNone;  ///< kernels (Trace::kernels()); kNone: a copy
  std::uint64_t count = 0;
  std::int64_t total_ns = 0, median_ns = 0;
};

/// What repeats in a recording.
struct LoopSteps {
  enum class By : std::uint8_t { nothing, markers, kernels };
  By by = By::nothing;
  std::string marker = {};           ///< the text of the ranges, with # for its numbers
  std::uint32_t stream = kNone;      ///< in which kernels repeat; index into TraceEntities::streams
  std::uint32_t anchor = kNone;      ///< the kernel that begins a step
  std::uint32_t kernels = 0;         ///< of a step in that stream, the median
  std::vector<LoopStep> steps = {};  ///< by start
  std::int64_t median_ns = 0;        ///< of a step, to the next one's start
  /// The steps from which on all take at most twice the median, when fewer come before: the loop has warmed up.
  std::size_t warm = 0;
  std::vector<GapGroup> rhythm = {};  ///< gaps that most steps have at one place, by falling total
  std::vector<GapGroup> others =
      {};  ///< gaps outside of the loop, and those of single steps, by falling total

  [[nodiscard]] bool found() const { return by != By::nothing; }
};

/// The steps of the loop in which most of a device's operations lie: by ranges of markers that bear one name and come three times or more, else by the kernels of its busiest
/// stream, of which one that comes at even distances begins a step; of several such kernels the rarest. Fails with `interrupted`, and as reading markers does.
Result<LoopSteps> find_steps(const Graph& graph, const Monitor& monitor = {});

}  // namespace rpl
