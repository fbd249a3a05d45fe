// SPDX-License-Identifier: MIT
#include "shell/core/inputs/window_args.h"

#include <algorithm>

namespace rpl {

Result<std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>> window_of_args(
    const Workspace& workspace, const Trace& trace, const WindowText& text) {
  std::optional<std::int64_t> from, to;
  if (!text.around.empty()) {
    const std::uint32_t row = TRY(resolve_dispatch(workspace, trace, text.around));
    const std::int64_t margin = std::max<std::int64_t>(trace.duration_ns(row) * 5, 1000);
    from = trace.start_ns(row) - margin;
    to = trace.end_ns(row) + margin;
  }
  if (!text.from.empty()) from = TRY(resolve_time(trace, text.from, false));
  if (!text.to.empty()) to = TRY(resolve_time(trace, text.to, true));
  return std::pair(from, to);
}

TimelineBy timeline_by(std::string_view name) {
  if (name == "queue") return TimelineBy::queue;
  return name == "agent" ? TimelineBy::agent : TimelineBy::stream;
}

}  // namespace rpl
