// SPDX-License-Identifier: MIT
// roofline: how close each kernel comes to what memory and units allow; counters metrics: what it is computed from.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "engine/metrics/roofline/plot.h"
#include "engine/metrics/roofline/points.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/core/command/define.h"
#include "shell/render/pictures/text_pictures.h"

namespace rpl {
namespace {

using Amounts = std::vector<std::pair<std::string, std::optional<double>>>;

template <auto peaks>
Amounts peaks_of(const Ceilings& ceilings) {
  Amounts out;
  for (const auto& [what, peak] : ceilings.*peaks) out.emplace_back(to_string(what), peak.value);
  return out;
}

constexpr auto kPeakFields =
    bound_to<Ceilings>(column<&peaks_of<&Ceilings::bandwidth>>("gbps", "by level"),
                       column<&peaks_of<&Ceilings::compute>>("gflops", "by unit and type"));

}  // namespace

Columns<Ceilings> bound(const Ceilings* /*of*/) { return kPeakFields; }

namespace {

using View = RooflineView;

constexpr auto kRooflineFields = bound_to<View>(
    column<&View::gpu, &arch::Gpu::title>("gpu", "whose roofs"),
    column<&View::ceilings, &Ceilings::kind>("ceilings", "spec, measured or user"),
    column<&View::ceilings>("peaks", "GB/s by level, GFLOP/s by unit and type").never(),
    column<&View::missing>("missing", "counters to collect for what is unknown").never());

constexpr auto kMetricFields = bound_to<View>(
    column<&View::gpu, &arch::Gpu::title>("gpu", "whose constants the formulas use"));

struct Plotted {
  const Kernel* named = nullptr;
  const KernelRoofline* kernel = nullptr;
  std::string mark;  ///< "A"
  RooflinePoint point;

  [[nodiscard]] std::string type() const { return point.type ? to_string(*point.type) : "all"; }
  [[nodiscard]] std::optional<RooflineBound> bound() const {
    return point.bound == RooflineBound::unknown ? std::nullopt : std::optional(point.bound);
  }
  /// Operations of each unit, by "matrix f16": null where not counted.
  [[nodiscard]] Amounts work() const {
    Amounts out;
    for (const UnitWork& part : kernel->work) out.emplace_back(to_string(part.unit), part.ops);
    return out;
  }
};

using Point = RooflinePoint;
using Measured = KernelMeasurement;

constexpr auto kRooflineColumns = bound_to<Plotted>(
    column<&Plotted::mark>("at", "letter in the picture"),
    column<&Plotted::named, &Kernel::id>("id", "kernel").as(Type::id).never(),
    column<&Plotted::named, &Kernel::name>("kernel", "its name").as(Type::kernel),
    column<&Plotted::kernel, &KernelRoofline::measured, &Measured::calls>("calls", "dispatches")
        .if_room(),
    column<&Plotted::point, &Point::level>("level", "memory level: hbm, l2, vl1d, lds").if_room(),
    column<&Plotted::type>("type", "unit and data type, or all"),
    column<&Plotted::point, &Point::flops>("flops", "operations of a dispatch; null: not counted")
        .in(Unit::count)
        .if_room(),
    column<&Plotted::point, &Point::bytes>("bytes", "of a dispatch at the level; null: not counted")
        .in(Unit::bytes)
        .if_room(),
    column<&Plotted::point, &Point::time_ns>("time_ns", "mean duration; null: unknown").if_room(),
    column<&Plotted::kernel, &KernelRoofline::measured, &Measured::time, &KernelTime::source>(
        "time_source", "plain, instrumented, modelled or none")
        .never(),
    column<&Plotted::point, &Point::arithmetic_intensity>("arithmetic_intensity", "flops / bytes"),
    column<&Plotted::point, &Point::achieved_gflops>("achieved_gflops", "flops / time"),
    column<&Plotted::point, &Point::achieved_gbps>("achieved_gbps", "bytes / time").if_room(),
    column<&Plotted::point, &Point::peak_gflops>("peak_gflops", "of the units used, in their mix")
        .if_room(),
    column<&Plotted::point, &Point::peak_gbps>("peak_gbps", "of the level").if_room(),
    column<&Plotted::point, &Point::attainable_gflops>("attainable_gflops",
                                                       "min(peak_gflops, intensity x peak_gbps)")
        .never(),
    column<&Plotted::point, &Point::roof_share>(
        "roof_share", "time the roof allows / time taken; above 1 is impossible"),
    column<&Plotted::bound>("bound", "memory or compute; null: unknown"),
    column<&Plotted::point, &Point::remark>("remark", "what is odd about the row, or null")
        .or_null()
        .never(),
    column<&Plotted::work>("work", "operations by unit and data type").never(),
    column<&Plotted::point, &Point::read_bytes>(
        "read_bytes", "of bytes, read; null where directions are not counted apart")
        .never(),
    column<&Plotted::point, &Point::write_bytes>("write_bytes", "of bytes, written; likewise")
        .never());

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
  std::vector<Plotted> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const KernelRoofline& kernel = view.kernels[i];
    const std::string mark = i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::string();
    const auto points =
        args.by == "type" ? points_by_type(kernel, level.value_or(arch::Level::hbm), view.ceilings)
                          : kernel.points;
    if (args.by != "type" && kernel.flops == 0.0 && has_integer_work(kernel)) {
      out.notes.push_back(
          fmt::format("{}: its matrix work is INT8, which is not FLOPs: roofline --by type", mark));
    }
    for (const RooflinePoint& point : points) {
      if (level && point.level != *level) continue;
      rows.push_back({&view.loaded.trace->kernels()[kernel.measured.kernel], &kernel, mark, point});
      if (!point.remark.empty() && args.by == "type") {
        out.notes.push_back(fmt::format("{} {}: {}", mark, level_title(point.level), point.remark));
      }
    }
  }
  out.table(kRooflineColumns, rows);
  if (shown < view.kernels.size()) {
    out.notes.push_back(
        fmt::format("{} more kernels have counters: --top 0", view.kernels.size() - shown));
  }
  if (args.by == "type" && rows.empty() && !view.kernels.empty()) {
    out.notes.emplace_back("no operation of any type was counted");
  }
}

/// Everything but the picture.
Document roofline_table(const RooflineView& view, const RooflineCommandArgs& args,
                        std::optional<arch::Level> level) {
  Document out;
  out.put(kRooflineFields, view);
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
  return out;
}

Result<Document> run_roofline(const RooflineCommandArgs& args, Inputs inputs, Screen screen) {
  const auto level = TRY(level_named(args.level));
  const RooflineView view = TRY(roofline_view(inputs, args));
  Document out = roofline_table(view, args, level);
  if (view.kernels.empty()) return out;
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
  out.text = roofline_text(plot, screen) + "\n" + roofline_legend(plot, screen);
  return out;
}

struct MetricsArgs : RooflineArgs {
  std::string by = "kernel", metric;
};

struct Metric {
  const Kernel* kernel = nullptr;
  std::optional<std::uint64_t> dispatch;
  std::string_view metric;
  MetricValue value;
  std::string remark;
};

using Rule = MetricRule;

constexpr auto kMetricColumns = bound_to<Metric>(
    column<&Metric::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&Metric::kernel, &Kernel::name>("kernel", "its name").as(Type::kernel).never(),
    column<&Metric::dispatch>("dispatch", "n-th of the kernel; null for means")
        .in(Unit::none)
        .if_room(),
    column<&Metric::metric>("metric", "name"),
    column<&Metric::value, &MetricValue::value>("value", "null: counters are missing"),
    column<&Metric::value, &MetricValue::rule, &Rule::unit>("unit", "of the value"),
    column<&Metric::value, &MetricValue::rule, &Rule::formula, &Expression::text>(
        "formula", "over counters, other metrics and constants")
        .if_room(),
    column<&Metric::value, &MetricValue::missing>("missing", "what would have to be collected")
        .if_room(),
    column<&Metric::value, &MetricValue::rule, &Rule::description>("description", "what it is")
        .never(),
    column<&Metric::remark>("remark", "why the value cannot be right, or null").or_null().never());

/// The rows of one set of counters: every metric that the architecture has.
void add_metric_rows(Document& out, std::vector<Metric>& rows, const Kernel& kernel,
                     std::optional<std::uint64_t> dispatch, const MetricInputs& inputs,
                     const std::string& only) {
  for (const std::string_view name : metric_names(inputs.arch)) {
    if (!only.empty() && name != only) continue;
    const MetricValue value = metric(name, inputs);
    if (!value.rule) continue;
    const std::string remark = impossible(value);
    if (!remark.empty()) out.notes.push_back(fmt::format("{} {}: {}", kernel.id, name, remark));
    rows.push_back({&kernel, dispatch, name, value, remark});
  }
}

Result<Document> run_metrics(const MetricsArgs& args, Inputs inputs) {
  const RooflineView view = TRY(roofline_view(inputs, args));
  const Trace& trace = *view.loaded.trace;
  Document out;
  if (!args.metric.empty() && std::ranges::count(metric_names(), args.metric) == 0) {
    return fail(Errc::not_found, fmt::format("no metric '{}'", args.metric),
                fmt::format("metrics: {}", fmt::join(metric_names(view.gpu.arch), ", ")));
  }
  std::vector<Metric> rows;
  for (const KernelRoofline& kernel : view.kernels) {
    const Kernel& named = trace.kernels()[kernel.measured.kernel];
    if (args.by == "kernel") {
      add_metric_rows(out, rows, named, {}, kernel.inputs, args.metric);
      continue;
    }
    for (const DispatchMeasurement& dispatch :
         TRY(measure_dispatches(trace, kernel.measured.kernel))) {
      add_metric_rows(out, rows, named, dispatch.ordinal,
                      metric_inputs(dispatch.counters, view.gpu, "one dispatch", view.provenance),
                      args.metric);
    }
  }
  out.put(kMetricFields, view);
  out.table(kMetricColumns, rows);
  out.notes.insert(out.notes.end(), view.notes.begin(), view.notes.end());
  out.provenance = view.kernels.empty() ? view.provenance : Provenance::estimated;
  out.next = {"roofline", "plot memory"};
  return out;
}

constexpr const char* kRooflineHelp =
    "For each kernel with counters: operations and bytes of a dispatch (means), their ratio, the "
    "rates reached, and the roofs. A kernel is memory bound at a level when its bytes need more "
    "time at that level's bandwidth than its operations need at the peaks of the units that it "
    "used; vector ALU and matrix units count as working at a time. Rows are for HBM (all traffic "
    "between L2 and the fabric), L2, vL1D (tag look-ups) and LDS; --by type splits by unit and "
    "data type, INT8 as operations. Ceilings are those of the data sheet (spec), of a roofline.csv "
    "(measured), or yours (user: --peak-gflops, --memory-bandwidth-gbps, --clock-mhz). Durations "
    "come from a run without counters where one is open or named by --times. What exceeds a roof "
    "is marked: such a number is wrong.";

}  // namespace

Result<Document> roofline_document(const Inputs& inputs, const RooflineArgs& args) {
  RooflineCommandArgs all;
  static_cast<RooflineArgs&>(all) = args;
  Document out = roofline_table(TRY(roofline_view(inputs, args)), all, {});
  out.schema = "rpl.roofline/1";
  out.fields = described(kRooflineFields);
  return out;
}

void add_roofline(Registry& registry) {
  add(registry,
      command<RooflineCommandArgs>(
          Command{.path = "roofline",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Compare kernels with what memory and units allow.",
                  .help = kRooflineHelp,
                  .fields = described(kRooflineFields),
                  .columns = described(kRooflineColumns),
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
               option("top", &RooflineCommandArgs::top, "at most so many kernels; 0 shows all")
                   .in(at_least(0))}),
          run_roofline));
}

void add_counters_metrics(Registry& registry) {
  add(registry,
      command<MetricsArgs>(
          Command{.path = "counters metrics",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show what the counters of a kernel amount to.",
                  .help = "Every metric of the architecture with its formula: FLOPs by data type, "
                          "bytes of each memory level, hit rates, bank conflicts, utilisation. "
                          "Values are means of a dispatch. A metric whose counters were not "
                          "collected is null and names them. --by dispatch shows single "
                          "dispatches, the passes of one program matched by kernel and order.",
                  .fields = described(kMetricFields),
                  .columns = described(kMetricColumns),
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
