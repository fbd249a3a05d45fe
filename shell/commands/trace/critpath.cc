// SPDX-License-Identifier: MIT
// critpath and slack: what the end of the trace waited for.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/document/sorting.h"
#include "engine/graph/legacy.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/trace/path_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/doubts.h"
#include "shell/core/inputs/loaded.h"
#include "shell/render/pictures/text_pictures.h"

namespace rpl {
namespace {

struct PathArgs {
  std::string model = "default";
  bool priority = false;
  std::int64_t top = 0;
};

/// What the trace gains at most from each kernel, by its id; empty while no roof is known.
/// Counters are not part of the path: those that lie in pages of their own are read only for who asks.
Result<std::map<std::string, double>> priorities(const Inputs& inputs, const Trace& trace,
                                                 bool asked) {
  std::map<std::string, double> out;
  if (!has_roofs(trace)) return out;
  if (!asked && TRY(trace.price({Fact::counters})) > 0) return out;
  const DiagnosedKernels all = TRY(diagnosed(inputs, {}));
  for (const DiagnosedKernel& kernel : all.kernels) {
    if (kernel.headroom.priority) out[kernel.id] = *kernel.headroom.priority;
  }
  return out;
}

struct PathRow {
  const Kernel* kernel = nullptr;
  KernelOnPath on_path;
  std::optional<std::int64_t> min_slack_ns;
  std::optional<double> priority;
};

constexpr auto kPathColumns = bound_to<PathRow>(
    column<&PathRow::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&PathRow::kernel, &Kernel::name>("kernel", "its name").as(Type::kernel),
    column<&PathRow::on_path, &KernelOnPath::calls>("calls", "dispatches in the whole trace")
        .if_room(),
    column<&PathRow::on_path, &KernelOnPath::path_calls>("path_calls", "dispatches on the path")
        .formula("its dispatches on the critical path"),
    column<&PathRow::on_path, &KernelOnPath::path_ns>("path_ns", "time on the path"),
    column<&PathRow::on_path, &KernelOnPath::share>("share", "path_ns / critical_path_ns"),
    column<&PathRow::min_slack_ns>("min_slack_ns", "least slack of its dispatches").if_room(),
    column<&PathRow::on_path, &KernelOnPath::gain_if_2x>(
        "gain_if_2x", "share of the span saved if it were twice as fast; null where not simulated")
        .in(Unit::share)
        .formula("whatif.gain at a speedup of 2"),
    column<&PathRow::priority>("priority",
                               "share times headroom; null until the kernel's headroom is known; "
                               "of databases with --priority alone")
        .never());

/// The ribbon with names as people say them.
Result<std::string> ribbon_of(const Graph& graph, const Canvas& canvas) {
  constexpr std::size_t kBeads = 12, kName = 28;
  auto beads = TRY(path_beads(graph, kBeads));
  for (Bead& bead : beads) {
    if (bead.kind == Bead::Kind::operations)
      bead.name = elide_middle(short_kernel(bead.name), kName);
  }
  return ribbon_text(beads, canvas);
}

Result<Document> default_model(const PathArgs& args, const Inputs& inputs, const Canvas& canvas,
                               const Loaded& now) {
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_with_gains_of(inputs, now));
  Document out;
  out.put(kPathFields, path_facts(*now.trace, *path));
  const auto priority = TRY(priorities(inputs, *now.trace, args.priority));
  std::vector<PathRow> rows;
  for (const KernelOnPath& kernel : path->kernels) {
    const Kernel& named = now.trace->kernels()[kernel.kernel];
    PathRow& row = rows.emplace_back(PathRow{&named, kernel, kernel.min_slack_ns, {}});
    if (const auto found = priority.find(named.id); found != priority.end())
      row.priority = found->second;
  }
  out.table(kPathColumns, rows, args.top);
  out.heading = path_heading(*path, canvas) + "\n" + TRY(ribbon_of(*graph, canvas));
  for (const std::string& note : graph->notes()) out.notes.push_back(note);
  if (auto note = doubt_note(*TRY(doubts_of(inputs, now)))) out.notes.push_back(std::move(*note));
  if (path->dominant_kernel) {
    out.next = {
        "timeline",
        fmt::format("whatif {} --speedup 2", now.trace->kernels()[*path->dominant_kernel].id),
        "gaps"};
  }
  return out;
}

/// Kernels on the older tool's path, the longest first.
std::vector<PathRow> count_legacy(const Trace& trace, const LegacyPath& legacy) {
  std::vector<PathRow> rows(trace.kernels().size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (trace.kernel_of(row) != kNone) ++rows[trace.kernel_of(row)].on_path.calls;
  }
  for (const std::uint32_t row : legacy.path) {
    if (trace.kernel_of(row) == kNone) continue;
    KernelOnPath& count = rows[trace.kernel_of(row)].on_path;
    ++count.path_calls;
    count.path_ns += trace.duration_ns(row);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].kernel = &trace.kernels()[i];
    rows[i].on_path.share = share_of(rows[i].on_path.path_ns, legacy.critical_path_ns);
  }
  std::erase_if(rows, [](const PathRow& row) { return row.on_path.path_calls == 0; });
  std::ranges::stable_sort(rows, std::greater{},
                           [](const PathRow& row) { return row.on_path.path_ns; });
  return rows;
}

Result<Document> legacy_model(const PathArgs& args, const Monitor& monitor, const Loaded& now) {
  const Trace& trace = *now.trace;
  const LegacyPath legacy = TRY(legacy_critical_path(trace, monitor));
  PathFacts facts;
  facts.model = "legacy";
  facts.span_ns = trace.extent_ns().second - trace.extent_ns().first;
  facts.critical_path_ns = legacy.critical_path_ns;
  facts.operations = legacy.path.size();
  if (legacy.dominant_symbol != kNone) facts.dominant = &trace.kernels()[legacy.dominant_symbol];
  facts.dominance_fraction = legacy.dominant_fraction;
  facts.edges = {{"serial", legacy.serial_edges}, {"cross", legacy.cross_edges}};
  Document out;
  out.put(kPathFields, facts);
  out.table(kPathColumns, count_legacy(trace, legacy), args.top);
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

Result<Document> run_critpath(const PathArgs& args, Inputs inputs, Screen screen) {
  const Loaded now = TRY(loaded_with_times(inputs));
  if (nothing_ran(*now.trace) && !now.trace->presence().copies) {
    Document out;
    out.put(kPathFields, path_facts(*now.trace, CriticalPath{}));
    out.heading = "there is no critical path";
    out.notes.push_back(*nothing_ran(*now.trace));
    out.provenance = provenance_of(*now.trace);
    return out;
  }
  Document out;
  if (args.model == "legacy") {
    out = TRY(legacy_model(args, inputs.monitor, now));
  } else {
    out = TRY(default_model(args, inputs, screen, now));
  }
  out.provenance = provenance_of(*now.trace);
  return out;
}

struct SlackArgs {
  std::string kernel;
};

/// Slack of the dispatches of one kernel.
struct SlackRow {
  const Kernel* kernel = nullptr;
  KernelSlack slack;

  [[nodiscard]] double mean() const { return slack.sum_ns / static_cast<double>(slack.calls); }
};

constexpr auto kSlackColumns = bound_to<SlackRow>(
    column<&SlackRow::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&SlackRow::kernel, &Kernel::name>("kernel", "its name").as(Type::kernel),
    column<&SlackRow::slack, &KernelSlack::calls>("calls", "dispatches"),
    column<&SlackRow::slack, &KernelSlack::critical>("critical", "dispatches without slack")
        .formula("its dispatches without slack"),
    column<&SlackRow::slack, &KernelSlack::least_ns>("min_slack_ns",
                                                     "least slack of its dispatches")
        .if_room()
        .sortable(Order::ascending)
        .formula("least slack of its dispatches"),
    column<&SlackRow::mean>("mean_slack_ns", "mean over its dispatches")
        .formula("sum_slack_ns / calls"),
    column<&SlackRow::slack, &KernelSlack::most_ns>("max_slack_ns", "largest")
        .formula("largest slack of its dispatches"));

Result<Document> run_slack(const SlackArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const Trace& trace = *now.trace;
  const auto slack = TRY(slack_of(inputs, now));
  std::vector<std::uint32_t> only;
  if (!args.kernel.empty()) only = TRY(resolve_kernels(inputs.workspace, trace, args.kernel));
  std::vector<SlackRow> kernels;
  for (std::uint32_t index = 0; index < trace.kernels().size(); ++index) {
    const KernelSlack& own = slack->kernels()[index];
    const bool wanted = only.empty() || std::ranges::find(only, index) != only.end();
    if (wanted && own.calls > 0) kernels.push_back({&trace.kernels()[index], own});
  }
  sort_rows(kernels, kSlackColumns, "min_slack");
  Document out;
  out.table(kSlackColumns, kernels);
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
      command(Command{.path = "critpath",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "Show the critical path: what the end of the trace waited for.",
                      .help = kPathHelp,
                      .fields = described(kPathFields),
                      .columns = described(kPathColumns),
                      .scalar = "critical_path_ns",
                      .aliases = {"info critpath", "cp"},
                      .examples = {"critpath TRACE", "critpath TRACE --top 3",
                                   "critpath TRACE --model legacy"}},
              {option("model", &PathArgs::model, "definition of the path")
                   .one_of({"default", "legacy"}),
               option("top", &PathArgs::top, "kernels to show; 0 shows all").in(at_least(0)),
               flag("priority", &PathArgs::priority,
                    "read the counters of a database for the column priority")},
              run_critpath));
  add(registry,
      command(
          Command{.path = "slack",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show by how much kernels could run longer unnoticed.",
                  .help = "The slack of a dispatch is by how much it could end later without the "
                          "trace ending later, all "
                          "recorded waits kept. Zero: it is critical. Kernels with the least slack "
                          "come first.",
                  .columns = described(kSlackColumns),
                  .scalar = "min_slack_ns",
                  .aliases = {"info slack"},
                  .examples = {"slack TRACE"}},
          {arg("kernel", &SlackArgs::kernel, "kernels to show; all without")
               .completes(Complete::kernel)},
          run_slack));
}

}  // namespace rpl
