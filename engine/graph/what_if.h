// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

/// Every dispatch of `kernel` takes its recorded duration / speedup, rounded to the nearest nanosecond.
struct KernelChange {
  std::uint32_t kernel = kNone;  ///< index into Trace::kernels()
  double speedup = 1;            ///< above 0, may be below 1; infinity removes the kernel's time
};

struct WhatIf {
  std::int64_t before_ns = 0, after_ns = 0;  ///< span
  double gain = 0;                           ///< (before - after) / before; 0 for an empty trace
  /// The same where what starts after an inferred edge or an unexplained gap stays where it was recorded. Equal to `gain` when evidence covers
  /// everything that moved.
  double gain_low = 0;
  double gain_high = 0;  ///< where all of it moves along
  std::uint64_t changed_dispatches = 0;
  std::uint64_t uncertain_operations =
      0;  ///< that moved only because of inferred edges or unexplained gaps
};

struct WhatIfOptions {
  unsigned threads = 2;
};

/// Share of the span that the changes save when everything moves along: `gain` of what_if alone, at a third of its cost.
Result<double> simulated_gain(const Graph& graph, std::span<const KernelChange> changes);

/// The same for each of several kernels by itself, `speedup` (at least 1) times as fast, in the order of `kernels`, which are of the trace
/// and differ. Several share a pass over the graph, up to four million operations: it takes 68 bytes an operation then, else 20.
Result<std::vector<double>> simulated_gains(const Graph& graph,
                                            std::span<const std::uint32_t> kernels, double speedup);

/// The least and the most that the changes can save where times are modelled: with those of the changed kernels at one end of their bands
/// (Kernel::time_low, time_high) and those of all others at the other end. Nothing for times that have no bands. Fails as what_if() does.
struct GainRange {
  double low = 0, high = 0;
};
Result<std::optional<GainRange>> gain_in_bands(const Graph& graph,
                                               std::span<const KernelChange> changes);

/// Runs the graph again with changed durations: every operation starts when its last predecessor has ended plus the wait that was
/// recorded. Linear in edges. Fails with `usage` for a speedup that is not above 0 or a kernel that does not exist or is
/// named twice, or `interrupted`.
Result<WhatIf> what_if(const Graph& graph, std::span<const KernelChange> changes,
                       const WhatIfOptions& options = {}, const Monitor& monitor = {});

}  // namespace rpl
