// SPDX-License-Identifier: MIT
#include "shell/commands/diagnose/application_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/graph/application/application.h"
#include "shell/commands/diagnose/kernel_facts.h"
#include "shell/commands/diagnose/occupancy_kernels.h"
#include "shell/core/inputs/doubts.h"

namespace rpl {
namespace {

/// What part of its device each launch fills; a kernel of which that is not known fills all of it.
Result<std::vector<double>> fills_of(const Inputs& inputs, const Trace& trace) {
  const auto& launches = trace.entities().launches;
  std::vector<double> out(launches.size(), 1.0);
  const TraceOccupancy all = TRY(occupancy_of(inputs, trace));
  for (const KernelOccupancy& one : all.kernels) {
    if (!one.occupancy || !one.grid_cap || one.occupancy->occupancy <= 0) continue;
    const double fill = *one.grid_cap / one.occupancy->occupancy;
    const auto groups = static_cast<double>(std::max<std::uint64_t>(1, workgroups_of(one.launch)));
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (launches[i].kernel != one.kernel) continue;
      constexpr double kLeast = 1e-6;
      const double part = fill * static_cast<double>(workgroups_of(launches[i])) / groups;
      out[i] = std::clamp(part, kLeast, 1.0);
    }
  }
  return out;
}

}  // namespace

Result<std::optional<findings::Findings>> application_findings(const Inputs& inputs,
                                                               const Loaded& loaded) {
  const Trace& trace = *loaded.trace;
  if (nothing_ran(trace) || no_times(trace) || is_counting_run(trace)) return std::nullopt;
  const auto graph = TRY(graph_of(inputs, loaded));
  const findings::ApplicationFacts facts{TRY(fills_of(inputs, trace))};
  findings::Findings found = TRY(findings::find_in_application(*graph, facts, inputs.monitor));
  // Of a recording that is not sure, a cause may as well be worth nothing.
  if (!TRY(doubts_of(inputs, loaded))->empty()) {
    for (findings::Finding& one : found.all)
      if (one.worth) one.worth->low = 0;
    found.without_faults.low = 0;
  }
  return std::optional(std::move(found));
}

std::string application_line(const findings::Finding& found) {
  constexpr double kPercent = 100;
  std::string out(to_string(found.cause));
  if (found.worth)
    out += fmt::format(", {:.0f} to {:.0f} % of the span", found.worth->low * kPercent,
                       found.worth->high * kPercent);
  return found.where.empty() ? out : fmt::format("{}: {}", out, found.where.front().text());
}

std::string next_for(const findings::Finding& found, const Trace& trace) {
  using findings::Cause;
  switch (found.cause) {
    case Cause::idle_device:
      return trace.presence().api ? "gaps" : "rocprofv3 --sys-trace -- APP";
    case Cause::pageable_copies:
    case Cause::repeated_copies:
    case Cause::exposed_copies:
    case Cause::copy_bound:
      return "info copies";
    case Cause::stream_serialization:
      return "overlap";
    case Cause::launch_bound:
    case Cause::host_sync_bound:
      return "gaps";
    case Cause::allocation_in_loop:
    case Cause::module_loading_in_loop:
      return "info api";
    case Cause::collective_wait:
    case Cause::straggler_rank:
      return "steps";
    default:
      return findings::is_of_application(found.cause) ? "critpath" : "findings";
  }
}

}  // namespace rpl
