// SPDX-License-Identifier: MIT
// profile.json and analysis.json, from what the other commands compute.
#include "shell/commands/profile/profile_files.h"

#include <algorithm>

#include "engine/arch/peaks.h"
#include "engine/att/analyse/legacy.h"
#include "engine/base/text.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/diagnose/occupancy_kernels.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr double kNsPerMs = 1e6;

/// Everything that both documents need.
struct Analysed {
  Loaded now;
  DiagnosedKernels diagnosed;
  TraceOccupancy occupancy;
};

Result<Analysed> analysed(const Inputs& inputs, const RooflineArgs& args) {
  Analysed out;
  out.now = TRY(loaded(inputs));
  if (const auto why = nothing_ran(*out.now.trace))
    return fail(Errc::not_found, *why, "info trace");
  out.diagnosed = TRY(diagnosed(inputs, args));
  out.occupancy = TRY(occupancy_of(inputs, *out.now.trace));
  return out;
}

const KernelOccupancy* occupancy_named(const Analysed& all, const std::string& id) {
  const auto found = std::ranges::find_if(all.occupancy.kernels, [&](const KernelOccupancy& row) {
    return all.now.trace->kernels()[row.kernel].id == id;
  });
  return found == all.occupancy.kernels.end() ? nullptr : &*found;
}

/// The thread trace of a kernel, by its name, or by its own id; null for none.
AttEntry thread_trace_of(const Workspace& workspace, const std::string& id,
                         const std::string& name) {
  for (const auto& entry : workspace.thread_traces.all()) {
    const std::string traced = entry->value->trace->kernel();
    if (entry->id == id || (!traced.empty() && short_kernel(traced) == short_kernel(name)))
      return entry;
  }
  return nullptr;
}

/// Executions of each kind of instruction / all.
Record mix_of(const att::Summary& summary) {
  std::uint64_t all = 0;
  for (const att::Cost& cost : summary.mix) all += cost.hits;
  Record out;
  for (std::size_t i = 0; i < att::kCategories && all > 0; ++i) {
    if (summary.mix[i].hits == 0) continue;
    out.emplace_back(att::to_string(static_cast<att::Category>(i)),
                     Value(static_cast<double>(summary.mix[i].hits) / static_cast<double>(all)));
  }
  return out;
}

/// Cycles from issue to the next instruction; waits for the data are not part of it.
std::optional<double> access_latency(const att::Summary& summary) {
  std::uint64_t hits = 0, latency = 0;
  for (const att::Category pipe : {att::Category::vmem, att::Category::flat}) {
    hits += summary.mix[static_cast<std::size_t>(pipe)].hits;
    latency += summary.mix[static_cast<std::size_t>(pipe)].latency;
  }
  if (hits == 0) return std::nullopt;
  return static_cast<double>(latency) / static_cast<double>(hits);
}

std::optional<AnalysedAtt> att_of(const AttEntry& entry) {
  if (!entry || !entry->value->trace->code.timed) return {};
  const att::Summary summary = att::summarise(*entry->value->trace);
  const auto facts = att::stall_facts(*entry->value->trace, summary);
  const auto fact = [&](std::string_view name, double scale) -> std::optional<double> {
    const auto found = std::ranges::find(facts, name, &att::Fact::name);
    if (found == facts.end() || !found->value) return std::nullopt;
    return *found->value * scale;
  };
  return AnalysedAtt{entry->id,
                     entry->path,
                     mix_of(summary),
                     fact("stall_pct", 0.01),
                     fact("idle_pct", 0.01),
                     fact("wait_stall_pct", 0.01),
                     fact("ipc", 1),
                     access_latency(summary)};
}

ProfiledGpu gpu_of(const arch::Gpu& gpu) {
  ProfiledGpu out{.architecture = gpu.arch,
                  .product = gpu.product,
                  .wave_size = gpu.whole("wave_size"),
                  .compute_units = gpu.whole("compute_units"),
                  .peak_flops = {}};
  constexpr double kGiga = 1e9;
  if (const auto peak = arch::peak_flops(gpu, arch::DataType::f32, arch::Pipe::vector))
    out.peak_flops = *peak->value * kGiga;
  return out;
}

/// The point of device memory; nothing where nothing was counted for the kernel.
Result<std::optional<ProfiledRoofline>> roofline_of(const Inputs& inputs, const Trace& trace,
                                                    const std::string& id, const RooflineArgs& args,
                                                    std::vector<std::string>& notes) {
  if (!trace.presence().counters) return std::nullopt;
  const RooflineView view = TRY(roofline_view(inputs, args));
  notes.insert(notes.end(), view.notes.begin(), view.notes.end());
  for (const KernelRoofline& kernel : view.kernels) {
    if (trace.kernels()[kernel.measured.kernel].id != id) continue;
    const auto point = std::ranges::find(kernel.points, arch::Level::hbm, &RooflinePoint::level);
    if (point != kernel.points.end()) return ProfiledRoofline{*point};
    break;
  }
  return std::nullopt;
}

void add_kernel(const Trace& trace, const KernelStats& row, const KernelOccupancy* found,
                Profile& out) {
  const Kernel& kernel = trace.kernels()[row.kernel];
  out.kernel_runtime_ms = static_cast<double>(row.duration.total_ns) / kNsPerMs;
  out.kernel.emplace(ProfiledKernel{kernel.name, kernel.id, {}, {}});
  out.resources.emplace(ProfiledResources{0, kernel.sgprs, kernel.static_lds_bytes});
  out.occupancy.emplace();
  if (found == nullptr) return;
  out.kernel->grid = found->launch.grid;
  out.kernel->block = found->launch.workgroup;
  out.resources->vgprs =
      found->resources.total_vgprs.value_or(kernel.arch_vgprs + kernel.accum_vgprs);
  out.resources->lds_bytes = found->launch.lds_bytes;
  out.occupancy->threads_per_block = found->resources.workgroup_size;
  if (!found->occupancy) return;
  out.occupancy->wave_size = found->occupancy->wave_size;
  if (found->registers_known) out.occupancy->theoretical = found->occupancy->occupancy;
}

void add_conclusions(const DiagnosedKernel& kernel, Profile& out) {
  out.bottleneck.emplace(
      ProfiledBottleneck{kernel.diagnosis.label, kernel.diagnosis.confidence, {}});
  out.bottleneck->reasoning = reasons_of(kernel);
  out.headroom_high = kernel.headroom.high;
  out.headroom_low = kernel.headroom.low;
}

AnalysedNeed need_of(const diagnose::Need& need, const DiagnosedKernel& kernel) {
  AnalysedNeed out{need.collect, {}, filled_in(need.command, kernel)};
  for (const diagnose::Input input : need.inputs) out.inputs.push_back(to_string(input));
  return out;
}

AnalysedOccupancy analysed(const arch::Occupancy& fits) {
  return {fits.occupancy, static_cast<double>(fits.waves) / fits.compute_units,
          static_cast<double>(fits.workgroups) / fits.compute_units, fits.limiter_text(),
          fits.steps.empty() ? std::string() : fits.steps.front().text};
}

AnalysisRow row_of(const Workspace& workspace, const Analysed& all, const DiagnosedKernel& kernel) {
  AnalysisRow row{
      kernel.id, kernel.name, kernel.total_ns, kernel.diagnosis, {}, {}, kernel.headroom, {}, {}};
  for (const diagnose::Evidence& held : kernel.diagnosis.evidence()) row.evidence.push_back({held});
  for (const diagnose::Need& need : kernel.diagnosis.needs)
    row.needs.push_back(need_of(need, kernel));
  const KernelOccupancy* found = occupancy_named(all, kernel.id);
  if (found != nullptr && found->occupancy) row.occupancy = analysed(*found->occupancy);
  row.att = att_of(thread_trace_of(workspace, kernel.id, kernel.name));
  return row;
}

/// The kernel that a profile is about: null where no kernel was dispatched.
const KernelStats* kernel_of_interest(const TraceStats& stats, const CriticalPath& path,
                                      bool critical) {
  if (stats.kernels.empty()) return nullptr;
  const auto dominant = path.dominant_kernel;
  if (!critical || !dominant) return &stats.kernels.front();
  const auto found = std::ranges::find(stats.kernels, *dominant, &KernelStats::kernel);
  return found == stats.kernels.end() ? &stats.kernels.front() : &*found;
}

}  // namespace

Result<Profile> profile_of_trace(const Inputs& inputs, const RooflineArgs& args, bool critical) {
  const Analysed all = TRY(analysed(inputs, args));
  const Trace& trace = *all.now.trace;
  const auto stats = TRY(stats_of(all.now));
  const auto path = TRY(path_of(inputs, all.now));
  const KernelStats* most = kernel_of_interest(*stats, *path, critical);
  if (most == nullptr) return fail(Errc::not_found, "no kernel was dispatched", "info trace");
  const Kernel& kernel = trace.kernels()[most->kernel];
  const KernelOccupancy* placed = occupancy_named(all, kernel.id);
  Profile out{.recording = all.now.open->paths(), .provenance = provenance_of(trace)};
  std::vector<double> runtime_ms;
  if (stats->totals.gpu_time_ns > 0) {
    runtime_ms.push_back(static_cast<double>(stats->totals.gpu_time_ns) / kNsPerMs);
    out.time_source = "kernels";
  }
  out.stability = profile::stability_of(runtime_ms);
  add_kernel(trace, *most, placed, out);
  const std::uint32_t agent = placed != nullptr ? placed->agent : busiest_agent(trace);
  out.gpu = gpu_of(TRY(hardware_of(inputs, trace, agent, args)));
  out.roofline = TRY(roofline_of(inputs, trace, kernel.id, args, out.notes));
  out.path.emplace(ProfiledPath{path->critical_path_ns, {}, {}});
  if (path->dominant_kernel) {
    out.path->dominant = trace.kernels()[*path->dominant_kernel].name;
    out.path->fraction = path->dominance_fraction;
  }
  out.att = att_of(thread_trace_of(inputs.workspace, kernel.id, kernel.name));
  const auto found = std::ranges::find(all.diagnosed.kernels, kernel.id, &DiagnosedKernel::id);
  if (found != all.diagnosed.kernels.end()) add_conclusions(*found, out);
  for (const std::string& note : all.diagnosed.notes) {
    if (std::ranges::count(out.notes, note) == 0) out.notes.push_back(note);
  }
  return out;
}

Result<Document> analysis_of_trace(const Inputs& inputs, const RooflineArgs& args) {
  const Analysed all = TRY(analysed(inputs, args));
  Document out;
  out.schema = "rpl.analysis/1";
  out.fields = described(kRecordingFields);
  out.put(kRecordingFields, Recording{all.now.open->paths()});
  std::vector<AnalysisRow> rows;
  for (const DiagnosedKernel& kernel : all.diagnosed.kernels)
    rows.push_back(row_of(inputs.workspace, all, kernel));
  out.table(kAnalysisColumns, rows);
  out.notes = all.diagnosed.notes;
  out.provenance = Provenance::estimated;
  return out;
}

}  // namespace rpl
