// SPDX-License-Identifier: MIT
#include "engine/plot/path_stretches.h"

#include <algorithm>
#include <map>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

/// One that is still joined with others: how long it is of each kind.
struct Joined {
  PathStretch all = {};
  std::map<SegmentKind, std::int64_t> by_kind = {};

  void add(const PathSegment& segment) {
    all.start_ns = segment.start_ns;
    by_kind[segment.kind] += segment.end_ns - segment.start_ns;
    const auto most =
        std::ranges::max_element(by_kind, {}, [](const auto& one) { return one.second; });
    all.kind = most->first;
  }
};

}  // namespace

Result<std::vector<PathStretch>> path_stretches(const Graph& graph, std::int64_t from_ns,
                                                std::int64_t to_ns, std::int64_t least_ns) {
  std::vector<PathStretch> out;
  Joined now;
  const auto keep = [&] {
    if (now.by_kind.empty()) return;
    // The cursor goes backwards.
    if (!out.empty() && out.back().kind == now.all.kind)
      out.back().start_ns = now.all.start_ns;
    else
      out.push_back(now.all);
  };
  SegmentCursor cursor(graph);
  PathSegment segment;
  for (std::uint64_t count = 1; cursor.next(segment); ++count) {
    if (count % 65536 == 0) TRY(interrupt::check());
    if (segment.end_ns <= from_ns) break;
    if (segment.start_ns >= to_ns) continue;
    const bool joins = now.all.end_ns - now.all.start_ns < least_ns && !now.by_kind.empty();
    if (!joins) {
      keep();
      now = {.all = {.end_ns = segment.end_ns}};
    }
    now.add(segment);
  }
  keep();
  std::ranges::reverse(out);
  return out;
}

}  // namespace rpl
