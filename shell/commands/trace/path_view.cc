// SPDX-License-Identifier: MIT
#include "shell/commands/trace/path_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

std::string_view meaning(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kernel:
      return "kernels run";
    case SegmentKind::copy:
      return "memory copies";
    case SegmentKind::launch:
      return "launched, not started yet";
    case SegmentKind::host:
      return "the host had not launched yet";
    case SegmentKind::idle:
      return "nothing recorded explains it";
  }
  return "";
}

}  // namespace

PathFacts path_facts(const Trace& trace, const CriticalPath& path) {
  PathFacts facts;
  facts.span_ns = path.span_ns;
  facts.critical_path_ns = path.critical_path_ns;
  facts.segments_ns = path.segments_ns;
  facts.operations = path.operations;
  if (path.dominant_kernel) {
    facts.dominant = &trace.kernels()[*path.dominant_kernel];
    facts.dominance_fraction = path.dominance_fraction;
  }
  facts.ceiling_speedup = path.ceiling_speedup;
  facts.edges = by_name<EdgeClass>(path.edges);
  return facts;
}

std::string segment_bars(const CriticalPath& path, const Canvas& canvas) {
  constexpr std::size_t kAround = 9 + 10 + 9 + 34;  // label, time, share, meaning
  const std::size_t width =
      canvas.width > kAround + 10 ? std::min<std::size_t>(canvas.width - kAround, 40) : 10;
  std::string out;
  for (std::size_t i = 0; i < kSegmentKinds; ++i) {
    const std::int64_t ns = path.segments_ns[i];
    if (ns == 0) continue;
    const auto kind = static_cast<SegmentKind>(i);
    const double share = share_of(ns, path.span_ns);
    out += fmt::format("  {:<7}{}{:>10}{:>8}  {}\n", to_string(kind),
                       bar(share, width, canvas.unicode), format_ns(ns), format_share(share),
                       meaning(kind));
  }
  return out;
}

std::string path_heading(const CriticalPath& path, const Canvas& canvas) {
  std::string evidence;
  for (std::size_t i = 0; i < kEdgeClasses; ++i) {
    if (path.edges[i] == 0) continue;
    if (!evidence.empty()) evidence += ", ";
    evidence +=
        fmt::format("{} {}", to_string(static_cast<EdgeClass>(i)), format_count(path.edges[i]));
  }
  return fmt::format(
      "critical path: {} of kernels and copies in a span of {} ({}), {} operations\n{}edges: {}\n",
      format_ns(path.critical_path_ns), format_ns(path.span_ns),
      format_share(share_of(path.critical_path_ns, path.span_ns)), format_count(path.operations),
      segment_bars(path, canvas), evidence.empty() ? "none" : evidence);
}

}  // namespace rpl
