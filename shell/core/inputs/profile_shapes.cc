// SPDX-License-Identifier: MIT
// What the documents hold that no command has as its result.
#include <algorithm>
#include <stdexcept>

#include "shell/core/inputs/profile_shapes.h"
#include "shell/core/inputs/profile_view.h"

namespace rpl {
namespace {

constexpr auto kProfileJsonFields = bound_to<Profile>(
    column<&Profile::version>("schema_version", "1.0: the older tool's shape, with keys added"),
    column<&Profile::stability, &profile::Stability::known_mean>(
        "runtime_ms",
        "sum of end - start over all dispatches of a run, in milliseconds; mean over runs"),
    column<&Profile::kernel_runtime_ms>("kernel_runtime_ms", "the same, of the kernel alone"),
    column<&Profile::kernel>("kernel",
                             "name, grid and block (work-items) of the kernel with most time"),
    column<&Profile::resources>("resources",
                                "vgpr_per_thread, sgpr_per_wave, lds_bytes; null: unknown"),
    column<&Profile::occupancy>("occupancy", "theoretical (0 to 1), threads_per_block, wave_size"),
    column<&Profile::gpu>("gpu",
                          "architecture, wave_size, compute_units, theoretical_peak_flops (FP32 of "
                          "the vector ALU, FLOP/s)"),
    column<&Profile::stability>(
        "stability",
        "runs, mean_ms, stddev_ms, cv (stddev_ms / mean_ms), classification (stable up to a cv of "
        "0.05, moderate up to 0.10, else unstable) of runtime_ms, and samples_ms, its value in "
        "each run; null where one run cannot tell"),
    column<&Profile::time_source>(
        "time_source",
        "what runtime_ms is the time of: kernels, or host: the whole process, from outside"),
    column<&Profile::roofline>("roofline",
                               "of device memory: flops, bytes, arithmetic_intensity, "
                               "achieved_gflops, achieved_bandwidth_gbps, bound; null without "
                               "counters"),
    column<&Profile::path>("critical_path", "critical_path_ns, dominant_symbol, fraction"),
    column<&Profile::att>("att",
                          "instruction_mix (share of executions), stall_fraction, idle_fraction, "
                          "ipc, avg_memory_latency (cycles of an access); null without a thread "
                          "trace of the kernel"),
    column<&Profile::bottleneck>("bottleneck", "primary (label), confidence (0 to 1), reasoning"),
    column<&Profile::headroom_high>(
        "headroom_fraction",
        "the most that changes of this kernel can save of its time; null while no roof is known")
        .in(Unit::share),
    column<&Profile::headroom_low>("headroom_low",
                                   "what the changes at hand should save; null likewise")
        .in(Unit::share),
    column<&Profile::recording>("recording", "the files that were analysed"),
    column<&Profile::run>(
        "run",
        "of `profile`: program, code (beginning of SHA-256 of the executable), target (emu, local "
        "or slurm), gpu, devices, folder, exit_code, complete, failure (what a kernel died of), "
        "refused (calls that the runtime lacks), and of a job on a cluster runs_on, requeued, "
        "ranks (rank, node, job, state, reason, exit_code, runtime_ms, databases, folder); null "
        "for a recording that was there before"),
    column<&Profile::emulation_s>(
        "emulation_s",
        "processor time of executing the kernels; part of no other time; null when none were "
        "emulated"));

DocumentShape profile_shape() {
  return {
      "rpl.profile/1",
      "profile.json: the kernel with most time, what it used and what limits it, in the shape of "
      "the older tool.",
      described(kProfileJsonFields),
      {}};
}

DocumentShape analysis_shape() {
  return {"rpl.analysis/1", "analysis.json: what limits each kernel, and on which evidence.",
          described(kRecordingFields), described(kAnalysisColumns)};
}

struct Dag {
  std::int64_t span_ns = 0;
  std::vector<DagKernel> kernels;
  std::vector<DagNode> nodes;
  std::vector<DagEdge> edges;
};

constexpr auto kDagFields = bound_to<Dag>(
    column<&Dag::span_ns>("span_ns", "first start to last end"),
    column<&Dag::kernels>("kernels",
                          "per kernel: id, kernel, calls, criticality (share of the path), "
                          "min_slack_ns, overlap_ns (time that dispatches could have run beside "
                          "others), priority (null while headroom is unknown)"),
    column<&Dag::nodes>("nodes", "id, kind, at_ns (from the beginning), duration_ns, name"),
    column<&Dag::edges>(
        "edges", "from, to, class, evidence (recorded, or inferred from time alone), wait_ns"));

DocumentShape dag_shape() {
  return {"rpl.dag/1",
          "dag.json: the dependency graph with the evidence of each edge.",
          described(kDagFields),
          {}};
}

DocumentShape profiles_shape() {
  return {"rpl.compare.profiles/1",
          "What `compare` returns for two profile documents: the fields that differ.",
          profiles_fields(), profiles_columns()};
}

DocumentShape cancel_shape() {
  return {"rpl.cancel/1",
          "What `--interpreter jsonl` replies to a cancel.",
          described(kCancelFields),
          {}};
}

DocumentShape parts_shape() {
  return {"rpl.parts/1",
          "What a tool of `--interpreter mcp` replies that runs several commands.",
          described(kPartsFields),
          {}};
}

}  // namespace

Document document_of(const Profile& profile) {
  Document out;
  out.schema = "rpl.profile/1";
  out.fields = described(kProfileJsonFields);
  out.put(kProfileJsonFields, profile);
  out.notes = profile.notes;
  out.provenance = profile.provenance;
  return out;
}

std::vector<DocumentShape> document_shapes() {
  return {analysis_shape(), cancel_shape(), profiles_shape(),
          dag_shape(),      parts_shape(),  profile_shape()};
}

DocumentShape document_shape(std::string_view schema) {
  for (DocumentShape& shape : document_shapes()) {
    if (shape.schema == schema) return std::move(shape);
  }
  throw std::logic_error("no document of that schema");
}

}  // namespace rpl
