// SPDX-License-Identifier: MIT
// Time in which the device ran nothing and no recorded call says why.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/graph/application/finder.h"
#include "engine/graph/critical_path.h"
#include "engine/graph/gaps.h"

namespace rpl::findings {
namespace {

/// The longest gaps, with what ran before and after them.
std::vector<Place> longest(const Application& of, const Gaps& gaps) {
  std::vector<Place> out;
  for (const Gap& gap : gaps.rows) {
    const std::int64_t begin_ns = of.graph.span_ns().first;
    Place place = named_place(
        fmt::format("{} at {}, after {} and before {}", format_ns(gap.end_ns - gap.start_ns),
                    format_ns(gap.start_ns - begin_ns),
                    kernel_text(of, of.graph.kernel_of(gap.before)),
                    kernel_text(of, of.graph.kernel_of(gap.after))),
        static_cast<double>(gap.end_ns - gap.start_ns) /
            static_cast<double>(std::max<std::int64_t>(1, gaps.total_ns)));
    place.from_ns = gap.start_ns - begin_ns;
    place.to_ns = gap.end_ns - begin_ns;
    out.push_back(std::move(place));
  }
  return out;
}

}  // namespace

Status add_idle(const Application& of, Found& out) {
  std::int64_t idle_ns = 0;
  SegmentCursor cursor(of.graph);
  PathSegment segment;
  while (cursor.next(segment)) {
    if (segment.kind == SegmentKind::idle) idle_ns += segment.end_ns - segment.start_ns;
  }
  const double idle = of.share(idle_ns);
  if (idle < kWorthTelling) return {};
  constexpr std::size_t kLongest = 6;
  const Gaps gaps = TRY(find_gaps(of.graph, {.limit = kLongest}));
  std::int64_t in_longest = 0;
  for (const Gap& gap : gaps.rows) in_longest += gap.end_ns - gap.start_ns;
  out.push_back(made(
      Cause::idle_device, Worth{0, idle}, longest(of, gaps),
      {{"of the span, gaps of the critical path that no recorded call explains", idle, false},
       {"gaps", static_cast<double>(gaps.count), false},
       {fmt::format("of the idle time in the {} longest", gaps.rows.size()),
        static_cast<double>(in_longest) /
            static_cast<double>(std::max<std::int64_t>(1, gaps.total_ns)),
        false}},
      of.api == nullptr
          ? "at the most the host keeps the device busy; why it did not was not recorded, so that "
            "nothing may be to gain"
          : "at the most all gaps go that no recorded call explains"));
  if (of.api == nullptr)
    out.back().remedy = fmt::format(
        "record the host's calls as well (rocprofv3 --sys-trace): they say what it does during {}",
        out.back().where.front().text().substr(0, out.back().where.front().text().find(',')));
  return {};
}

}  // namespace rpl::findings
