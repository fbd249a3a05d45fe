// SPDX-License-Identifier: MIT
#include "shell/commands/diagnose/occupancy_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/arch/occupancy.h"
#include "engine/isa/traits/architecture.h"

namespace rpl {
namespace {

/// Time by launch configuration and agent.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> time_by_launch(const Trace& trace) {
  std::vector<std::int64_t> totals;
  const std::size_t agents = trace.entities().agents.size() + 1;
  totals.assign(trace.entities().launches.size() * agents, -1);
  for (std::size_t row = 0; row < trace.size(); ++row) {
    const std::size_t agent = std::min<std::size_t>(trace.lane(row).agent, agents - 1);
    std::int64_t& total = totals[trace.columns().launch[row] * agents + agent];
    total = std::max<std::int64_t>(total, 0) + trace.duration_ns(row);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> out;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (totals[i] < 0) continue;
    const std::size_t agent = i % agents;
    out[{static_cast<std::uint32_t>(i / agents),
         agent + 1 == agents ? kNone : static_cast<std::uint32_t>(agent)}] = totals[i];
  }
  return out;
}

/// The kernels that ran, each with its most expensive launch.
std::vector<KernelOccupancy> kernels_that_ran(const Trace& trace) {
  std::map<std::uint32_t, KernelOccupancy> by_kernel;
  std::map<std::uint32_t, std::int64_t> most;
  std::uint32_t last_launch = kNone;
  for (const auto& [place, ns] : time_by_launch(trace)) {
    const Launch& launch = trace.entities().launches[place.first];
    if (launch.kernel == kNone) continue;
    KernelOccupancy& row = by_kernel[launch.kernel];
    row.kernel = launch.kernel;
    row.total_ns += ns;
    row.configurations += place.first == last_launch ? 0 : 1;
    last_launch = place.first;
    const auto [best, first] = most.try_emplace(launch.kernel, ns);
    if (!first && ns <= best->second) continue;
    best->second = ns;
    row.launch = launch;
    row.agent = place.second;
  }
  std::vector<KernelOccupancy> out;
  for (auto& [kernel, row] : by_kernel) out.push_back(std::move(row));
  std::ranges::stable_sort(out, std::greater<>(), &KernelOccupancy::total_ns);
  return out;
}

std::string arch_of(const Trace& trace, std::uint32_t agent) {
  return agent < trace.entities().agents.size() ? trace.entities().agents[agent].arch : "";
}

/// What the recorded register counts of each architecture mean.
std::map<std::string, arch::RegisterCounts> counts_by_arch(
    const Trace& trace, const std::vector<KernelOccupancy>& kernels) {
  std::map<std::string, std::vector<arch::RecordedRegisters>> recorded;
  for (const KernelOccupancy& row : kernels) {
    const Kernel& kernel = trace.kernels()[row.kernel];
    recorded[arch_of(trace, row.agent)].push_back(
        {kernel.name, kernel.arch_vgprs, kernel.accum_vgprs});
  }
  std::map<std::string, arch::RegisterCounts> out;
  for (const auto& [name, registers] : recorded) out[name] = arch::register_counts(name, registers);
  return out;
}

arch::KernelResources resources_of(const Kernel& kernel, const Launch& launch,
                                   const arch::RegisterCounts& counts) {
  arch::KernelResources out;
  out.arch_vgprs = kernel.arch_vgprs;
  out.accum_vgprs = kernel.accum_vgprs;
  if (counts.meaning == arch::RegisterCounts::Meaning::halved)
    out.total_vgprs = counts.total({kernel.name, kernel.arch_vgprs, kernel.accum_vgprs});
  out.sgprs = kernel.sgprs;
  out.lds_bytes = launch.lds_bytes;
  std::uint64_t size = 1;
  for (const std::uint32_t side : launch.workgroup)
    size = std::min<std::uint64_t>(size * side, UINT32_MAX);
  out.workgroup_size = static_cast<std::uint32_t>(size);
  return out;
}

/// Says once what holds for many kernels.
void note_assumptions(const Trace& trace, const std::vector<KernelOccupancy>& kernels,
                      TraceOccupancy& out) {
  const auto unknown = std::ranges::count(kernels, false, &KernelOccupancy::registers_known);
  if (unknown != 0) {
    out.notes.push_back(fmt::format(
        "registers of {} of {} kernels are not recorded; their occupancy is an upper bound",
        unknown, kernels.size()));
  }
  const bool rdna = std::ranges::any_of(
      kernels, [&](const KernelOccupancy& row) { return isa::is_rdna(arch_of(trace, row.agent)); });
  if (rdna) {
    out.notes.emplace_back(
        "recordings do not say the wave size nor the mode of RDNA kernels: waves of 32 in CU mode "
        "are assumed; 'occupancy --arch NAME --wave-size 64 …' or '--wgp' assumes otherwise");
  }
}

}  // namespace

std::uint64_t workgroups_of(const Launch& launch) {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < launch.grid.size(); ++i) {
    const std::uint64_t side = std::max(launch.workgroup[i], 1U);
    count *= (std::max(launch.grid[i], 1U) + side - 1) / side;
  }
  return count;
}

Result<TraceOccupancy> occupancy_of(const Inputs& inputs, const Trace& trace) {
  TraceOccupancy out;
  out.kernels = kernels_that_ran(trace);
  const auto counts = counts_by_arch(trace, out.kernels);
  for (const auto& [name, found] : counts) {
    if (!found.note.empty()) out.notes.push_back(found.note);
  }
  std::map<std::uint32_t, arch::Gpu> gpus;
  for (KernelOccupancy& row : out.kernels) {
    auto gpu = gpus.find(row.agent);
    if (gpu == gpus.end()) {
      gpu = gpus.emplace(row.agent, TRY(hardware_of(inputs, trace, row.agent, {}))).first;
      for (const std::string& note : gpu->second.notes) out.notes.push_back(note);
    }
    const Kernel& kernel = trace.kernels()[row.kernel];
    row.resources = resources_of(kernel, row.launch, counts.at(arch_of(trace, row.agent)));
    row.registers_known = kernel.arch_vgprs != 0 || kernel.accum_vgprs != 0;
    row.occupancy = arch::occupancy(gpu->second, row.resources);
    if (row.occupancy)
      row.grid_cap = arch::grid_cap(gpu->second, *row.occupancy, workgroups_of(row.launch));
  }
  note_assumptions(trace, out.kernels, out);
  return out;
}

}  // namespace rpl
