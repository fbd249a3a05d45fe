// SPDX-License-Identifier: MIT
#include "shell/core/inputs/overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

std::string formats_of(const Trace& trace) {
  std::set<std::string> names;
  for (const TraceFile& file : trace.entities().files) {
    std::string name(to_string(file.format));
    if (!file.schema_version.empty()) name += " " + file.schema_version;
    names.insert(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Architectures of the agents that ran something, each with how many: a window shares the tables of the whole trace, so
/// that the dispatches must be asked.
std::string devices_of(const Trace& trace) {
  const TraceEntities& entities = trace.entities();
  std::vector<bool> used(entities.lanes.size());
  for (const std::uint32_t lane : trace.columns().lane) used[lane] = true;
  std::set<std::uint32_t> agents;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] && entities.lanes[i].agent != kNone) agents.insert(entities.lanes[i].agent);
  }
  std::map<std::string, int> devices;
  for (const std::uint32_t agent : agents) ++devices[entities.agents[agent].arch];
  std::string out;
  for (const auto& [arch, count] : devices) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} x{}", arch.empty() ? "GPU" : arch, count);
  }
  return out;
}

}  // namespace

std::string_view to_string(TraceFormat format) {
  switch (format) {
    case TraceFormat::rocpd:
      return "rocpd";
    case TraceFormat::rpd:
      return "rpd";
    case TraceFormat::csv:
      return "csv";
    case TraceFormat::json:
      return "json";
    case TraceFormat::kineto:
      return "kineto";
  }
  return "rocpd";
}

Overview overview_of(const Trace& trace, const TraceStats& stats) {
  return Overview{.format = formats_of(trace),
                  .devices = devices_of(trace),
                  .totals = stats.totals,
                  .timed = trace.has_times()};
}

std::string one_line(const Overview& overview) {
  const auto counted = [](std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
  };
  const TraceTotals& totals = overview.totals;
  std::string line = counted(totals.dispatches, "dispatch", "dispatches");
  if (totals.dispatches > 0) {
    line += ", " + counted(totals.kernels, "kernel", "kernels");
    line += ", " + counted(totals.streams, "stream", "streams");
    if (!overview.devices.empty()) line += ", " + overview.devices;
    if (totals.processes > 1) line += ", " + counted(totals.processes, "process", "processes");
    line += ", " + (overview.timed ? format_ns(totals.span_ns) : "no times");
  }
  return fmt::format("{} ({})", line, overview.format);
}

}  // namespace rpl
