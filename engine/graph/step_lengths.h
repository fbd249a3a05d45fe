// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/marker_loops.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// How long the steps of a loop take in one recording: from the beginning of one to that of the next, without those before the loop has warmed up (up to the
/// last of the first half that takes more than twice the median, unless such ones come in the second half too).
struct StepLengths {
  std::vector<std::int64_t> lengths_ns;
  /// Of each step's range, different from each other; empty where they have none.
  std::vector<std::int64_t> numbers;
  /// Processes whose n-th steps were put together as their mean, as ranks of a distributed program go through the same steps. Where processes have
  /// different steps, those of the one with most dispatches count alone: 1.
  std::size_t ranks = 0;
};

/// Rounds of kernels in the busiest stream of each process. Empty where nothing repeats. Takes the dispatches alone.
StepLengths lengths_by_repetition(const Trace& trace);

/// The loops of markers that the recording is about: those that cover most of the dispatches of their process. Fails as Trace::markers() does, and with
/// `interrupted`; empty without markers.
Result<std::vector<MarkerLoop>> leading_loops(const Trace& trace);
/// The steps of those of `loops` that have the name.
StepLengths lengths_by_markers(const Trace& trace, const std::vector<MarkerLoop>& loops,
                               std::string_view name);

/// From the first start to the last end of the dispatches of each process; 0 of one without.
std::vector<std::int64_t> spans_by_process(const Trace& trace);

}  // namespace rpl
