// SPDX-License-Identifier: MIT
// critpath and slack: what the end of the trace waited for.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/text_layout.h"
#include "engine/base/units.h"
#include "engine/graph/legacy.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/trace/path_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/render/pictures/ribbon.h"

namespace rpl {
namespace {

struct PathArgs {
  std::string model = "default";
  std::int64_t top = 0;
};

std::size_t shown(std::size_t rows, std::int64_t top) {
  return top <= 0 ? rows : std::min(rows, static_cast<std::size_t>(top));
}

/// What the trace gains at most from each kernel, by its id; empty while no roof is known.
Result<std::map<std::string, double>> priorities(Context& context, const Trace& trace) {
  std::map<std::string, double> out;
  if (!has_roofs(trace)) return out;
  const DiagnosedKernels all = TRY(diagnosed(context, {}));
  for (const DiagnosedKernel& kernel : all.kernels) {
    if (kernel.headroom.priority) out[kernel.id] = *kernel.headroom.priority;
  }
  return out;
}

Row row_of(const Trace& trace, const KernelOnPath& kernel,
           const std::map<std::string, double>& priority) {
  const Kernel& named = trace.kernels()[kernel.kernel];
  const auto found = priority.find(named.id);
  return {Value(named.id),
          Value(named.name),
          Value(kernel.calls),
          Value(kernel.path_calls),
          Value(kernel.path_ns),
          Value(kernel.share),
          Value(kernel.min_slack_ns),
          Value(kernel.gain_if_2x),
          found == priority.end() ? Value() : Value(found->second)};
}

/// The ribbon with names as people say them.
Result<std::string> ribbon_of(const Context& context, const Graph& graph) {
  constexpr std::size_t kBeads = 12, kName = 28;
  auto beads = TRY(path_beads(graph, kBeads));
  for (Bead& bead : beads) {
    if (bead.kind == Bead::Kind::operations)
      bead.name = elide_middle(short_kernel(bead.name), kName);
  }
  return ribbon_text(beads, canvas_of(context));
}

Result<Document> default_model(Context& context, const Loaded& now, const PathArgs& args) {
  const auto graph = TRY(graph_of(context, now));
  const auto path = TRY(path_of(context, now));
  Document out;
  set_path_fields(out, *now.trace, *path);
  const auto priority = TRY(priorities(context, *now.trace));
  for (const KernelOnPath& kernel : path->kernels) {
    if (out.rows.size() >= shown(path->kernels.size(), args.top)) break;
    out.rows.push_back(row_of(*now.trace, kernel, priority));
  }
  if (out.rows.size() < path->kernels.size()) out.total_rows = path->kernels.size();
  out.heading = path_heading(*path, canvas_of(context)) + "\n" + TRY(ribbon_of(context, *graph));
  for (const std::string& note : graph->notes()) out.notes.push_back(note);
  if (path->dominant_kernel) {
    out.next = {
        "timeline",
        fmt::format("whatif {} --speedup 2", now.trace->kernels()[*path->dominant_kernel].id),
        "gaps"};
  }
  return out;
}

struct Counted {
  std::uint64_t calls = 0, path_calls = 0;
  std::int64_t path_ns = 0;
};

/// Kernels on the older tool's path, the longest first.
std::vector<std::pair<std::uint32_t, Counted>> count_legacy(const Trace& trace,
                                                            const LegacyPath& legacy) {
  std::vector<Counted> counts(trace.kernels().size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (trace.kernel_of(row) != kNone) ++counts[trace.kernel_of(row)].calls;
  }
  for (const std::uint32_t row : legacy.path) {
    if (trace.kernel_of(row) == kNone) continue;
    Counted& count = counts[trace.kernel_of(row)];
    ++count.path_calls;
    count.path_ns += trace.duration_ns(row);
  }
  std::vector<std::pair<std::uint32_t, Counted>> out;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i].path_calls > 0) out.emplace_back(i, counts[i]);
  }
  std::ranges::stable_sort(
      out, [](const auto& a, const auto& b) { return a.second.path_ns > b.second.path_ns; });
  return out;
}

Result<Document> legacy_model(Context& context, const Loaded& now, const PathArgs& args) {
  const Trace& trace = *now.trace;
  const LegacyPath legacy = TRY(legacy_critical_path(trace, context.monitor));
  const bool named = legacy.dominant_symbol != kNone;
  Document out;
  out.set("model", "legacy");
  out.set("span_ns", trace.extent_ns().second - trace.extent_ns().first);
  out.set("critical_path_ns", legacy.critical_path_ns);
  out.set("operations", std::uint64_t{legacy.path.size()});
  out.set("dominant_kernel", named ? Value(trace.kernels()[legacy.dominant_symbol].name) : Value());
  out.set("dominance_fraction", legacy.dominant_fraction);
  out.set("edges", Value(Record{{"serial", Value(legacy.serial_edges)},
                                {"cross", Value(legacy.cross_edges)}}));
  const auto kernels = count_legacy(trace, legacy);
  for (std::size_t i = 0; i < shown(kernels.size(), args.top); ++i) {
    const auto& [kernel, count] = kernels[i];
    out.rows.push_back({Value(trace.kernels()[kernel].id), Value(trace.kernels()[kernel].name),
                        Value(count.calls), Value(count.path_calls), Value(count.path_ns),
                        Value(share_of(count.path_ns, legacy.critical_path_ns)), Value(), Value(),
                        Value()});
  }
  if (out.rows.size() < kernels.size()) out.total_rows = kernels.size();
  out.heading = fmt::format(
      "older tool's critical path: {} of kernel time on {} dispatches; edges: {} serial, {} cross "
      "(gaps up to {})\n",
      format_ns(legacy.critical_path_ns), format_count(legacy.path.size()),
      format_count(legacy.serial_edges), format_count(legacy.cross_edges),
      format_ns(legacy.threshold_ns));
  out.notes.emplace_back(
      "the older tool's definition: it counts kernel time only, guesses edges between queues, and "
      "can exceed the span");
  if (legacy.unprocessed > 0) {
    out.notes.push_back(fmt::format("{} dispatches lie in or behind cycles, as in the older tool",
                                    format_count(legacy.unprocessed)));
  }
  out.next = {"critpath"};
  return out;
}

Result<Document> run_critpath(Context& context, const PathArgs& args) {
  const Loaded now = TRY(loaded_with_times(context));
  if (nothing_ran(*now.trace) && !now.trace->presence().copies) {
    Document out;
    set_path_fields(out, *now.trace, CriticalPath{});
    out.heading = "there is no critical path";
    out.notes.push_back(*nothing_ran(*now.trace));
    out.provenance = provenance_of(*now.trace);
    return out;
  }
  Document out = args.model == "legacy" ? TRY(legacy_model(context, now, args))
                                        : TRY(default_model(context, now, args));
                                        out.provenance = provenance_of(*now.trace);
                                        return out;
}

struct SlackArgs {
  std::string kernel;
};

/// Slack of the dispatches of one kernel.
struct KernelSlack {
  std::uint64_t calls = 0, critical = 0;
  std::int64_t least = INT64_MAX, most = 0;
  double sum = 0;
};

Result<Document> run_slack(Context& context, const SlackArgs& args) {
  const Loaded now = TRY(loaded_with_times(context));
  const Trace& trace = *now.trace;
  const auto slack = TRY(slack_of(context, now));
  std::vector<std::uint32_t> only;
  if (!args.kernel.empty()) only = TRY(resolve_kernels(context.workspace, trace, args.kernel));
  std::vector<KernelSlack> kernels(trace.kernels().size());
  for (std::uint32_t row = 0; row < trace.size(); ++row) {
    if (trace.kernel_of(row) == kNone) continue;
    KernelSlack& kernel = kernels[trace.kernel_of(row)];
    const std::int64_t ns = slack->at(row);
    ++kernel.calls;
    kernel.critical += ns == 0 ? 1 : 0;
    kernel.least = std::min(kernel.least, ns);
    kernel.most = std::max(kernel.most, ns);
    kernel.sum += static_cast<double>(ns);
  }
  Document out;
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    const KernelSlack& kernel = kernels[i];
    const bool wanted = only.empty() || std::ranges::find(only, i) != only.end();
    if (kernel.calls == 0 || !wanted) continue;
    out.rows.push_back({Value(trace.kernels()[i].id), Value(trace.kernels()[i].name),
                        Value(kernel.calls), Value(kernel.critical), Value(kernel.least),
                        Value(kernel.sum / static_cast<double>(kernel.calls)), Value(kernel.most)});
  }
  std::ranges::stable_sort(out.rows, [](const Row& a, const Row& b) {
    return *a[4].as<std::int64_t>() < *b[4].as<std::int64_t>();
  });
  if (const auto why = nothing_ran(trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(trace);
  out.next = {"info dispatches --sort slack", "critpath", "overlap"};
  return out;
}

constexpr const char* kPathHelp =
    "Walks backwards from the operation that ends last, each time to the predecessor that arrived "
    "last. Kernels, copies, "
    "launch latency, host time and unexplained idle time are segments; they partition the span "
    "exactly. Edges have an "
    "evidence class: stream_order, queue_order, event, host_sync and launch are recorded facts, "
    "inferred edges rest on time "
    "alone. In the ribbon `=>` follows evidence and `~>` an inferred edge. `gain_if_2x` is the "
    "share of the span that a "
    "twice as fast kernel would save, by running the graph again. `--model legacy` is the older "
    "tool's definition, kept "
    "for comparison.";

}  // namespace

void add_path_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "critpath",
              .chapter = Class::analysis,
              .summary = "Show the critical path: what the end of the trace waited for.",
              .help = kPathHelp,
              .fields = path_fields(),
              .columns =
                  {{"id", Type::id, Unit::none, "kernel"},
                   {"kernel", Type::kernel, Unit::none, "its name"},
                   {"calls", Type::integer, Unit::count, "dispatches in the whole trace",
                    InText::if_room},
                   {"path_calls", Type::integer, Unit::count, "dispatches on the path"},
                   {"path_ns", Type::integer, Unit::ns, "time on the path"},
                   {"share", Type::number, Unit::share, "path_ns / critical_path_ns"},
                   {"min_slack_ns", Type::integer, Unit::ns, "least slack of its dispatches",
                    InText::if_room},
                   {"gain_if_2x", Type::number, Unit::share,
                    "share of the span saved if it were twice as fast; null where not simulated"},
                   {"priority", Type::number, Unit::none,
                    "share times headroom; null until the kernel's headroom is known",
                    InText::never}},
              .scalar = "critical_path_ns",
              .aliases = {"info critpath", "cp"},
              .examples = {"critpath TRACE", "critpath TRACE --top 3",
                           "critpath TRACE --model legacy"}},
          {option("model", &PathArgs::model, "definition of the path")
               .one_of({"default", "legacy"}),
           option("top", &PathArgs::top, "kernels to show; 0 shows all")},
          run_critpath));
  add(registry,
      command(
          Command{.path = "slack",
                  .chapter = Class::analysis,
                  .summary = "Show by how much kernels could run longer unnoticed.",
                  .help = "The slack of a dispatch is by how much it could end later without the "
                          "trace ending later, all "
                          "recorded waits kept. Zero: it is critical. Kernels with the least slack "
                          "come first.",
                  .columns = {{"id", Type::id, Unit::none, "kernel"},
                              {"kernel", Type::kernel, Unit::none, "its name"},
                              {"calls", Type::integer, Unit::count, "dispatches"},
                              {"critical", Type::integer, Unit::count, "dispatches without slack"},
                              {"min_slack_ns", Type::integer, Unit::ns,
                               "least slack of its dispatches"},
                              {"mean_slack_ns", Type::number, Unit::ns, "mean over its dispatches"},
                              {"max_slack_ns", Type::integer, Unit::ns, "largest"}},
                  .scalar = "min_slack_ns",
                  .aliases = {"info slack"},
                  .examples = {"slack TRACE"}},
          {arg("kernel", &SlackArgs::kernel, "kernels to show; all without")
               .completes(Complete::kernel)},
          run_slack));
}

}  // namespace rpl
