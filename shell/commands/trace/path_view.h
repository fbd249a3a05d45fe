// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/document/bound.h"
#include "engine/graph/critical_path.h"
#include "shell/core/terminal/terminal.h"

/// The critical path as fields of a result and as lines of text, for critpath and summary.
namespace rpl {

using SegmentTimes = decltype(CriticalPath::segments_ns);

/// What `critpath` says of the path, whichever model found it.
struct PathFacts {
  std::string_view model = "default";
  std::int64_t span_ns = 0, critical_path_ns = 0;
  std::optional<SegmentTimes> segments_ns;  ///< by kind; only the default model knows them
  std::uint64_t operations = 0;
  const Kernel* dominant = nullptr;
  std::optional<double> dominance_fraction, ceiling_speedup;
  ByName<std::uint64_t> edges;
};

PathFacts path_facts(const Trace& trace, const CriticalPath& path);

inline constexpr auto kPathFields = bound_to<PathFacts>(
    column<&PathFacts::model>("model", "default or legacy"),
    column<&PathFacts::span_ns>("span_ns",
                                "from the first start to the last end of dispatches and copies")
        .formula("segments_ns.kernel + segments_ns.copy + segments_ns.launch + segments_ns.host + "
                 "segments_ns.idle"),
    column<&PathFacts::critical_path_ns>("critical_path_ns", "kernels and copies on the path")
        .formula("segments_ns.kernel + segments_ns.copy"),
    column<&PathFacts::segments_ns, &by_name<SegmentKind, SegmentTimes, true>>(
        "segments_ns",
        "time on the path by kind: kernel, copy, launch, host, idle; they sum to span_ns")
        .in(Unit::ns)
        .if_known(),
    column<&PathFacts::operations>("operations", "dispatches and copies on the path")
        .formula("dispatches and copies on the path"),
    column<&PathFacts::dominant, &Kernel::name>("dominant_kernel",
                                                "the kernel with most time on the path")
        .as(Type::kernel),
    column<&PathFacts::dominance_fraction>("dominance_fraction",
                                           "its time on the path / critical_path_ns")
        .in(Unit::share)
        .formula("dominant_path_ns / critical_path_ns"),
    column<&PathFacts::ceiling_speedup>(
        "ceiling_speedup",
        "of the path's operations if that kernel took no time: 1 / (1 - dominance_fraction); null "
        "when unbounded")
        .in(Unit::ratio)
        .formula("1 / (1 - dominance_fraction)"),
    column<&PathFacts::edges>("edges", "edges on the path by evidence class").in(Unit::count));

/// A headline, a bar for each kind of segment, and the evidence behind the edges.
std::string path_heading(const CriticalPath& path, const Canvas& canvas);

/// The bars alone: one line for each kind of segment that the path has.
std::string segment_bars(const CriticalPath& path, const Canvas& canvas);

}  // namespace rpl
