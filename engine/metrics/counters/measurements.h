// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// A counter of one dispatch, or its mean over dispatches, its instances reduced.
struct CounterReading {
  double value = 0;
  std::uint64_t dispatches = 0;  ///< over which the mean was taken
  /// A counter of time (GRBM) that the recorder had summed over XCCs before it wrote it: divide by their number.
  bool summed_over_xccs = false;
};
using CounterReadings = std::map<std::string, CounterReading, std::less<>>;

/// Whose durations a time is the mean of.
enum class TimeSource {
  none,          ///< no duration was recorded
  plain,         ///< a run without counters
  instrumented,  ///< the counting run: dispatches were serialised and slowed down
  modelled,      ///< the emulated device, which counting does not disturb
};
std::string_view to_string(TimeSource source);

struct KernelTime {
  std::optional<double> mean_ns;
  std::uint64_t dispatches = 0;
  TimeSource source = TimeSource::none;
};

/// What was counted for one kernel on one architecture.
struct KernelMeasurement {
  std::uint32_t kernel = 0;     ///< index into Trace::kernels()
  std::uint32_t agent = kNone;  ///< the first on which it ran; kNone: the recording does not say
  std::string arch;             ///< of that agent; "" for unknown
  std::uint64_t calls =
      0;  ///< dispatches, those of several passes over the same program counted once
  std::uint64_t passes = 0;  ///< runs of the program that counted different counters
  CounterReadings counters;  ///< means over the dispatches that have the counter
  KernelTime time;
};

/// Collects the counters of every kernel. Runs of one program with different counters (passes) are told from processes that run side by side
/// (ranks) by what they counted: a process that counted something else is another pass. Kernels come in the order of their
/// total time, those without time last. Fails with what reading counters fails with, or `interrupted`.
Result<std::vector<KernelMeasurement>> measure_kernels(const Trace& trace);

/// Takes times from a run without counters: for every kernel of the same name there, mean and source are replaced. Returns how many kernels
/// were found.
std::size_t use_times_of(const Trace& plain, const Trace& counted,
                         std::vector<KernelMeasurement>& kernels);

/// One dispatch of a kernel with what all passes counted of it.
struct DispatchMeasurement {
  std::uint64_t ordinal = 0;                ///< 1-based among the kernel's dispatches
  std::vector<std::uint32_t> rows;          ///< of the trace, one for each pass
  CounterReadings counters;                 ///< `dispatches` counts passes
  std::optional<std::int64_t> duration_ns;  ///< of the first row; counting runs only
};

/// The dispatches of one kernel, passes matched by (kernel, ordinal within its process, place of the process among those with the same counters).
Result<std::vector<DispatchMeasurement>> measure_dispatches(const Trace& trace,
                                                            std::uint32_t kernel);

}  // namespace rpl
