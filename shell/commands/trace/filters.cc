// SPDX-License-Identifier: MIT
#include "shell/commands/trace/filters.h"

#include <algorithm>

#include "engine/base/numbers.h"

namespace rpl {

bool filters(const DispatchFilterArgs& args) {
  for (const std::string* text :
       {&args.kernel, &args.stream, &args.queue, &args.agent, &args.from, &args.to, &args.min}) {
    if (!text->empty()) return true;
  }
  return false;
}

Result<DispatchQuery> query_of(const Workspace& workspace, const Trace& trace,
                               const DispatchFilterArgs& args) {
  DispatchQuery query;
  if (!args.kernel.empty()) {
    query.kernels = TRY(resolve_kernels(workspace, trace, args.kernel));
  }
  if (!args.stream.empty()) query.streams = {TRY(resolve_entity(trace, 's', args.stream))};
  if (!args.queue.empty()) query.queues = {TRY(resolve_entity(trace, 'q', args.queue))};
  if (!args.agent.empty()) query.agents = {TRY(resolve_entity(trace, 'a', args.agent))};
  if (!args.from.empty()) query.from_ns = TRY(resolve_time(trace, args.from, false));
  if (!args.to.empty()) query.to_ns = TRY(resolve_time(trace, args.to, true));
  if (!args.min.empty()) query.min_duration_ns = TRY(parse_ns(args.min));
  return query;
}

std::vector<Bound> filter_options() {
  using Args = DispatchFilterArgs;
  return {
      option("kernel", &Args::kernel, "only these kernels: id, name or part of it, /regex/")
          .named("K")
          .completes(Complete::kernel),
      option("stream", &Args::stream, "only this stream").named("S").completes(Complete::stream),
      option("queue", &Args::queue, "only this hardware queue").named("Q"),
      option("agent", &Args::agent, "only this device").named("A"),
      option("from", &Args::from, "only what starts at this time or later: 12ms from the beginning")
          .named("TIME"),
      option("to", &Args::to, "only what starts before this time").named("TIME"),
      option("min", &Args::min, "only what takes at least so long: 40us").named("TIME")};
}

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
