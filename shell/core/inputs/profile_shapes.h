// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/document/bound.h"
#include "engine/graph/graph.h"
#include "engine/metrics/diagnose/diagnose.h"
#include "engine/metrics/diagnose/headroom.h"
#include "engine/metrics/roofline/points.h"
#include "engine/target/profile.h"
#include "engine/target/stability.h"
#include "engine/trace/core/entities.h"

namespace rpl {
namespace diagnose {

inline std::string_view test_text(const Rule& rule) {
  return rule.test == Rule::Test::at_least ? ">=" : "<=";
}

inline constexpr auto kAnalysedHeadroomFields = bound_to<Headroom>(
    column<&Headroom::low>("low", "what the changes at hand should save").in(Unit::share),
    column<&Headroom::high>("high", "what no change can exceed").in(Unit::share),
    column<&Headroom::cause>("cause", "what makes the lower end").or_null(),
    column<&Headroom::waits>("waits", "if no wait stalled").in(Unit::share),
    column<&Headroom::step>("step", "of the next occupancy step").in(Unit::share));
inline Columns<Headroom> bound(const Headroom* /*of*/) { return kAnalysedHeadroomFields; }

}  // namespace diagnose

/// What a document holds that is not a result of the command of its name; its JSON Schema is written like that of a command.
struct DocumentShape {
  std::string schema;   ///< "rpl.profile/1"
  std::string summary;  ///< a sentence
  std::vector<Column> fields, columns;
};

/// What `--interpreter jsonl` replies to a cancel.
struct CancelReply {
  std::string_view cancelled;
};
inline constexpr auto kCancelFields = bound_to<CancelReply>(column<&CancelReply::cancelled>(
    "cancelled",
    "waiting: it will not run; running: it was told to stop, its own reply says how it ended; "
    "nothing: no request of that id is left"));

/// What one command gave of several that a tool of the Model Context Protocol ran.
struct PartReply {
  std::string command;
  Value result, error;
};
inline constexpr auto kPartFields = bound_to<PartReply>(
    column<&PartReply::command>("command", "the line that gives it at the prompt"),
    column<&PartReply::result>("result", "its document").if_known(),
    column<&PartReply::error>("error", "rpl.error/1 where it failed").if_known());
inline Columns<PartReply> bound(const PartReply* /*of*/) { return kPartFields; }
struct PartsReply {
  std::vector<PartReply> parts;
};
inline constexpr auto kPartsFields =
    bound_to<PartsReply>(column<&PartsReply::parts>("parts", "in the order in which they ran"));

/// What dag.json lists.
struct DagKernel {
  std::string id, kernel;
  std::uint64_t calls = 0;
  double criticality = 0;
  std::int64_t min_slack_ns = 0, overlap_ns = 0;
  std::optional<double> priority;
};
inline constexpr auto kDagKernelFields = bound_to<DagKernel>(
    column<&DagKernel::id>("id", "kernel").as(Type::id),
    column<&DagKernel::kernel>("kernel", "its name"),
    column<&DagKernel::calls>("calls", "dispatches"),
    column<&DagKernel::criticality>("criticality", "share of the path").in(Unit::share),
    column<&DagKernel::min_slack_ns>("min_slack_ns", "least slack of its dispatches"),
    column<&DagKernel::overlap_ns>("overlap_ns",
                                   "time that dispatches could have run beside others"),
    column<&DagKernel::priority>("priority", "null while headroom is unknown").in(Unit::share));
inline Columns<DagKernel> bound(const DagKernel* /*of*/) { return kDagKernelFields; }

struct DagNode {
  std::string id;
  NodeKind kind = NodeKind::dispatch;
  std::int64_t at_ns = 0, duration_ns = 0;
  std::optional<std::string> name;
};
inline constexpr auto kDagNodeFields = bound_to<DagNode>(
    column<&DagNode::id>("id", "node").as(Type::id), column<&DagNode::kind>("kind", "what it is"),
    column<&DagNode::at_ns>("at_ns", "from the beginning"),
    column<&DagNode::duration_ns>("duration_ns", "how long it ran"),
    column<&DagNode::name>("name", "of a kernel or copy; null for others"));
inline Columns<DagNode> bound(const DagNode* /*of*/) { return kDagNodeFields; }

struct DagEdge {
  std::string from, to;
  EdgeClass kind = EdgeClass::inferred;
  std::int64_t wait_ns = 0;

  [[nodiscard]] std::string_view evidence() const {
    return kind == EdgeClass::inferred ? "inferred" : "recorded";
  }
};
inline constexpr auto kDagEdgeFields = bound_to<DagEdge>(
    column<&DagEdge::from>("from", "node").as(Type::id),
    column<&DagEdge::to>("to", "node").as(Type::id),
    column<&DagEdge::kind>("class", "why one waits for the other"),
    column<&DagEdge::evidence>("evidence", "recorded, or inferred from time alone"),
    column<&DagEdge::wait_ns>("wait_ns", "between them"));
inline Columns<DagEdge> bound(const DagEdge* /*of*/) { return kDagEdgeFields; }

/// What analysis.json says of a kernel.
struct AnalysedEvidence {
  diagnose::Evidence held;
};
inline constexpr auto kAnalysedEvidenceFields = bound_to<AnalysedEvidence>(
    column<&AnalysedEvidence::held, &diagnose::Evidence::rule, &diagnose::Rule::id>(
        "rule", "of the table in docs/diagnosis.md"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::rule, &diagnose::Rule::input>(
        "input", "what it is about"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::fact, &diagnose::Known::value>(
        "value", "of the input"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::rule, &diagnose::test_text>(
        "test", "how the value compares"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::rule, &diagnose::Rule::threshold>(
        "threshold", "with what"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::rule, &diagnose::Rule::points>(
        "points", "for the label"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::counts>(
        "counts", "false where a stronger rule of its group counts"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::fact, &diagnose::Known::source>(
        "source", "of the value"),
    column<&AnalysedEvidence::held, &diagnose::Evidence::fact, &diagnose::Known::provenance>(
        "provenance", "measured, modelled, recorded or estimated"));
inline Columns<AnalysedEvidence> bound(const AnalysedEvidence* /*of*/) {
  return kAnalysedEvidenceFields;
}

struct AnalysedNeed {
  diagnose::Collect collect = diagnose::Collect::trace;
  std::vector<std::string_view> inputs;
  std::string command;
};
inline constexpr auto kAnalysedNeedFields =
    bound_to<AnalysedNeed>(column<&AnalysedNeed::collect>("collect", "what to record"),
                           column<&AnalysedNeed::inputs>("inputs", "what that tells"),
                           column<&AnalysedNeed::command>("command", "what to type"));
inline Columns<AnalysedNeed> bound(const AnalysedNeed* /*of*/) { return kAnalysedNeedFields; }

struct AnalysedOccupancy {
  double occupancy = 0, waves_per_cu = 0, workgroups_per_cu = 0;
  std::string limiter, next_step;
};
inline constexpr auto kAnalysedOccupancyFields = bound_to<AnalysedOccupancy>(
    column<&AnalysedOccupancy::occupancy>("occupancy", "waves / wave slots").in(Unit::share),
    column<&AnalysedOccupancy::waves_per_cu>("waves_per_cu", "that fit at once"),
    column<&AnalysedOccupancy::workgroups_per_cu>("workgroups_per_cu", "that fit at once"),
    column<&AnalysedOccupancy::limiter>("limiter", "what lets no more waves in"),
    column<&AnalysedOccupancy::next_step>("next_step", "what lets more in").or_null());
inline Columns<AnalysedOccupancy> bound(const AnalysedOccupancy* /*of*/) {
  return kAnalysedOccupancyFields;
}

struct AnalysedAtt {
  std::string id, path;
  Record instruction_mix = {};
  std::optional<double> stall_fraction = {}, idle_fraction = {}, wait_fraction = {}, ipc = {},
                        avg_memory_latency = {};
};
inline constexpr auto kAnalysedAttFields = bound_to<AnalysedAtt>(
    column<&AnalysedAtt::id>("id", "thread trace").as(Type::id),
    column<&AnalysedAtt::path>("path", "its file or folder"),
    column<&AnalysedAtt::instruction_mix>("instruction_mix", "share of executions by kind"),
    column<&AnalysedAtt::stall_fraction>("stall_fraction", "of the cycles").in(Unit::share),
    column<&AnalysedAtt::idle_fraction>("idle_fraction", "of the cycles").in(Unit::share),
    column<&AnalysedAtt::wait_fraction>("wait_fraction", "of the cycles").in(Unit::share),
    column<&AnalysedAtt::ipc>("ipc", "instructions of a cycle"),
    column<&AnalysedAtt::avg_memory_latency>("avg_memory_latency", "cycles of an access"));
inline Columns<AnalysedAtt> bound(const AnalysedAtt* /*of*/) { return kAnalysedAttFields; }

struct AnalysisRow {
  std::string id, kernel;
  std::int64_t total_ns = 0;
  diagnose::Diagnosis diagnosis;
  std::vector<AnalysedEvidence> evidence;
  std::vector<AnalysedNeed> needs;
  diagnose::Headroom headroom;
  std::optional<AnalysedOccupancy> occupancy;
  std::optional<AnalysedAtt> att;
};
inline constexpr auto kAnalysisColumns = bound_to<AnalysisRow>(
    column<&AnalysisRow::id>("id", "kernel, or thread trace without one").as(Type::id),
    column<&AnalysisRow::kernel>("kernel", "its name").as(Type::kernel),
    column<&AnalysisRow::total_ns>("total_ns", "sum of durations"),
    column<&AnalysisRow::diagnosis, &diagnose::Diagnosis::label>("label",
                                                                 "one of the labels of classify"),
    column<&AnalysisRow::diagnosis, &diagnose::Diagnosis::confidence>("confidence", "0 to 1"),
    column<&AnalysisRow::evidence>("evidence",
                                   "rules that hold for the label: rule, input, value, test, "
                                   "threshold, points, counts, source, provenance"),
    column<&AnalysisRow::needs>("needs", "what would make it surer: collect, inputs, command"),
    column<&AnalysisRow::headroom>("headroom",
                                   "low, high, cause, waits, step: shares of the kernel's time"),
    column<&AnalysisRow::headroom, &diagnose::Headroom::priority>(
        "priority", "upper end of what the whole trace gains")
        .in(Unit::share),
    column<&AnalysisRow::occupancy>(
        "occupancy",
        "occupancy, waves_per_cu, workgroups_per_cu, limiter, next_step; null: unknown"),
    column<&AnalysisRow::att>("att", "shares of a thread trace of the kernel; null without one"));

/// The files that a document is about.
struct Recording {
  std::vector<std::string> paths;
};
inline constexpr auto kRecordingFields =
    bound_to<Recording>(column<&Recording::paths>("recording", "the files that were analysed"));

/// The records of profile.json.
struct ProfiledKernel {
  std::string name, id;
  std::optional<Dim3> grid, block;
};
inline constexpr auto kProfiledKernelFields = bound_to<ProfiledKernel>(
    column<&ProfiledKernel::name>("name", "in full"), column<&ProfiledKernel::id>("id", "of it"),
    column<&ProfiledKernel::grid>("grid", "work-items"),
    column<&ProfiledKernel::block>("block", "work-items"));
inline Columns<ProfiledKernel> bound(const ProfiledKernel* /*of*/) { return kProfiledKernelFields; }

struct ProfiledGpu {
  std::string architecture, product;
  std::optional<std::uint32_t> wave_size, compute_units;
  std::optional<double> peak_flops;
};
inline constexpr auto kProfiledGpuFields = bound_to<ProfiledGpu>(
    column<&ProfiledGpu::architecture>("architecture", "whose code it runs").or_null(),
    column<&ProfiledGpu::product>("product", "its name").or_null(),
    column<&ProfiledGpu::wave_size>("wave_size", "lanes"),
    column<&ProfiledGpu::compute_units>("compute_units", "of all of it"),
    column<&ProfiledGpu::peak_flops>("theoretical_peak_flops", "FP32 of the vector ALU, FLOP/s"));
inline Columns<ProfiledGpu> bound(const ProfiledGpu* /*of*/) { return kProfiledGpuFields; }

struct ProfiledResources {
  std::uint32_t vgprs = 0, sgprs = 0, lds_bytes = 0;
};
inline constexpr auto kProfiledResourcesFields = bound_to<ProfiledResources>(
    column<&ProfiledResources::vgprs>("vgpr_per_thread", "null: unknown").or_null(),
    column<&ProfiledResources::sgprs>("sgpr_per_wave", "null: unknown").or_null(),
    column<&ProfiledResources::lds_bytes>("lds_bytes", "of a workgroup"));
inline Columns<ProfiledResources> bound(const ProfiledResources* /*of*/) {
  return kProfiledResourcesFields;
}

struct ProfiledOccupancy {
  std::optional<double> theoretical;
  std::optional<std::uint32_t> threads_per_block, wave_size;
};
inline constexpr auto kProfiledOccupancyFields = bound_to<ProfiledOccupancy>(
    column<&ProfiledOccupancy::theoretical>("theoretical", "0 to 1"),
    column<&ProfiledOccupancy::threads_per_block>("threads_per_block", "work-items"),
    column<&ProfiledOccupancy::wave_size>("wave_size", "lanes"));
inline Columns<ProfiledOccupancy> bound(const ProfiledOccupancy* /*of*/) {
  return kProfiledOccupancyFields;
}

/// The point of device memory.
struct ProfiledRoofline {
  RooflinePoint at;

  [[nodiscard]] std::optional<std::string_view> bound_by() const {
    if (at.bound == RooflineBound::unknown) return std::nullopt;
    return to_string(at.bound);
  }
};
inline constexpr auto kProfiledRooflineFields = bound_to<ProfiledRoofline>(
    column<&ProfiledRoofline::at, &RooflinePoint::flops>("flops", "of a dispatch"),
    column<&ProfiledRoofline::at, &RooflinePoint::bytes>("bytes", "to and from device memory"),
    column<&ProfiledRoofline::at, &RooflinePoint::arithmetic_intensity>("arithmetic_intensity",
                                                                        "flops / bytes"),
    column<&ProfiledRoofline::at, &RooflinePoint::achieved_gflops>("achieved_gflops",
                                                                   "by the kernel"),
    column<&ProfiledRoofline::at, &RooflinePoint::achieved_gbps>("achieved_bandwidth_gbps",
                                                                 "by the kernel"),
    column<&ProfiledRoofline::bound_by>("bound", "memory or compute"));
inline Columns<ProfiledRoofline> bound(const ProfiledRoofline* /*of*/) {
  return kProfiledRooflineFields;
}

struct ProfiledPath {
  std::int64_t critical_path_ns = 0;
  std::optional<std::string> dominant;
  std::optional<double> fraction;
};
inline constexpr auto kProfiledPathFields = bound_to<ProfiledPath>(
    column<&ProfiledPath::critical_path_ns>("critical_path_ns", "kernels and copies on it"),
    column<&ProfiledPath::dominant>("dominant_symbol", "the kernel with most time on it"),
    column<&ProfiledPath::fraction>("fraction", "its share of the path"));
inline Columns<ProfiledPath> bound(const ProfiledPath* /*of*/) { return kProfiledPathFields; }

struct ProfiledBottleneck {
  diagnose::Label primary = {};
  double confidence = 0;
  std::vector<std::string> reasoning;
};
inline constexpr auto kProfiledBottleneckFields = bound_to<ProfiledBottleneck>(
    column<&ProfiledBottleneck::primary>("primary", "label"),
    column<&ProfiledBottleneck::confidence>("confidence", "0 to 1"),
    column<&ProfiledBottleneck::reasoning>("reasoning", "the evidence"));
inline Columns<ProfiledBottleneck> bound(const ProfiledBottleneck* /*of*/) {
  return kProfiledBottleneckFields;
}

/// profile.json.
struct Profile {
  std::string_view version = "1.0";
  std::optional<double> kernel_runtime_ms = {};
  std::optional<ProfiledKernel> kernel = {};
  std::optional<ProfiledGpu> gpu = {};
  profile::Stability stability = {};
  std::optional<std::string_view> time_source = {};
  std::optional<ProfiledResources> resources = {};
  std::optional<ProfiledOccupancy> occupancy = {};
  std::optional<ProfiledRoofline> roofline = {};
  std::optional<ProfiledPath> path = {};
  std::optional<AnalysedAtt> att = {};
  std::optional<ProfiledBottleneck> bottleneck = {};
  std::optional<double> headroom_high = {}, headroom_low = {};
  std::vector<std::string> recording = {};
  std::optional<RunRecord> run = {};
  std::optional<double> emulation_s = {};
  // Beside the fields.
  std::vector<std::string> notes = {};
  Provenance provenance = Provenance::none;
};
/// As rpl.profile/1; exit status, text and what to type next are left to the command.
Document document_of(const Profile& profile);

/// All of them.
std::vector<DocumentShape> document_shapes();
/// Fails the program for an unknown schema.
DocumentShape document_shape(std::string_view schema);

}  // namespace rpl
