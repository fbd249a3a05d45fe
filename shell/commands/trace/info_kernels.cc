// SPDX-License-Identifier: MIT
// info kernels and info kernel: where GPU time went.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/document/sorting.h"
#include "engine/trace/core/duration_sums.h"
#include "shell/commands/trace/filters.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/trace_columns.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct KernelsArgs : DispatchFilterArgs {
  std::string sort = "total";
};

struct KernelRow {
  const Kernel* kernel = nullptr;
  std::uint64_t calls = 0;
  std::optional<DurationSummary> times;  ///< none where the recording has no times
  std::optional<double> share;

  [[nodiscard]] std::string short_name() const { return short_kernel(kernel->name); }
  /// The ends of the band of modelled times, of their sum.
  [[nodiscard]] std::optional<double> low() const {
    return kernel->time_low > 0 ? std::optional(kernel->time_low) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> high() const {
    return kernel->time_low > 0 ? std::optional(kernel->time_high) : std::nullopt;
  }
};

constexpr auto kKernelColumns = bound_to<KernelRow>(
    column<&KernelRow::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&KernelRow::short_name>("kernel", "its name, shortened"),
    column<&KernelRow::kernel, &Kernel::name>("name", "its name in full")
        .as(Type::kernel)
        .never()
        .sortable(Order::ascending),
    column<&KernelRow::calls>("calls", "dispatches").sortable(),
    column<&KernelRow::times, &DurationSummary::total_ns>("total_ns", "sum of durations")
        .sortable(),
    column<&KernelRow::times, &DurationSummary::mean_ns>("mean_ns", "mean duration").sortable(),
    column<&KernelRow::times, &DurationSummary::min_ns>("min_ns", "shortest").if_room().sortable(),
    column<&KernelRow::times, &DurationSummary::max_ns>("max_ns", "longest").if_room().sortable(),
    column<&KernelRow::times, &DurationSummary::stddev_ns>("stddev_ns",
                                                           "standard deviation of the sample")
        .if_room()
        .sortable(),
    column<&KernelRow::times, &DurationSummary::variation>("variation", "stddev_ns / mean_ns")
        .in(Unit::share)
        .if_room()
        .sortable(),
    column<&KernelRow::share>("share", "total_ns / the sum over the kernels shown"),
    column<&KernelRow::low>(
        "real_low",
        "of modelled times: nine of ten real ones lie between this and real_high "
        "times them; null: recorded, or not known")
        .in(Unit::ratio)
        .never(),
    column<&KernelRow::high>("real_high", "the upper end").in(Unit::ratio).never());

KernelRow row_of(const Trace& trace, std::uint32_t kernel, const DurationSummary& duration,
                 double share) {
  if (!trace.has_times()) return {&trace.kernels()[kernel], duration.calls, {}, {}};
  return {&trace.kernels()[kernel], duration.calls, duration, share};
}

/// Statistics of the dispatches that match, by kernel.
Result<std::vector<KernelRow>> filtered_rows(const Trace& trace, const DispatchQuery& query) {
  std::vector<DurationSums> sums(trace.kernels().size());
  std::int64_t whole = 0;
  const auto words = trace.columns().duration_ns.raw();
  for (const std::uint32_t row : TRY(matching_rows(trace, query, trace.size()))) {
    if (trace.kernel_of(row) == kNone) continue;
    DurationSums& of = sums[trace.kernel_of(row)];
    whole += trace.duration_ns(row);
    if (words[row] == CompactColumn::kEscaped)
      of.add_escaped(trace.duration_ns(row));
    else
      of.add(words[row]);
  }
  std::vector<KernelRow> rows;
  for (std::uint32_t i = 0; i < sums.size(); ++i) {
    const DurationSummary summary = sums[i].summary();
    if (summary.calls != 0)
      rows.push_back(row_of(trace, i, summary, share_of(summary.total_ns, whole)));
  }
  return rows;
}

Result<std::vector<KernelRow>> all_rows(const Loaded& now) {
  std::vector<KernelRow> rows;
  for (const KernelStats& kernel : TRY(stats_of(now))->kernels) {
    rows.push_back(row_of(*now.trace, kernel.kernel, kernel.duration, kernel.share));
  }
  return rows;
}

Result<Document> info_kernels(const KernelsArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const Trace& trace = *now.trace;
  const DispatchQuery query = TRY(query_of(inputs.workspace, trace, args));
  auto rows = filters(args) ? TRY(filtered_rows(trace, query)) : TRY(all_rows(now));
  sort_rows(rows, kKernelColumns, "total");
  sort_rows(rows, kKernelColumns, args.sort);
  Document out;
  out.table(kKernelColumns, rows);
  if (const auto why = no_times(trace)) out.notes.push_back(*why);
  if (const auto why = nothing_ran(trace))
    out.notes.push_back(*why);
  else if (rows.empty())
    out.notes.emplace_back("no dispatch matches");
  out.provenance = provenance_of(trace);
  if (trace.presence().modelled) {
    if (auto note = model_band_note(trace, *TRY(stats_of(now))))
      out.notes.push_back(std::move(*note));
  }
  if (!rows.empty()) {
    const std::string& id = rows.front().kernel->id;
    out.next = {"info kernel " + id, "critpath", "whatif " + id + " --speedup 2"};
  }
  return out;
}

struct KernelArgs {
  std::string kernel;
};

/// Without a name: the selected kernel, else the one with most time.
Result<std::uint32_t> chosen_kernel(const Workspace& workspace, const Loaded& now,
                                    const std::string& reference) {
  const auto& selection = workspace.selection;
  if (!reference.empty() || selection.kernel) {
    return resolve_kernel(workspace, *now.trace, reference);
  }
  const auto stats = TRY(stats_of(now));
  if (!stats->kernels.empty()) return stats->kernels.front().kernel;
  return fail(Errc::not_found, "the recording has no kernel", *nothing_ran(*now.trace));
}

struct LaunchRow {
  const Launch* launch = nullptr;
  std::uint64_t calls = 0;
  std::int64_t sum_ns = 0;
  bool timed = false;

  [[nodiscard]] std::optional<std::int64_t> total_ns() const {
    return timed ? std::optional(sum_ns) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> mean_ns() const {
    if (!timed) return std::nullopt;
    return static_cast<double>(sum_ns) / static_cast<double>(calls);
  }
};

constexpr auto kLaunchColumns = bound_to<LaunchRow>(
    column<&LaunchRow::launch, &Launch::grid>("grid", "work-items"),
    column<&LaunchRow::launch, &Launch::workgroup>("workgroup", "work-items"),
    column<&LaunchRow::launch, &Launch::lds_bytes>("lds_bytes",
                                                   "static and dynamic LDS, per workgroup"),
    column<&LaunchRow::launch, &Launch::scratch_bytes>("scratch_bytes", "per work-item"),
    column<&LaunchRow::calls>("calls", "dispatches with this configuration").sortable(),
    column<&LaunchRow::total_ns>("total_ns", "sum of their durations"),
    column<&LaunchRow::mean_ns>("mean_ns", "mean duration"));

/// The launch configurations of the kernel, the most frequent first.
std::vector<LaunchRow> launches_of(const Trace& trace, std::uint32_t kernel) {
  const auto& launches = trace.entities().launches;
  std::vector<LaunchRow> rows(launches.size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    const std::uint32_t launch = trace.columns().launch[row];
    if (launches[launch].kernel != kernel) continue;
    LaunchRow& of = rows[launch];
    of.launch = &launches[launch];
    of.timed = trace.has_times();
    ++of.calls;
    of.sum_ns += trace.duration_ns(row);
  }
  std::erase_if(rows, [](const LaunchRow& row) { return row.calls == 0; });
  sort_rows(rows, kLaunchColumns, "calls");
  return rows;
}

/// What a kernel's times are, all together and on the critical path.
struct KernelTimes {
  DurationSummary duration;
  double share = 0;
  std::vector<std::int64_t> percentiles;  ///< 50, 90, 99
  std::int64_t path_ns = 0;
  double path_share = 0;

  template <std::size_t rank>
  [[nodiscard]] std::int64_t percentile_ns() const {
    return percentiles[rank];
  }
};

struct KernelFacts {
  const Kernel* kernel = nullptr;
  std::uint64_t calls = 0;
  std::optional<KernelTimes> times;  ///< none where the recording has no times
};

constexpr auto kKernelFields = bound_to<KernelFacts>(
    column<&KernelFacts::kernel, &Kernel::id>(
        "id", "k and the first hex digits of the hash of the mangled name")
        .as(Type::id),
    column<&KernelFacts::kernel, &Kernel::name>("kernel", "its name in full"),
    column<&KernelFacts::kernel, &Kernel::mangled>("mangled", "the symbol"),
    column<&KernelFacts::calls>("calls", "dispatches"),
    column<&KernelFacts::times, &KernelTimes::duration, &DurationSummary::total_ns>(
        "total_ns", "sum of durations")
        .if_known()
        .formula("sum of end - start over its dispatches"),
    column<&KernelFacts::times, &KernelTimes::share>("share", "total_ns / the sum over all kernels")
        .if_known()
        .formula("total_ns / gpu_time_ns"),
    column<&KernelFacts::times, &KernelTimes::duration, &DurationSummary::mean_ns>("mean_ns",
                                                                                   "mean duration")
        .if_known()
        .formula("total_ns / calls"),
    column<&KernelFacts::times, &KernelTimes::duration, &DurationSummary::stddev_ns>(
        "stddev_ns", "standard deviation of the sample; null for one dispatch")
        .if_there()
        .formula("sqrt(sum of (end - start - mean_ns)^2 / (calls - 1))"),
    column<&KernelFacts::times, &KernelTimes::duration, &DurationSummary::min_ns>("min_ns",
                                                                                  "shortest")
        .if_known()
        .formula("least end - start of its dispatches"),
    column<&KernelFacts::times, &KernelTimes::percentile_ns<0>>("p50_ns", "median (nearest rank)")
        .if_known()
        .formula("nearest rank: the shortest that 50 % of its dispatches do not exceed"),
    column<&KernelFacts::times, &KernelTimes::percentile_ns<1>>("p90_ns", "90th percentile")
        .if_known()
        .formula("nearest rank: the shortest that 90 % of its dispatches do not exceed"),
    column<&KernelFacts::times, &KernelTimes::percentile_ns<2>>("p99_ns", "99th percentile")
        .if_known()
        .formula("nearest rank: the shortest that 99 % of its dispatches do not exceed"),
    column<&KernelFacts::times, &KernelTimes::duration, &DurationSummary::max_ns>("max_ns",
                                                                                  "longest")
        .if_known()
        .formula("largest end - start of its dispatches"),
    column<&KernelFacts::times, &KernelTimes::path_ns>("path_ns", "time on the critical path")
        .if_known()
        .formula("time of its dispatches on the critical path"),
    column<&KernelFacts::times, &KernelTimes::path_share>(
        "path_share", "path_ns / time of kernels and copies on the path")
        .if_known()
        .formula("path_ns / critical_path_ns"),
    through<kKernelResources, &KernelFacts::kernel>());

/// How long its dispatches took, all together and on the critical path.
Result<KernelFacts> facts_of(const Inputs& inputs, const Loaded& now, std::uint32_t index) {
  DispatchQuery query;
  query.kernels = {index};
  KernelFacts facts;
  facts.kernel = &now.trace->kernels()[index];
  KernelTimes times;
  times.duration = TRY(summarize(*now.trace, query));
  facts.calls = times.duration.calls;
  if (!now.trace->has_times()) return facts;
  constexpr std::array<double, 3> kRanks{50, 90, 99};
  times.percentiles = TRY(duration_percentiles(*now.trace, query, kRanks));
  times.share = share_of(times.duration.total_ns, TRY(stats_of(now))->totals.gpu_time_ns);
  const auto path = TRY(path_of(inputs, now));
  const auto on_path = std::ranges::find(path->kernels, index, &KernelOnPath::kernel);
  if (on_path != path->kernels.end()) {
    times.path_ns = on_path->path_ns;
    times.path_share = on_path->share;
  }
  facts.times = std::move(times);
  return facts;
}

Result<Document> info_kernel(const KernelArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const Trace& trace = *now.trace;
  const std::uint32_t index = TRY(chosen_kernel(inputs.workspace, now, args.kernel));
  const std::string& id = trace.kernels()[index].id;
  Document out;
  out.put(kKernelFields, TRY(facts_of(inputs, now, index)));
  out.table(kLaunchColumns, launches_of(trace, index));
  if (const auto why = no_times(trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(trace);
  out.next = {"info dispatches --kernel " + id, "whatif " + id + " --speedup 2", "select " + id};
  return out;
}

}  // namespace

void add_kernel_commands(Registry& registry) {
  add(registry,
      command<KernelsArgs>(
          Command{.path = "info kernels",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "List kernels with calls and times, the longest total first.",
                  .help = "One row for each kernel symbol. The share is of the sum of all "
                          "durations. Filters restrict which "
                          "dispatches are counted; shares are then of what matches. The standard "
                          "deviation is that of the "
                          "sample and unknown for one dispatch.",
                  .columns = described(kKernelColumns),
                  .scalar = "kernel",
                  .examples = {"info kernels TRACE", "info kernels/5 TRACE",
                               "info kernels TRACE --sort calls"}},
          with_filters<KernelsArgs>({option("sort", &KernelsArgs::sort, "order of the rows")
                                         .one_of(sort_keys(kKernelColumns))}),
          info_kernels));
  add(registry,
      command(
          Command{
              .path = "info kernel",
              .does = kReads,
              .chapter = Class::status,
              .summary = "Show one kernel: times, resources, launch configurations.",
              .help =
                  "Without a name it shows the selected kernel, else the one with most time. "
                  "Percentiles are recorded "
                  "durations (nearest rank). The table lists the launch configurations, the most "
                  "frequent first.",
              .fields = described(kKernelFields),
              .columns = described(kLaunchColumns),
              .scalar = "id",
              .examples = {"info kernel TRACE"}},
          {arg("kernel", &KernelArgs::kernel, "kernel to show").completes(Complete::kernel)},
          info_kernel));
}

}  // namespace rpl
