// SPDX-License-Identifier: MIT
// Numbers of the critical path and of what-if runs.
#include <fmt/format.h>

#include <limits>

#include "engine/graph/numbers.h"

namespace rpl {
namespace {

using FoundOne = Result<FoundNumber>;

template <SegmentKind Kind>
FoundOne segment(TraceResults& from) {
  return FoundNumber(TRY(from.path())->segments_ns[static_cast<std::size_t>(Kind)]);
}

template <auto Member>
FoundOne of_path(TraceResults& from) {
  return FoundNumber(TRY(from.path())->*Member);
}

FoundOne dominant_path(TraceResults& from) {
  const CriticalPath* path = TRY(from.path());
  if (!path->dominant_kernel) return FoundNumber({}, "no kernel is on the path");
  for (const KernelOnPath& kernel : path->kernels) {
    if (kernel.kernel == *path->dominant_kernel)
      return FoundNumber(kernel.path_ns, fmt::format("{}, {} of its {} dispatches",
                                                     from.trace().kernels()[kernel.kernel].id,
                                                     kernel.path_calls, kernel.calls));
  }
  return FoundNumber();
}

FoundOne dominance(TraceResults& from) {
  const CriticalPath* path = TRY(from.path());
  if (!path->dominant_kernel) return FoundNumber({}, "no kernel is on the path");
  return FoundNumber(path->dominance_fraction);
}

FoundOne ceiling(TraceResults& from) {
  const CriticalPath* path = TRY(from.path());
  return FoundNumber(
      path->ceiling_speedup,
      path->ceiling_speedup
          ? "of the path's operations alone: launches, host and idle time stay, and another "
            "path may become the longest; whatif runs the graph again"
          : "unbounded: nothing else is on the path");
}

const TraceNumber kPathRows[] = {
    {"critpath.span_ns", Unit::ns,
     "segments_ns.kernel + segments_ns.copy + segments_ns.launch + segments_ns.host + "
     "segments_ns.idle",
     "critpath.segments_ns.kernel critpath.segments_ns.copy critpath.segments_ns.launch "
     "critpath.segments_ns.host critpath.segments_ns.idle",
     of_path<&CriticalPath::span_ns>},
    {"critpath.segments_ns.kernel", Unit::ns,
     "kernels on the path, which leads back from the operation that ends last, each time to the "
     "predecessor that arrived last",
     "", segment<SegmentKind::kernel>},
    {"critpath.segments_ns.copy", Unit::ns, "memory copies on the path", "",
     segment<SegmentKind::copy>},
    {"critpath.segments_ns.launch", Unit::ns,
     "time on the path between a launch call and the start of what it launched", "",
     segment<SegmentKind::launch>},
    {"critpath.segments_ns.host", Unit::ns, "time on the path before the host called the launch",
     "", segment<SegmentKind::host>},
    {"critpath.segments_ns.idle", Unit::ns, "time on the path that nothing recorded explains", "",
     segment<SegmentKind::idle>},
    {"critpath.critical_path_ns", Unit::ns, "segments_ns.kernel + segments_ns.copy",
     "critpath.segments_ns.kernel critpath.segments_ns.copy",
     of_path<&CriticalPath::critical_path_ns>},
    {"critpath.operations", Unit::count, "dispatches and copies on the path", "",
     of_path<&CriticalPath::operations>},
    {"critpath.dominant_path_ns", Unit::ns, "the largest path_ns of a kernel", "", dominant_path},
    {"critpath.dominance_fraction", Unit::share, "dominant_path_ns / critical_path_ns",
     "critpath.dominant_path_ns critpath.critical_path_ns", dominance},
    {"critpath.ceiling_speedup", Unit::ratio, "1 / (1 - dominance_fraction)",
     "critpath.dominance_fraction", ceiling, Provenance::estimated},
};

template <auto Member>
FoundOne of_run(TraceResults& from) {
  return FoundNumber(TRY(from.what_if())->*Member);
}

FoundOne speedup(TraceResults& from) {
  const std::string& id = from.trace().kernels()[from.kernel].id;
  if (from.speedup == std::numeric_limits<double>::infinity())
    return FoundNumber({}, fmt::format("{} takes no time", id), "as asked");
  return FoundNumber(from.speedup, fmt::format("of {}", id), "as asked");
}

FoundOne gain_low(TraceResults& from) {
  const WhatIf* run = TRY(from.what_if());
  return FoundNumber(run->gain_low, run->uncertain_operations == 0
                                        ? "evidence covers all that moved: equal to gain"
                                        : "operations behind inferred edges stay where they were");
}

constexpr Provenance kEstimate = Provenance::estimated;

const TraceNumber kRunRows[] = {
    {"whatif.speedup", Unit::ratio, "", "", speedup, kEstimate},
    {"whatif.before_ns", Unit::ns, "last_end_ns - first_start_ns",
     "summary.last_end_ns summary.first_start_ns", of_run<&WhatIf::before_ns>},
    {"whatif.changed_dispatches", Unit::count, "dispatches of the kernel that became faster", "",
     of_run<&WhatIf::changed_dispatches>},
    {"whatif.uncertain_operations", Unit::count,
     "operations that moved only because of inferred edges or unexplained gaps", "",
     of_run<&WhatIf::uncertain_operations>, kEstimate},
    {"whatif.after_ns", Unit::ns,
     "the graph run again with durations / speedup: each operation starts when its last "
     "predecessor has "
     "ended plus its recorded wait",
     "whatif.speedup whatif.changed_dispatches kernel.total_ns kernel.path_ns",
     of_run<&WhatIf::after_ns>, kEstimate},
    {"whatif.gain", Unit::share, "(before_ns - after_ns) / before_ns",
     "whatif.before_ns whatif.after_ns", of_run<&WhatIf::gain>, kEstimate},
    {"whatif.gain_low", Unit::share,
     "gain without what moves by inferred edges or unexplained gaps",
     "whatif.gain whatif.uncertain_operations", gain_low, kEstimate},
    {"whatif.gain_high", Unit::share, "gain", "whatif.gain", of_run<&WhatIf::gain_high>, kEstimate},
};

}  // namespace

namespace detail {
std::span<const TraceNumber> path_numbers() { return kPathRows; }
std::span<const TraceNumber> what_if_numbers() { return kRunRows; }
}  // namespace detail

}  // namespace rpl
