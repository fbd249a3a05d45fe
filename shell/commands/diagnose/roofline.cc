// SPDX-License-Identifier: MIT
// roofline: how close each kernel comes to what memory and units allow; counters metrics: what it is computed from.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/units.h"
#include "engine/isa/traits/architecture.h"
#include "engine/metrics/roofline/inputs.h"
#include "engine/metrics/roofline/plot.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/core/command/define.h"
#include "shell/render/pictures/roofline_text.h"

namespace rpl {
namespace {

struct RooflineCommandArgs : RooflineArgs {
  std::string level, by = "kernel";
  std::int64_t top = 0;
};

Result<std::optional<arch::Level>> level_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  for (const arch::Level level : arch::kLevels) {
    if (arch::to_string(level) == name) return level;
  }
  return fail(Errc::usage, fmt::format("'{}' is not a memory level", name), "hbm, l2, vl1d or lds");
}

/// Operations of each unit, by "matrix f16": null where not counted.
Value work_value(const KernelRoofline& kernel) {
  Record work;
  for (const UnitWork& part : kernel.work) work.emplace_back(to_string(part.unit), Value(part.ops));
  return Value(std::move(work));
}

Row row_of(const RooflineView& view, std::size_t index, const RooflinePoint& point,
           const std::string& mark) {
  const KernelRoofline& kernel = view.kernels[index];
  const Trace& trace = *view.loaded.trace;
  return {Value(mark),
          Value(trace.kernels()[kernel.measured.kernel].id),
          Value(view.names[index]),
          Value(kernel.measured.calls),
          Value(arch::to_string(point.level)),
          point.type ? Value(to_string(*point.type)) : Value("all"),
          Value(point.flops),
          Value(point.bytes),
          Value(point.time_ns),
          Value(to_string(kernel.measured.time.source)),
          Value(point.arithmetic_intensity),
          Value(point.achieved_gflops),
          Value(point.achieved_gbps),
          Value(point.peak_gflops),
          Value(point.peak_gbps),
          Value(point.attainable_gflops),
          Value(point.roof_share),
          point.bound == RooflineBound::unknown ? Value() : Value(to_string(point.bound)),
          point.remark.empty() ? Value() : Value(point.remark),
          work_value(kernel),
          Value(point.read_bytes),
          Value(point.write_bytes)};
}

bool has_integer_work(const KernelRoofline& kernel) {
  return std::ranges::any_of(kernel.work, [](const UnitWork& work) {
    return work.unit.second == arch::DataType::i8 && work.ops.value_or(0) > 0;
  });
}

void add_rows(Document& out, const RooflineView& view, const RooflineCommandArgs& args,
              std::optional<arch::Level> level) {
  const std::size_t shown =
      args.top > 0 ? std::min<std::size_t>(static_cast<std::size_t>(args.top), view.kernels.size())
                   : view.kernels.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string mark = i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::string();
    const auto points =
        args.by == "type"
            ? points_by_type(view.kernels[i], level.value_or(arch::Level::hbm), view.ceilings)
            : view.kernels[i].points;
    if (args.by != "type" && view.kernels[i].flops == 0.0 && has_integer_work(view.kernels[i])) {
      out.notes.push_back(
          fmt::format("{}: its matrix work is INT8, which is not FLOPs: roofline --by type", mark));
    }
    for (const RooflinePoint& point : points) {
      if (level && point.level != *level) continue;
      out.rows.push_back(row_of(view, i, point, mark));
      if (!point.remark.empty() && args.by == "type") {
        out.notes.push_back(fmt::format("{} {}: {}", mark, level_title(point.level), point.remark));
      }
    }
  }
  if (shown < view.kernels.size()) {
    out.notes.push_back(
        fmt::format("{} more kernels have counters: --top 0", view.kernels.size() - shown));
  }
  if (args.by == "type" && out.rows.empty() && !view.kernels.empty()) {
    out.notes.emplace_back("no operation of any type was counted");
  }
}

Value peaks_value(const Ceilings& ceilings) {
  Record bandwidth, compute;
  for (const auto& [level, peak] : ceilings.bandwidth)
    bandwidth.emplace_back(arch::to_string(level), Value(peak.value));
  for (const auto& [unit, peak] : ceilings.compute)
    compute.emplace_back(to_string(unit), Value(peak.value));
  return Value(
      Record{{"gbps", Value(std::move(bandwidth))}, {"gflops", Value(std::move(compute))}});
}

Result<Document> run_roofline(Context& context, const RooflineCommandArgs& args) {
  const auto level = TRY(level_named(args.level));
  const RooflineView view = TRY(roofline_view(context, args));
  Document out;
  out.set("gpu", view.gpu.title());
  out.set("ceilings", to_string(view.ceilings.kind));
  out.set("peaks", peaks_value(view.ceilings));
  List missing;
  for (const std::string& counter : view.missing) missing.emplace_back(counter);
  out.set("missing", Value(std::move(missing)));
  add_rows(out, view, args, level);
  out.notes.insert(out.notes.end(), view.notes.begin(), view.notes.end());
  out.provenance = view.kernels.empty() ? view.provenance : Provenance::estimated;
  if (view.kernels.empty()) {
    out.text = "there is no roofline without counters";
    out.next = {"counters plan roofline --arch " +
                (view.gpu.arch.empty() ? isa::usual_architecture() : view.gpu.arch)};
    return out;
  }
  out.next = {"plot memory " + view.loaded.trace->kernels()[view.kernels[0].measured.kernel].id,
              "counters metrics", "plot roofline -o roofline.svg"};
  if (args.by == "type") {
    out.heading =
        fmt::format("{}, {}, ceilings: {}", view.gpu.title(),
                    level_title(level.value_or(arch::Level::hbm)), to_string(view.ceilings.kind));
    return out;
  }
  const std::size_t points = args.top > 0 ? static_cast<std::size_t>(args.top) : 26;
  const RooflinePlot plot =
      roofline_plot(view.kernels, view.names, level.value_or(arch::Level::hbm), view.ceilings,
                    view.gpu.title(), points, PlotRoofs::one);
  out.text =
      roofline_text(plot, canvas_of(context)) + "\n" + roofline_legend(plot, canvas_of(context));
  return out;
}

std::vector<Column> roofline_fields() {
  return {
      {"gpu", Type::string, Unit::none, "whose roofs"},
      {"ceilings", Type::string, Unit::none, "spec, measured or user"},
      {"peaks", Type::record, Unit::none, "GB/s by level, GFLOP/s by unit and type", InText::never},
      {"missing", Type::strings, Unit::none, "counters to collect for what is unknown",
       InText::never}};
}

struct MetricsArgs : RooflineArgs {
  std::string by = "kernel", metric;
};

/// The rows of one set of counters: every metric that the architecture has.
void add_metric_rows(Document& out, const std::string& id, const std::string& name,
                     const Value& ordinal, const MetricInputs& inputs, const std::string& only) {
  for (const std::string_view metric_name : metric_names(inputs.arch)) {
    if (!only.empty() && metric_name != only) continue;
    const MetricValue value = metric(metric_name, inputs);
    if (!value.rule) continue;
    List missing;
    for (const std::string& counter : value.missing) missing.emplace_back(counter);
    const std::string remark = impossible(value);
    if (!remark.empty()) out.notes.push_back(fmt::format("{} {}: {}", id, metric_name, remark));
    out.rows.push_back({Value(id), Value(name), ordinal, Value(metric_name), Value(value.value),
                        Value(value.rule->unit), Value(value.rule->formula.text()),
                        Value(std::move(missing)), Value(value.rule->description),
                        remark.empty() ? Value() : Value(remark)});
  }
}

Result<Document> run_metrics(Context& context, const MetricsArgs& args) {
  const RooflineView view = TRY(roofline_view(context, args));
  const Trace& trace = *view.loaded.trace;
  Document out;
  if (!args.metric.empty() && std::ranges::count(metric_names(), args.metric) == 0) {
    return fail(Errc::not_found, fmt::format("no metric '{}'", args.metric),
                fmt::format("metrics: {}", fmt::join(metric_names(view.gpu.arch), ", ")));
  }
  for (std::size_t i = 0; i < view.kernels.size(); ++i) {
    const KernelRoofline& kernel = view.kernels[i];
    const std::string id = trace.kernels()[kernel.measured.kernel].id;
    if (args.by == "kernel") {
      add_metric_rows(out, id, view.names[i], Value(), kernel.inputs, args.metric);
      continue;
    }
    for (const DispatchMeasurement& dispatch :
         TRY(measure_dispatches(trace, kernel.measured.kernel))) {
      const MetricInputs inputs =
          metric_inputs(dispatch.counters, view.gpu, "one dispatch", view.provenance);
      add_metric_rows(out, id, view.names[i], Value(dispatch.ordinal), inputs, args.metric);
    }
  }
  out.set("gpu", view.gpu.title());
  out.notes.insert(out.notes.end(), view.notes.begin(), view.notes.end());
  out.provenance = view.kernels.empty() ? view.provenance : Provenance::estimated;
  out.next = {"roofline", "plot memory"};
  return out;
}

constexpr const char* kRooflineHelp =
    "For each kernel with counters: operations and bytes of a dispatch (means), their ratio, the "
    "rates reached, and the "
    "roofs. A kernel is memory bound at a level when its bytes need more time at that level's "
    "bandwidth than its operations need at "
    "the peaks of the units that it used; vector ALU and matrix units count as working at a time. "
    "Rows are for HBM (all "
    "traffic between L2 and the fabric), L2, vL1D (tag look-ups) and LDS; --by type splits by unit "
    "and data type, "
    "INT8 as operations. Ceilings are those of the data sheet (spec), of a roofline.csv "
    "(measured), or yours "
    "(user: --peak-gflops, --memory-bandwidth-gbps, --clock-mhz). Durations come from a run "
    "without counters where one is "
    "open or named by --times. What exceeds a roof is marked: such a number is wrong.";

std::vector<Column> roofline_columns() {
  return {{"at", Type::string, Unit::none, "letter in the picture"},
          {"id", Type::id, Unit::none, "kernel", InText::never},
          {"kernel", Type::kernel, Unit::none, "its name"},
          {"calls", Type::integer, Unit::count, "dispatches", InText::if_room},
          {"level", Type::string, Unit::none, "memory level: hbm, l2, vl1d, lds", InText::if_room},
          {"type", Type::string, Unit::none, "unit and data type, or all"},
          {"flops", Type::number, Unit::count, "operations of a dispatch; null: not counted",
           InText::if_room},
          {"bytes", Type::number, Unit::bytes, "of a dispatch at the level; null: not counted",
           InText::if_room},
          {"time_ns", Type::number, Unit::ns, "mean duration; null: unknown", InText::if_room},
          {"time_source", Type::string, Unit::none, "plain, instrumented, modelled or none",
           InText::never},
          {"arithmetic_intensity", Type::number, Unit::none, "flops / bytes"},
          {"achieved_gflops", Type::number, Unit::gflops, "flops / time"},
          {"achieved_gbps", Type::number, Unit::gbps, "bytes / time", InText::if_room},
          {"peak_gflops", Type::number, Unit::gflops, "of the units used, in their mix",
           InText::if_room},
          {"peak_gbps", Type::number, Unit::gbps, "of the level", InText::if_room},
          {"attainable_gflops", Type::number, Unit::gflops,
           "min(peak_gflops, intensity x peak_gbps)", InText::never},
          {"roof_share", Type::number, Unit::share,
           "time the roof allows / time taken; above 1 is impossible"},
          {"bound", Type::string, Unit::none, "memory or compute; null: unknown"},
          {"remark", Type::string, Unit::none, "what is odd about the row, or null", InText::never},
          {"work", Type::record, Unit::none, "operations by unit and data type", InText::never},
          {"read_bytes", Type::number, Unit::bytes,
           "of bytes, read; null where directions are not counted apart", InText::never},
          {"write_bytes", Type::number, Unit::bytes, "of bytes, written; likewise", InText::never}};
}

}  // namespace

Result<Document> roofline_document(Context& context, const RooflineArgs& args) {
  RooflineCommandArgs all;
  static_cast<RooflineArgs&>(all) = args;
  Document out = TRY(run_roofline(context, all));
  out.schema = "rpl.roofline/1";
  out.fields = roofline_fields();
  out.columns = roofline_columns();
  return out;
}

void add_roofline(Registry& registry) {
  add(registry,
      command<RooflineCommandArgs>(
          Command{.path = "roofline",
                  .chapter = Class::analysis,
                  .summary = "Compare kernels with what memory and units allow.",
                  .help = kRooflineHelp,
                  .fields = roofline_fields(),
                  .columns = roofline_columns(),
                  .scalar = "bound",
                  .aliases = {"info roofline"},
                  .examples = {"roofline TRACE", "roofline TRACE --level hbm --top 3"}},
          with_roofline<RooflineCommandArgs>(
              {arg("kernel",
                   static_cast<std::string RooflineCommandArgs::*>(&RooflineCommandArgs::kernel),
                   "kernels to show; all without")
                   .completes(Complete::kernel),
               option("level", &RooflineCommandArgs::level, "only this memory level")
                   .one_of({"hbm", "l2", "vl1d", "lds"}),
               option("by", &RooflineCommandArgs::by,
                      "a row for each level, or for each unit and data type")
                   .one_of({"kernel", "type"}),
               option("top", &RooflineCommandArgs::top, "at most so many kernels; 0 shows all")}),
          run_roofline));
}

void add_counters_metrics(Registry& registry) {
  add(registry,
      command<MetricsArgs>(
          Command{
              .path = "counters metrics",
              .chapter = Class::analysis,
              .summary = "Show what the counters of a kernel amount to.",
              .help = "Every metric of the architecture with its formula: FLOPs by data type, "
                      "bytes of each memory level, hit "
                      "rates, bank conflicts, utilisation. Values are means of a dispatch. A "
                      "metric whose counters were not "
                      "collected is null and names them. --by dispatch shows single dispatches, "
                      "the passes of one "
                      "program matched by kernel and order.",
              .fields = {{"gpu", Type::string, Unit::none, "whose constants the formulas use"}},
              .columns = {{"id", Type::id, Unit::none, "kernel"},
                          {"kernel", Type::kernel, Unit::none, "its name", InText::never},
                          {"dispatch", Type::integer, Unit::none,
                           "n-th of the kernel; null for means", InText::if_room},
                          {"metric", Type::string, Unit::none, "name"},
                          {"value", Type::number, Unit::none, "null: counters are missing"},
                          {"unit", Type::string, Unit::none, "of the value"},
                          {"formula", Type::string, Unit::none,
                           "over counters, other metrics and constants", InText::if_room},
                          {"missing", Type::strings, Unit::none, "what would have to be collected",
                           InText::if_room},
                          {"description", Type::string, Unit::none, "what it is", InText::never},
                          {"remark", Type::string, Unit::none,
                           "why the value cannot be right, or null", InText::never}},
              .scalar = "value",
              .examples = {"counters metrics TRACE",
                           "counters metrics TRACE --by dispatch --metric flops"}},
          with_roofline<MetricsArgs>(
              {arg("kernel", static_cast<std::string MetricsArgs::*>(&MetricsArgs::kernel),
                   "kernels to show; all without")
                   .completes(Complete::kernel),
               option("by", &MetricsArgs::by, "means of a kernel, or single dispatches")
                   .one_of({"kernel", "dispatch"}),
               option("metric", &MetricsArgs::metric, "only this metric")}),
          run_metrics));
}

void add_roofline_commands(Registry& registry) {
  add_roofline(registry);
  add_counters_metrics(registry);
}

}  // namespace rpl
