// SPDX-License-Identifier: MIT
#include "shell/core/inputs/loaded.h"

#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/plot/paint.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct Named {
  std::string name;
  std::uint64_t handle = 0;
};

std::vector<Named> entities_of(const Trace& trace, char letter) {
  std::vector<Named> out;
  const TraceEntities& entities = trace.entities();
  if (letter == 'a') {
    for (const Agent& agent : entities.agents) {
      out.push_back({agent.product, static_cast<std::uint64_t>(agent.recorded_id)});
    }
  } else if (letter == 'q') {
    for (const Queue& queue : entities.queues) out.push_back({queue.name, queue.handle});
  } else {
    for (const Stream& stream : entities.streams) out.push_back({stream.name, stream.handle});
  }
  return out;
}

std::string_view noun(char letter) {
  return letter == 'a' ? "agent" : letter == 'q' ? "queue" : "stream";
}

bool is_called(const Named& entity, std::string_view reference) {
  if (entity.name == reference) return true;
  return reference.starts_with("0x") &&
         whole_number<std::uint64_t>(reference.substr(2), 16) == entity.handle;
}

}  // namespace

Result<Loaded> loaded(const Inputs& inputs) {
  Loaded out;
  out.open = TRY(inputs.workspace.current());
  out.trace = TRY(out.open->get(inputs.monitor));
  return out;
}

Result<Loaded> loaded_with_times(const Inputs& inputs) {
  Loaded out = TRY(loaded(inputs));
  if (const auto why = no_times(*out.trace)) return fail(Errc::not_found, *why, kRecordTimes);
  return out;
}

Result<std::shared_ptr<const TraceStats>> stats_of(const Loaded& loaded) {
  if (auto held = loaded.open->cached<TraceStats>()) return held;
  auto stats = std::make_shared<const TraceStats>(TRY(trace_stats(*loaded.trace)));
  loaded.open->cache<TraceStats>(stats);
  return stats;
}

Result<std::shared_ptr<const Graph>> graph_of(const Inputs& inputs, const Loaded& loaded) {
  if (auto held = loaded.open->cached<Graph>()) return held;
  auto graph = TRY(Graph::build(loaded.trace, {}, inputs.monitor));
  loaded.open->cache<Graph>(graph);
  return graph;
}

namespace {

struct PathWithGains : CriticalPath {};

/// The path takes the slack, and both are found together; they are kept apart.
Status find_path(const Inputs& inputs, const Loaded& loaded) {
  const auto graph = TRY(graph_of(inputs, loaded));
  CriticalPathOptions options;
  options.simulated_operations = 0;
  if (const auto slack = loaded.open->cached<Slack>()) {
    loaded.open->cache<CriticalPath>(std::make_shared<const CriticalPath>(
        TRY(critical_path(*graph, *slack, options, inputs.monitor))));
    return {};
  }
  PathAndSlack found = TRY(path_and_slack(*graph, options, inputs.monitor));
  loaded.open->cache<Slack>(std::make_shared<const Slack>(std::move(found.slack)));
  loaded.open->cache<CriticalPath>(std::make_shared<const CriticalPath>(std::move(found.path)));
  return {};
}

/// The slack takes no path, whose simulated gains take longer than all the rest.
Status find_slack(const Inputs& inputs, const Loaded& loaded) {
  const auto graph = TRY(graph_of(inputs, loaded));
  loaded.open->cache<Slack>(
      std::make_shared<const Slack>(TRY(Slack::compute(*graph, inputs.monitor))));
  return {};
}

}  // namespace

Result<std::shared_ptr<const Slack>> slack_of(const Inputs& inputs, const Loaded& loaded) {
  if (!loaded.open->cached<Slack>()) TRY(find_slack(inputs, loaded));
  return loaded.open->cached<Slack>();
}

Result<std::shared_ptr<const CriticalPath>> path_of(const Inputs& inputs, const Loaded& loaded) {
  if (!loaded.open->cached<CriticalPath>()) TRY(find_path(inputs, loaded));
  return loaded.open->cached<CriticalPath>();
}

Result<std::shared_ptr<const CriticalPath>> path_with_gains_of(const Inputs& inputs,
                                                               const Loaded& loaded) {
  if (const auto held = loaded.open->cached<PathWithGains>()) return held;
  const auto path = TRY(path_of(inputs, loaded));
  auto gains = std::make_shared<PathWithGains>(PathWithGains{*path});
  TRY(add_gains(*TRY(graph_of(inputs, loaded)), {}, *gains));
  loaded.open->cache<PathWithGains>(gains);
  return gains;
}

std::optional<std::string> model_band_note(const Trace& trace, const TraceStats& stats) {
  double ns = 0, low = 0, high = 0;
  for (const KernelStats& one : stats.kernels) {
    const Kernel& kernel = trace.kernels()[one.kernel];
    if (kernel.time_low <= 0) continue;
    const auto own = static_cast<double>(one.duration.total_ns);
    ns += own;
    low += own * kernel.time_low;
    high += own * kernel.time_high;
  }
  if (ns <= 0) return std::nullopt;
  return fmt::format(
      "times are modelled: nine of ten real ones lie between {:.2f} and {:.2f} times "
      "these (docs/cycle-model.md)",
      low / ns, high / ns);
}

Provenance provenance_of(const Trace& trace) {
  return trace.presence().modelled ? Provenance::modelled : Provenance::recorded;
}

std::optional<std::string> entity_id(char letter, std::uint32_t index) {
  if (index == kNone) return std::nullopt;
  return fmt::format("{}{}", letter, index);
}

Value dim3_value(const Dim3& size) {
  return Value(List{Value(size[0]), Value(size[1]), Value(size[2])});
}

std::string operation_id(const Graph& graph, NodeId operation) {
  if (operation < graph.dispatches()) return fmt::format("d{}", operation + 1);
  return fmt::format("copy{}", operation - graph.dispatches() + 1);
}

std::string short_name(const Graph& graph, NodeId operation) {
  return short_kernel(operation_name(graph, operation));
}

std::string short_name(const Trace& trace, std::uint32_t kernel, std::size_t width) {
  if (kernel == kNone) return "(no kernel)";
  return elide_middle(short_kernel(trace.kernels()[kernel].name), width);
}

Result<std::uint32_t> resolve_entity(const Trace& trace, char letter, std::string_view reference) {
  const std::vector<Named> all = entities_of(trace, letter);
  const std::string_view digits = reference.starts_with(letter) ? reference.substr(1) : reference;
  if (const auto index = whole_number<std::uint64_t>(digits); index && *index < all.size()) {
    return static_cast<std::uint32_t>(*index);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_called(all[i], reference)) return static_cast<std::uint32_t>(i);
  }
  return fail(Errc::not_found, fmt::format("no {} '{}'", noun(letter), reference),
              all.empty() ? fmt::format("the recording names no {}s", noun(letter))
                          : fmt::format("'info {}s' lists {}0 to {}{}", noun(letter), letter,
                                        letter, all.size() - 1));
}

std::int64_t origin_of(const Trace& trace) {
  std::int64_t first = trace.size() == 0 ? INT64_MAX : trace.extent_ns().first;
  // Copies that cannot be read have no part in the graph's span either; who asks for them gets the error.
  const auto facts = trace.ask({Fact::copy_places});
  if (facts && !facts->copies->rows.empty())
    first = std::min(first, facts->copies->rows.start_ns(0));
  return first == INT64_MAX ? 0 : first;
}

Result<std::int64_t> resolve_time(const Trace& trace, std::string_view text, bool end) {
  const auto offset = parse_ns(text);
  if (offset) return origin_of(trace) + *offset;
  if (!trace.presence().markers) return Failure(offset.error());
  std::vector<std::string> names;
  for (const Marker& marker : TRY(trace.markers())->rows) {
    if (marker.text == text) return end ? marker.end_ns : marker.start_ns;
    names.push_back(marker.text);
  }
  const std::string hint = did_you_mean(nearest(text, names));
  return fail(
      Errc::not_found, fmt::format("'{}' is neither a time nor a marker", text),
      hint.empty() ? "write 12ms or 1.5s from the beginning; 'info markers' lists marks" : hint);
}

std::optional<std::string> nothing_ran(const Trace& trace) {
  if (trace.size() > 0) return std::nullopt;
  if (trace.entities().agents.empty()) {
    return "the recording has no dispatches and no agents: the run ended before the profiler could "
           "write them, or it never used a GPU";
  }
  if (provenance_of(trace) == Provenance::modelled)
    return "the recording has no dispatches: no kernel ran to its end";
  return "the recording has no dispatches: no kernel ran, or kernels were not recorded "
         "(rocprofv3 --kernel-trace)";
}

std::optional<std::string> no_times(const Trace& trace) {
  if (trace.has_times()) return std::nullopt;
  return "the recording has no times: all its dispatches begin and end at one instant";
}

Value timed(const Trace& trace, Value value) {
  return trace.has_times() ? std::move(value) : Value();
}

double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

Screen::Screen(const Context& context) {
  const Terminal& terminal = context.face().terminal();
  const std::string& graphics = context.settings().text("graphics");
  width = std::max<std::size_t>(terminal.width, 40);
  unicode = graphics == "auto" ? terminal.unicode : graphics == "unicode";
}

}  // namespace rpl
