// SPDX-License-Identifier: MIT
#include "shell/commands/diagnose/kernel_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/graph/gaps.h"

namespace rpl {
namespace {

using diagnose::Facts;
using diagnose::Input;

/// Idle time of the device that ends with a dispatch of each kernel, and the whole time of the kernel.
Result<std::vector<std::int64_t>> gaps_before(const Inputs& inputs, const Loaded& now) {
  const auto graph = TRY(graph_of(inputs, now));
  const Gaps gaps = TRY(find_gaps(*graph, {}, inputs.monitor));
  std::vector<std::int64_t> out(now.trace->kernels().size());
  for (const Gap& gap : gaps.rows) {
    if (gap.after == kNoNode) continue;
    const std::uint32_t kernel = graph->kernel_of(gap.after);
    if (kernel < out.size()) out[kernel] += gap.end_ns - gap.start_ns;
  }
  return out;
}

void add_times(const Trace& trace, const KernelOnPath& found, std::int64_t gap_ns, Facts& facts) {
  if (found.calls == 0 || found.total_ns <= 0) return;
  const Provenance provenance = provenance_of(trace);
  const auto total = static_cast<double>(found.total_ns), gap = static_cast<double>(gap_ns);
  facts.add(Input::duration_ns, total / static_cast<double>(found.calls),
            fmt::format("mean of {} dispatches", found.calls), provenance);
  facts.add(Input::critical_share, found.share, "critical path", provenance);
  // A counting run stops between dispatches; its gaps are not the program's.
  if (!is_counting_run(trace))
    facts.add(Input::gap_share, gap / (gap + total), "gaps in front of it", provenance);
}

Status add_trace(const Inputs& inputs, const Loaded& now, AllFacts& out) {
  const Trace& trace = *now.trace;
  const TraceOccupancy occupancy = TRY(occupancy_of(inputs, trace));
  out.notes = occupancy.notes;
  const auto path = TRY(path_of(inputs, now));
  const auto gaps = TRY(gaps_before(inputs, now));
  for (const KernelOccupancy& found : occupancy.kernels) {
    const Kernel& named = trace.kernels()[found.kernel];
    KernelFacts kernel{named.id, named.name, found.total_ns, {}, trace.presence().modelled};
    kernel.scratch_bytes = std::max(named.scratch_bytes, found.launch.scratch_bytes);
    add_occupancy(found, kernel.facts);
    const auto on_path = std::ranges::find(path->kernels, found.kernel, &KernelOnPath::kernel);
    if (on_path != path->kernels.end())
      add_times(trace, *on_path, gaps[found.kernel], kernel.facts);
    if (!named.findings.empty()) {
      auto read = findings::findings_from_json(named.findings);
      if (read) kernel.findings = std::move(*read);
      if (!read)
        out.notes.push_back(fmt::format("{}: what the recording found is not read: {}", named.id,
                                        read.error().message));
    }
    out.kernels.push_back(std::move(kernel));
  }
  return {};
}

}  // namespace

void add_occupancy(const KernelOccupancy& found, diagnose::Facts& facts) {
  if (!found.occupancy) return;
  const arch::Occupancy& fits = *found.occupancy;
  const std::string source = fmt::format("occupancy: {} limits", fits.limiter_text());
  // Without registers it is an upper bound, which proves no lack of waves and no plenty of them.
  if (found.registers_known) {
    facts.add(Input::occupancy_limit, fits.occupancy, source, Provenance::estimated);
    if (!fits.steps.empty())
      facts.add(Input::next_occupancy, fits.steps.front().occupancy, fits.steps.front().text,
                Provenance::estimated);
  }
  if (found.grid_cap) {
    facts.add(Input::grid_fill, std::min(1.0, *found.grid_cap / fits.occupancy),
              fmt::format("grid of {} workgroups", workgroups_of(found.launch)),
              Provenance::estimated);
  }
  const double lanes = static_cast<double>(fits.waves_per_workgroup) * fits.wave_size;
  facts.add(Input::workgroup_lanes, found.resources.workgroup_size / lanes,
            fmt::format("workgroups of {}", found.resources.workgroup_size));
}

bool is_counting_run(const Trace& trace) {
  return trace.presence().counters && !trace.presence().modelled;
}

bool has_roofs(const Trace& trace) { return trace.presence().counters; }

Result<AllFacts> kernel_facts(const Inputs& inputs, const Loaded* now, const RooflineArgs& args) {
  AllFacts out;
  if (now != nullptr) TRY(add_trace(inputs, *now, out));
  if (now != nullptr && has_roofs(*now->trace)) TRY(add_counters(inputs, args, out));
  TRY(add_thread_traces(inputs, args, out));
  return out;
}

}  // namespace rpl
