// SPDX-License-Identifier: MIT
// Numbers of the critical path and of what-if runs.
#include <fmt/format.h>

#include <limits>

#include "engine/graph/numbers.h"

namespace rpl {
namespace {

using detail::number_of;
using FoundOne = Result<FoundNumber>;

template <SegmentKind Kind>
FoundOne segment(TraceResults& from) {
  return FoundNumber(TRY(from.path())->segments_ns[static_cast<std::size_t>(Kind)]);
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
    {"critpath.span_ns",
     "critpath.segments_ns.kernel critpath.segments_ns.copy critpath.segments_ns.launch "
     "critpath.segments_ns.host critpath.segments_ns.idle",
     number_of<&TraceResults::path, &CriticalPath::span_ns>},
    {"critpath.segments_ns.kernel", "", segment<SegmentKind::kernel>, Provenance::none, Unit::ns,
     "kernels on the path, which leads back from the operation that ends last, each time to the "
     "predecessor that arrived last"},
    {"critpath.segments_ns.copy", "", segment<SegmentKind::copy>, Provenance::none, Unit::ns,
     "memory copies on the path"},
    {"critpath.segments_ns.launch", "", segment<SegmentKind::launch>, Provenance::none, Unit::ns,
     "time on the path between a launch call and the start of what it launched"},
    {"critpath.segments_ns.host", "", segment<SegmentKind::host>, Provenance::none, Unit::ns,
     "time on the path before the host called the launch"},
    {"critpath.segments_ns.idle", "", segment<SegmentKind::idle>, Provenance::none, Unit::ns,
     "time on the path that nothing recorded explains"},
    {"critpath.critical_path_ns", "critpath.segments_ns.kernel critpath.segments_ns.copy",
     number_of<&TraceResults::path, &CriticalPath::critical_path_ns>},
    {"critpath.operations", "", number_of<&TraceResults::path, &CriticalPath::operations>},
    {"critpath.dominant_path_ns", "", dominant_path, Provenance::none, Unit::ns,
     "the largest path_ns of a kernel"},
    {"critpath.dominance_fraction", "critpath.dominant_path_ns critpath.critical_path_ns",
     dominance},
    {"critpath.ceiling_speedup", "critpath.dominance_fraction", ceiling, Provenance::estimated},
};

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
    {"whatif.speedup", "", speedup, kEstimate, Unit::ratio},
    {"whatif.before_ns", "summary.last_end_ns summary.first_start_ns",
     number_of<&TraceResults::what_if, &WhatIf::before_ns>},
    {"whatif.changed_dispatches", "",
     number_of<&TraceResults::what_if, &WhatIf::changed_dispatches>},
    {"whatif.uncertain_operations", "",
     number_of<&TraceResults::what_if, &WhatIf::uncertain_operations>, kEstimate},
    {"whatif.after_ns", "whatif.speedup whatif.changed_dispatches kernel.total_ns kernel.path_ns",
     number_of<&TraceResults::what_if, &WhatIf::after_ns>, kEstimate},
    {"whatif.gain", "whatif.before_ns whatif.after_ns",
     number_of<&TraceResults::what_if, &WhatIf::gain>, kEstimate},
    {"whatif.gain_low", "whatif.gain whatif.uncertain_operations", gain_low, kEstimate},
    {"whatif.gain_high", "whatif.gain", number_of<&TraceResults::what_if, &WhatIf::gain_high>,
     kEstimate},
};

}  // namespace

namespace detail {
std::span<const TraceNumber> path_numbers() { return kPathRows; }
std::span<const TraceNumber> what_if_numbers() { return kRunRows; }
}  // namespace detail

}  // namespace rpl
