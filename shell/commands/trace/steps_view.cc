// SPDX-License-Identifier: MIT
#include "shell/commands/trace/steps_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

constexpr std::size_t kGroups = 3;

std::string side_text(const Graph& graph, std::uint32_t kernel) {
  constexpr std::size_t kWidth = 28;
  if (kernel == kNone) return "a copy";
  return fmt::format("{} {}", graph.trace().kernels()[kernel].id,
                     short_name(graph.trace(), kernel, kWidth));
}

std::string group_text(const Graph& graph, const GapGroup& group) {
  const std::string length =
      group.count == 1 ? format_ns(group.total_ns)
                       : fmt::format("{} in {} gaps, median {}", format_ns(group.total_ns),
                                     format_count(group.count), format_ns(group.median_ns));
  return fmt::format("{}: after {}, before {}", length, side_text(graph, group.before),
                     side_text(graph, group.after));
}

std::string kind_text(const Graph& graph, const LoopSteps& steps) {
  if (steps.by == LoopSteps::By::markers)
    return fmt::format("{} steps, the ranges '{}'", format_count(steps.steps.size()), steps.marker);
  const std::string stream = entity_id('s', steps.stream).value_or("its stream");
  return fmt::format("{} steps of {} kernels of {}, each begun by {}",
                     format_count(steps.steps.size()), format_count(steps.kernels), stream,
                     side_text(graph, steps.anchor));
}

}  // namespace

Result<LoopSteps> steps_of(const Inputs& inputs, const Loaded& loaded) {
  return find_steps(*TRY(graph_of(inputs, loaded)), inputs.monitor);
}

std::optional<double> idle_share(const LoopSteps& steps) {
  std::int64_t all = 0, idle = 0;
  for (std::size_t i = steps.warm; i < steps.steps.size(); ++i) {
    all += steps.steps[i].end_ns - steps.steps[i].start_ns;
    idle += steps.steps[i].idle_ns();
  }
  if (all <= 0) return std::nullopt;
  return share_of(idle, all);
}

std::string steps_text(const Graph& graph, const LoopSteps& steps, std::size_t width) {
  constexpr std::size_t kIndent = 2;
  std::string out;
  const auto [begin_ns, end_ns] = graph.span_ns();
  const auto span = end_ns - begin_ns;
  std::int64_t within_ns = 0, outside_ns = 0;
  for (const GapGroup& group : steps.rhythm) within_ns += group.total_ns;
  for (const GapGroup& group : steps.others) outside_ns += group.total_ns;
  if (steps.found()) {
    const LoopStep& first = steps.steps.front();
    std::string lines = kind_text(graph, steps);
    lines += fmt::format(": {} each (median), {} of it idle; from {} to {} of the recording",
                         format_ns(steps.median_ns), format_share(idle_share(steps).value_or(0)),
                         format_ns(first.start_ns - begin_ns),
                         format_ns(steps.steps.back().end_ns - begin_ns));
    out += wrapped(lines, 0, width);
    if (steps.warm > 0) {
      const std::int64_t took = steps.steps[steps.warm - 1].end_ns - first.start_ns;
      out += wrapped(fmt::format("before they run evenly, step{} take{} {}, {} of the span",
                                 steps.warm == 1 ? " 1" : fmt::format("s 1 to {}", steps.warm),
                                 steps.warm == 1 ? "s" : "", format_ns(took),
                                 format_share(share_of(took, span))),
                     kIndent, width);
    }
    if (first.start_ns - begin_ns > 0)
      out += wrapped(
          fmt::format("before the loop: {}, {} of the span", format_ns(first.start_ns - begin_ns),
                      format_share(share_of(first.start_ns - begin_ns, span))),
          kIndent, width);
  }
  const auto add = [&](const char* title, const std::vector<GapGroup>& groups, std::int64_t ns) {
    constexpr double kWorthALine = 0.01;
    if (groups.empty() || share_of(ns, span) < kWorthALine) return;
    out += fmt::format("{}: {}, {} of the span\n", title, format_ns(ns),
                       format_share(share_of(ns, span)));
    for (std::size_t i = 0; i < std::min(kGroups, groups.size()); ++i)
      out += wrapped(group_text(graph, groups[i]), kIndent, width);
  };
  add("idle at the same places of most steps", steps.rhythm, within_ns);
  add(steps.found() ? "idle outside of the even steps, or in single ones" : "idle", steps.others,
      outside_ns);
  return out;
}

}  // namespace rpl
