// SPDX-License-Identifier: MIT
// profile.json and analysis.json, from what the other commands compute.
#include "shell/commands/profile/profile_files.h"

#include <algorithm>

#include "engine/arch/peaks.h"
#include "engine/att/analyse/legacy.h"
#include "engine/base/text_layout.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/diagnose/occupancy_kernels.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
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

Result<Analysed> analysed(Context& context, const RooflineArgs& args) {
  Analysed out;
  out.now = TRY(loaded(context));
  if (const auto why = nothing_ran(*out.now.trace))
    return fail(Errc::not_found, *why, "info trace");
  out.diagnosed = TRY(diagnosed(context, args));
  out.occupancy = TRY(occupancy_of(context, *out.now.trace));
  return out;
}

Document of_shape(std::string_view schema) {
  DocumentShape shape = document_shape(schema);
  Document out;
  out.schema = std::move(shape.schema);
  out.fields = std::move(shape.fields);
  out.columns = std::move(shape.columns);
  return out;
}

Value recording_of(const Loaded& now) {
  return Value(List(now.open->paths().begin(), now.open->paths().end()));
}

const KernelOccupancy* occupancy_named(const Analysed& all, const std::string& id) {
  const auto found = std::ranges::find_if(all.occupancy.kernels, [&](const KernelOccupancy& row) {
    return all.now.trace->kernels()[row.kernel].id == id;
  });
  return found == all.occupancy.kernels.end() ? nullptr : &*found;
}

/// The thread trace of a kernel, by its name, or by its own id; null for none.
AttEntry thread_trace_of(const Context& context, const std::string& id, const std::string& name) {
  for (const auto& entry : context.workspace().thread_traces.all()) {
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

Value gpu_value(const arch::Gpu& gpu) {
  const auto peak = arch::peak_flops(gpu, arch::DataType::f32, arch::Pipe::vector);
  constexpr double kGiga = 1e9;
  return Value(Record{{"architecture", gpu.arch.empty() ? Value() : Value(gpu.arch)},
                      {"product", gpu.product.empty() ? Value() : Value(gpu.product)},
                      {"wave_size", Value(gpu.whole("wave_size"))},
                      {"compute_units", Value(gpu.whole("compute_units"))},
                      {"theoretical_peak_flops", peak ? Value(*peak->value * kGiga) : Value()}});
}

/// The point of device memory; null where nothing was counted for the kernel.
Result<Value> roofline_value(Context& context, const Trace& trace, const std::string& id,
                             const RooflineArgs& args, std::vector<std::string>& notes) {
  if (!trace.presence().counters) return Value();
  const RooflineView view = TRY(roofline_view(context, args));
  notes.insert(notes.end(), view.notes.begin(), view.notes.end());
  for (const KernelRoofline& kernel : view.kernels) {
    if (trace.kernels()[kernel.measured.kernel].id != id) continue;
    const auto point = std::ranges::find(kernel.points, arch::Level::hbm, &RooflinePoint::level);
    if (point == kernel.points.end()) return Value();
    return Value(
        Record{{"flops", Value(point->flops)},
               {"bytes", Value(point->bytes)},
               {"arithmetic_intensity", Value(point->arithmetic_intensity)},
               {"achieved_gflops", Value(point->achieved_gflops)},
               {"achieved_bandwidth_gbps", Value(point->achieved_gbps)},
               {"bound", point->bound == RooflineBound::unknown ? Value()
                                                                : Value(to_string(point->bound))}});
  }
  return Value();
}

void set_kernel(Document& out, const Trace& trace, const KernelStats& row,
                const KernelOccupancy* found) {
  const Kernel& kernel = trace.kernels()[row.kernel];
  const bool placed = found != nullptr;
  out.set("kernel_runtime_ms", static_cast<double>(row.duration.total_ns) / kNsPerMs);
  out.set("kernel",
          Value(Record{{"name", Value(kernel.name)},
                       {"id", Value(kernel.id)},
                       {"grid", placed ? dim3_value(found->launch.grid) : Value()},
                       {"block", placed ? dim3_value(found->launch.workgroup) : Value()}}));
  const std::uint32_t registers =
      placed ? found->resources.total_vgprs.value_or(kernel.arch_vgprs + kernel.accum_vgprs) : 0;
  out.set("resources", Value(Record{{"vgpr_per_thread", Value::known(registers)},
                                    {"sgpr_per_wave", Value::known(kernel.sgprs)},
                                    {"lds_bytes", placed ? Value(found->launch.lds_bytes)
                                                         : Value(kernel.static_lds_bytes)}}));
  const bool fits = placed && found->occupancy && found->registers_known;
  out.set(
      "occupancy",
      Value(Record{{"theoretical", fits ? Value(found->occupancy->occupancy) : Value()},
                   {"threads_per_block", placed ? Value(found->resources.workgroup_size) : Value()},
                   {"wave_size",
                    placed && found->occupancy ? Value(found->occupancy->wave_size) : Value()}}));
}

void set_conclusions(Document& out, const DiagnosedKernel* kernel) {
  if (kernel == nullptr) {
    out.set("bottleneck", Value());
    out.set("headroom_fraction", Value());
    out.set("headroom_low", Value());
    return;
  }
  List reasons;
  for (const diagnose::Evidence& held : kernel->diagnosis.evidence())
    reasons.emplace_back(diagnose::evidence_text(held));
  out.set("bottleneck", Value(Record{{"primary", Value(to_string(kernel->diagnosis.label))},
                                     {"confidence", Value(kernel->diagnosis.confidence)},
                                     {"reasoning", Value(std::move(reasons))}}));
  out.set("headroom_fraction", Value(kernel->headroom.high));
  out.set("headroom_low", Value(kernel->headroom.low));
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

AnalysisRow row_of(const Context& context, const Analysed& all, const DiagnosedKernel& kernel) {
  AnalysisRow row{
      kernel.id, kernel.name, kernel.total_ns, kernel.diagnosis, {}, {}, kernel.headroom, {}, {}};
  for (const diagnose::Evidence& held : kernel.diagnosis.evidence()) row.evidence.push_back({held});
  for (const diagnose::Need& need : kernel.diagnosis.needs)
    row.needs.push_back(need_of(need, kernel));
  const KernelOccupancy* found = occupancy_named(all, kernel.id);
  if (found != nullptr && found->occupancy) row.occupancy = analysed(*found->occupancy);
  row.att = att_of(thread_trace_of(context, kernel.id, kernel.name));
  return row;
}

}  // namespace

namespace {

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

Result<Document> profile_of_trace(Context& context, const RooflineArgs& args, bool critical) {
  const Analysed all = TRY(analysed(context, args));
  const Trace& trace = *all.now.trace;
  const auto stats = TRY(stats_of(all.now));
  const auto path = TRY(path_of(context, all.now));
  const KernelStats* interest = kernel_of_interest(*stats, *path, critical);
  if (interest == nullptr) return fail(Errc::not_found, "no kernel was dispatched", "info trace");
  const KernelStats& most = *interest;
  const Kernel& kernel = trace.kernels()[most.kernel];
  const KernelOccupancy* placed = occupancy_named(all, kernel.id);
  Document out = of_shape("rpl.profile/1");
  const double runtime_ms = static_cast<double>(stats->totals.gpu_time_ns) / kNsPerMs;
  const bool timed = stats->totals.gpu_time_ns > 0;
  out.set("schema_version", "1.0");
  out.set("runtime_ms", timed ? Value(runtime_ms) : Value());
  set_kernel(out, trace, most, placed);
  const std::uint32_t agent = placed != nullptr ? placed->agent : busiest_agent(trace);
  out.set("gpu", gpu_value(TRY(hardware_of(context, trace, agent, args))));
  out.set("stability",
          Value(Record{{"runs", Value(1)},
                       {"mean_ms", timed ? Value(runtime_ms) : Value()},
                       {"stddev_ms", Value()},
                       {"cv", Value()},
                       {"classification", Value()},
                       {"samples_ms", timed ? Value(List{Value(runtime_ms)}) : Value(List{})}}));
  out.set("time_source", timed ? Value("kernels") : Value());
  out.set("roofline", TRY(roofline_value(context, trace, kernel.id, args, out.notes)));
  const auto dominant = path->dominant_kernel;
  out.set(
      "critical_path",
      Value(Record{{"critical_path_ns", Value(path->critical_path_ns)},
                   {"dominant_symbol", dominant ? Value(trace.kernels()[*dominant].name) : Value()},
                   {"fraction", dominant ? Value(path->dominance_fraction) : Value()}}));
  const auto att = att_of(thread_trace_of(context, kernel.id, kernel.name));
  out.set("att", att ? to_value(kAnalysedAttFields, *att) : Value());
  const auto found = std::ranges::find(all.diagnosed.kernels, kernel.id, &DiagnosedKernel::id);
  set_conclusions(out, found == all.diagnosed.kernels.end() ? nullptr : &*found);
  out.set("recording", recording_of(all.now));
  out.set("run", Value());
  out.set("emulation_s", Value());
  for (const std::string& note : all.diagnosed.notes) {
    if (std::ranges::count(out.notes, note) == 0) out.notes.push_back(note);
  }
  out.provenance = provenance_of(trace);
  return out;
}

Result<Document> analysis_of_trace(Context& context, const RooflineArgs& args) {
  const Analysed all = TRY(analysed(context, args));
  Document out = of_shape("rpl.analysis/1");
  out.put(kRecordingFields, Recording{all.now.open->paths()});
  std::vector<AnalysisRow> rows;
  for (const DiagnosedKernel& kernel : all.diagnosed.kernels)
    rows.push_back(row_of(context, all, kernel));
  out.table(kAnalysisColumns, rows);
  out.notes = all.diagnosed.notes;
  out.provenance = Provenance::estimated;
  return out;
}

}  // namespace rpl
