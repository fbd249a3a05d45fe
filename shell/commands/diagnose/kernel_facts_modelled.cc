// SPDX-License-Identifier: MIT
// Facts of what the cycle model timed: the dispatch behind a modelled thread trace, and the last modelled `kernel run`.
#include <fmt/format.h>

#include <algorithm>

#include "engine/device/findings/finding.h"
#include "engine/device/record/write_trace.h"
#include "engine/isa/traits/architecture.h"
#include "shell/commands/diagnose/kernel_facts.h"
#include "shell/core/inputs/run_costs.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using att::ModelledDispatch;
using diagnose::Facts;
using diagnose::Input;

/// Adds what one dispatch says, as modelled: counts are exact, but no hardware counted them.
class ModelledFacts {
 public:
  ModelledFacts(const ModelledDispatch& dispatch, const std::string& source, Facts& facts)
      : d_(dispatch), source_(source), facts_(facts) {}

  void add(Input input, double value) { facts_.add(input, value, source_, Provenance::modelled); }
  /// part / whole; nothing where there is no whole.
  void share(Input input, double part, double whole) {
    if (whole > 0) add(input, part / whole);
  }

  void add_roofs(const Ceilings& ceilings) {
    const auto level = [&](Input input, arch::Level at, std::uint64_t bytes) {
      if (const auto peak = ceilings.gbps(at))
        share(input, static_cast<double>(bytes), *peak * d_.time_ns);
    };
    // More than the memory can give came from the Infinity Cache.
    const auto memory = ceilings.gbps(arch::Level::hbm);
    const bool above = memory && static_cast<double>(d_.hbm_bytes) > *memory * d_.time_ns &&
                       ceilings.gbps(arch::Level::mall);
    level(Input::hbm_share, above ? arch::Level::mall : arch::Level::hbm, d_.hbm_bytes);
    level(Input::l2_share, arch::Level::l2, d_.l2_bytes);
    level(Input::vl1d_share, arch::Level::vl1d, d_.vl1d_bytes);
    level(Input::lds_share, arch::Level::lds, d_.lds_moved_bytes);
    const auto compute_ns = time_at_peak(ceilings);
    if (!compute_ns) return;
    share(Input::compute_share, *compute_ns, d_.time_ns);
    const auto peak = ceilings.gbps(arch::Level::hbm);
    // At the ridge both sides take as long.
    if (peak && *compute_ns > 0)
      share(Input::intensity_ratio, *compute_ns * *peak, static_cast<double>(d_.hbm_bytes));
  }

  void add_units(const arch::Gpu& gpu) {
    const auto units = gpu.number("compute_units"), simds = gpu.number("simds_per_cu"),
               slots = gpu.number("waves_per_simd");
    if (units && simds) {
      const double cycles = static_cast<double>(d_.cycles) * *units * *simds;
      share(Input::valu_utilization, static_cast<double>(d_.vector_busy_cycles), cycles);
      share(Input::mfma_utilization, static_cast<double>(d_.matrix_busy_cycles), cycles);
      if (slots)
        share(Input::measured_occupancy, static_cast<double>(d_.wave_cycles), cycles * *slots);
    }
    share(Input::active_lanes, static_cast<double>(d_.active_lanes),
          isa::kWaveSize * static_cast<double>(d_.vector_instructions));
    share(Input::counter_wait_share, static_cast<double>(d_.wait_cycles),
          static_cast<double>(d_.wave_cycles));
    share(Input::lds_conflict_rate, isa::kLdsCycleBytes * static_cast<double>(d_.lds_conflicts),
          static_cast<double>(d_.lds_moved_bytes));
    add(Input::duration_ns, d_.time_ns);
  }

 private:
  /// As in rooflines: the vector ALU and the matrix units work at a time, types of one unit one after the other. Null when a peak is unknown.
  [[nodiscard]] std::optional<double> time_at_peak(const Ceilings& ceilings) const {
    double vector_ns = 0, matrix_ns = 0;
    for (const auto& [unit, count] : d_.operations) {
      const auto known = std::ranges::find(ceilings.compute, unit,
                                           [](const auto& peak) { return to_string(peak.first); });
      if (known == ceilings.compute.end() || known->second.value.value_or(0) <= 0)
        return std::nullopt;
      (known->first.first == arch::Pipe::vector ? vector_ns : matrix_ns) +=
          static_cast<double>(count) / *known->second.value;
    }
    return std::max(vector_ns, matrix_ns);
  }

  const ModelledDispatch& d_;
  const std::string& source_;
  Facts& facts_;
};

KernelOccupancy occupancy_on(const arch::Gpu& gpu, const ModelledDispatch& d) {
  KernelOccupancy out;
  std::uint64_t items = 1;
  for (std::size_t i = 0; i < d.grid.size(); ++i) {
    out.launch.grid[i] = d.grid[i];
    out.launch.workgroup[i] = d.workgroup[i];
    items = std::min<std::uint64_t>(items * d.workgroup[i], UINT32_MAX);
  }
  out.launch.lds_bytes = d.lds_bytes;
  out.resources.total_vgprs = d.vgprs;
  out.resources.sgprs = d.sgprs;
  out.resources.lds_bytes = d.lds_bytes;
  out.resources.workgroup_size = static_cast<std::uint32_t>(items);
  out.occupancy = arch::occupancy(gpu, out.resources);
  if (out.occupancy) out.grid_cap = arch::grid_cap(gpu, *out.occupancy, workgroups_of(out.launch));
  return out;
}

/// A name as one word of a command line.
std::string shown_name(const std::string& name) {
  return name.find(' ') == std::string::npos ? name : fmt::format("\"{}\"", name);
}

}  // namespace

Status add_modelled_dispatch(const Inputs& inputs, const ModelledDispatch& dispatch,
                             const RooflineArgs& args, KernelFacts& kernel) {
  const arch::Gpu gpu = TRY(hardware_named(inputs, dispatch.gpu, args));
  const Ceilings ceilings = TRY(ceilings_for(std::string(), gpu, args));
  const std::string who = fmt::format("{}, {}", kernel.id, dispatch.model);
  ModelledFacts modelled(dispatch, who, kernel.facts);
  modelled.add_roofs(ceilings);
  modelled.add_units(gpu);
  const KernelOccupancy fits = occupancy_on(gpu, dispatch);
  add_occupancy(fits, kernel.facts);
  kernel.occupancy_command = fmt::format(
      "occupancy --arch {} --vgpr {} --sgpr {} --lds {} --workgroup {}", shown_name(dispatch.gpu),
      dispatch.vgprs, dispatch.sgprs, dispatch.lds_bytes, fits.resources.workgroup_size);
  return {};
}

bool has_modelled_run(const Workspace& workspace) {
  const auto& run = workspace.last_run;
  if (run == nullptr || !run->executed.modelled) return false;
  return !run->thread_trace.empty() ? workspace.thread_traces.find(run->thread_trace) == nullptr
                                    : true;
}

Status add_modelled_run(const Inputs& inputs, const RooflineArgs& args, AllFacts& all) {
  const ModelledDispatch dispatch =
      TRY(calibrate::modelled_dispatch(inputs.workspace.last_run->executed));
  all.kernels.push_back({std::string(kRunId), dispatch.kernel, 0, {}, true});
  KernelFacts& kernel = all.kernels.back();
  if (inputs.workspace.last_run->executed.record)
    kernel.findings = *TRY(findings_of(*inputs.workspace.last_run));
  return add_modelled_dispatch(inputs, dispatch, args, kernel);
}

}  // namespace rpl
