// SPDX-License-Identifier: MIT
// info kernels and info kernel: where GPU time went.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text_layout.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/dispatch_filter.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

struct KernelsArgs : DispatchFilterArgs {
  std::string sort = "total";
};

/// One row of the table before it is sorted.
struct KernelRow {
  std::uint32_t kernel = 0;
  DurationSummary duration;
  double share = 0;
};

/// Statistics of the dispatches that match, by kernel; mean and spread by Welford's method.
Result<std::vector<KernelRow>> filtered_rows(const Trace& trace, const DispatchQuery& query) {
  struct Running {
    DurationSummary summary;
    double squares = 0;
  };
  std::vector<Running> running(trace.kernels().size());
  std::int64_t whole = 0;
  for (const std::uint32_t row : TRY(matching_rows(trace, query, trace.size()))) {
    if (trace.kernel_of(row) == kNone) continue;
    auto& [summary, squares] = running[trace.kernel_of(row)];
    const std::int64_t ns = trace.duration_ns(row);
    ++summary.calls;
    summary.total_ns += ns;
    whole += ns;
    summary.min_ns = summary.calls == 1 ? ns : std::min(summary.min_ns, ns);
    summary.max_ns = summary.calls == 1 ? ns : std::max(summary.max_ns, ns);
    const double off = static_cast<double>(ns) - summary.mean_ns;
    summary.mean_ns += off / static_cast<double>(summary.calls);
    squares += off * (static_cast<double>(ns) - summary.mean_ns);
  }
  std::vector<KernelRow> rows;
  for (std::uint32_t i = 0; i < running.size(); ++i) {
    auto& [summary, squares] = running[i];
    if (summary.calls == 0) continue;
    if (summary.calls > 1)
      summary.stddev_ns = std::sqrt(squares / static_cast<double>(summary.calls - 1));
    rows.push_back({i, summary, share_of(summary.total_ns, whole)});
  }
  return rows;
}

Result<std::vector<KernelRow>> all_rows(const Loaded& now) {
  std::vector<KernelRow> rows;
  for (const KernelStats& kernel : TRY(stats_of(now))->kernels) {
    rows.push_back({kernel.kernel, kernel.duration, kernel.share});
  }
  return rows;
}

void sort_rows(std::vector<KernelRow>& rows, const std::string& key, const Trace& trace) {
  const auto by = [&](auto value) {
    std::ranges::stable_sort(
        rows, [&](const KernelRow& a, const KernelRow& b) { return value(a) > value(b); });
  };
  by([](const KernelRow& row) { return row.duration.total_ns; });
  if (key == "calls") by([](const KernelRow& row) { return row.duration.calls; });
  if (key == "mean") by([](const KernelRow& row) { return row.duration.mean_ns; });
  if (key == "min") by([](const KernelRow& row) { return row.duration.min_ns; });
  if (key == "max") by([](const KernelRow& row) { return row.duration.max_ns; });
  if (key == "stddev") by([](const KernelRow& row) { return row.duration.stddev_ns.value_or(-1); });
  if (key != "name") return;
  std::ranges::stable_sort(rows, [&](const KernelRow& a, const KernelRow& b) {
    return trace.kernels()[a.kernel].name < trace.kernels()[b.kernel].name;
  });
}

Result<Document> info_kernels(Context& context, const KernelsArgs& args) {
  const Loaded now = TRY(loaded(context));
  const Trace& trace = *now.trace;
  const DispatchQuery query = TRY(query_of(context, trace, args));
  auto rows = filters(args) ? TRY(filtered_rows(trace, query)) : TRY(all_rows(now));
  sort_rows(rows, args.sort, trace);
  Document out;
  for (const KernelRow& row : rows) {
    const Kernel& kernel = trace.kernels()[row.kernel];
    const DurationSummary& duration = row.duration;
    Row cells{Value(kernel.id), Value(short_kernel(kernel.name)), Value(kernel.name),
              Value(duration.calls)};
    for (Value& value :
         Row{Value(duration.total_ns), Value(duration.mean_ns), Value(duration.min_ns),
             Value(duration.max_ns), Value(duration.stddev_ns), Value(row.share)}) {
      cells.push_back(timed(trace, std::move(value)));
    }
    out.rows.push_back(std::move(cells));
  }
  if (const auto why = no_times(trace)) out.notes.push_back(*why);
  if (const auto why = nothing_ran(trace))
    out.notes.push_back(*why);
  else if (rows.empty())
    out.notes.emplace_back("no dispatch matches");
  out.provenance = provenance_of(trace);
  if (!rows.empty()) {
    const std::string& id = trace.kernels()[rows.front().kernel].id;
    out.next = {"info kernel " + id, "critpath", "whatif " + id + " --speedup 2"};
  }
  return out;
}

struct KernelArgs {
  std::string kernel;
};

/// Without a name: the selected kernel, else the one with most time.
Result<std::uint32_t> chosen_kernel(const Context& context, const Loaded& now,
                                    const std::string& reference) {
  const auto& selection = context.workspace.selection;
  if (!reference.empty() || selection.kernel) {
    return resolve_kernel(context.workspace, *now.trace, reference);
  }
  const auto stats = TRY(stats_of(now));
  if (!stats->kernels.empty()) return stats->kernels.front().kernel;
  return fail(Errc::not_found, "the recording has no kernel", *nothing_ran(*now.trace));
}

/// Rows: the launch configurations of the kernel, the most frequent first.
Result<void> add_launches(Document& out, const Trace& trace, std::uint32_t kernel) {
  std::vector<DurationSummary> totals(trace.entities().launches.size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    const std::uint32_t launch = trace.columns().launch[row];
    if (trace.entities().launches[launch].kernel != kernel) continue;
    ++totals[launch].calls;
    totals[launch].total_ns += trace.duration_ns(row);
  }
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (totals[i].calls == 0) continue;
    const Launch& launch = trace.entities().launches[i];
    out.rows.push_back({dim3_value(launch.grid), dim3_value(launch.workgroup),
                        Value(launch.lds_bytes), Value(launch.scratch_bytes),
                        Value(totals[i].calls), timed(trace, Value(totals[i].total_ns)),
                        timed(trace, Value(static_cast<double>(totals[i].total_ns) /
                                           static_cast<double>(totals[i].calls)))});
  }
  std::ranges::stable_sort(out.rows, [](const Row& a, const Row& b) {
    return *a[4].as<std::int64_t>() > *b[4].as<std::int64_t>();
  });
  return {};
}

/// How long its dispatches took, all together and on the critical path.
Status set_durations(Context& context, const Loaded& now, std::uint32_t index, Document& out) {
  DispatchQuery query;
  query.kernels = {index};
  const DurationSummary duration = TRY(summarize(*now.trace, query));
  out.set("calls", duration.calls);
  if (!now.trace->has_times()) return {};
  const std::array<double, 3> ranks{50, 90, 99};
  const auto percentiles = TRY(duration_percentiles(*now.trace, query, ranks));
  const auto path = TRY(path_of(context, now));
  const auto on_path = std::ranges::find(path->kernels, index, &KernelOnPath::kernel);
  const auto stats = TRY(stats_of(now));
  out.set("total_ns", duration.total_ns);
  out.set("share", share_of(duration.total_ns, stats->totals.gpu_time_ns));
  out.set("mean_ns", duration.mean_ns);
  out.set("stddev_ns", duration.stddev_ns);
  out.set("min_ns", duration.min_ns);
  for (std::size_t i = 0; i < percentiles.size(); ++i) {
    out.set(fmt::format("p{}_ns", static_cast<int>(ranks[i])), percentiles[i]);
  }
  out.set("max_ns", duration.max_ns);
  const bool there = on_path != path->kernels.end();
  out.set("path_ns", there ? on_path->path_ns : std::int64_t{0});
  out.set("path_share", there ? on_path->share : 0.0);
  return {};
}

Result<Document> info_kernel(Context& context, const KernelArgs& args) {
  const Loaded now = TRY(loaded(context));
  const Trace& trace = *now.trace;
  const std::uint32_t index = TRY(chosen_kernel(context, now, args.kernel));
  const Kernel& kernel = trace.kernels()[index];
  Document out;
  out.set("id", kernel.id);
  out.set("kernel", kernel.name);
  out.set("mangled", kernel.mangled);
  TRY(set_durations(context, now, index, out));
  out.set("arch_vgprs", Value::known(kernel.arch_vgprs));
  out.set("accum_vgprs", Value::known(kernel.accum_vgprs));
  out.set("sgprs", Value::known(kernel.sgprs));
  out.set("static_lds_bytes", std::uint64_t{kernel.static_lds_bytes});
  out.set("scratch_bytes", std::uint64_t{kernel.scratch_bytes});
  TRY(add_launches(out, trace, index));
  if (const auto why = no_times(trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(trace);
  out.next = {"info dispatches --kernel " + kernel.id, "whatif " + kernel.id + " --speedup 2",
              "select " + kernel.id};
  return out;
}

const std::vector<Column> kKernelFields{
    {"id", Type::id, Unit::none, "k and the first hex digits of the hash of the mangled name"},
    {"kernel", Type::string, Unit::none, "its name in full"},
    {"mangled", Type::string, Unit::none, "the symbol"},
    {"calls", Type::integer, Unit::count, "dispatches"},
    {"total_ns", Type::integer, Unit::ns, "sum of durations"},
    {"share", Type::number, Unit::share, "total_ns / the sum over all kernels"},
    {"mean_ns", Type::number, Unit::ns, "mean duration"},
    {"stddev_ns", Type::number, Unit::ns,
     "standard deviation of the sample; null for one dispatch"},
    {"min_ns", Type::integer, Unit::ns, "shortest"},
    {"p50_ns", Type::integer, Unit::ns, "median (nearest rank)"},
    {"p90_ns", Type::integer, Unit::ns, "90th percentile"},
    {"p99_ns", Type::integer, Unit::ns, "99th percentile"},
    {"max_ns", Type::integer, Unit::ns, "longest"},
    {"path_ns", Type::integer, Unit::ns, "time on the critical path"},
    {"path_share", Type::number, Unit::share, "path_ns / time of kernels and copies on the path"},
    {"arch_vgprs", Type::integer, Unit::count, "vector registers as recorded; null when unknown"},
    {"accum_vgprs", Type::integer, Unit::count,
     "accumulation registers as recorded; null when unknown"},
    {"sgprs", Type::integer, Unit::count, "scalar registers as recorded; null when unknown"},
    {"static_lds_bytes", Type::integer, Unit::bytes, "LDS declared by the kernel, per workgroup"},
    {"scratch_bytes", Type::integer, Unit::bytes, "scratch memory, per work-item"},
};

const std::vector<Column> kLaunchColumns{
    {"grid", Type::dim3, Unit::none, "work-items"},
    {"workgroup", Type::dim3, Unit::none, "work-items"},
    {"lds_bytes", Type::integer, Unit::bytes, "static and dynamic LDS, per workgroup"},
    {"scratch_bytes", Type::integer, Unit::bytes, "per work-item"},
    {"calls", Type::integer, Unit::count, "dispatches with this configuration"},
    {"total_ns", Type::integer, Unit::ns, "sum of their durations"},
    {"mean_ns", Type::number, Unit::ns, "mean duration"},
};

}  // namespace

void add_kernel_commands(Registry& registry) {
  add(registry,
      command<KernelsArgs>(
          Command{.path = "info kernels",
                  .chapter = Class::status,
                  .summary = "List kernels with calls and times, the longest total first.",
                  .help = "One row for each kernel symbol. The share is of the sum of all "
                          "durations. Filters restrict which "
                          "dispatches are counted; shares are then of what matches. The standard "
                          "deviation is that of the "
                          "sample and unknown for one dispatch.",
                  .columns = {{"id", Type::id, Unit::none, "kernel"},
                              {"kernel", Type::string, Unit::none, "its name, shortened"},
                              {"name", Type::kernel, Unit::none, "its name in full", InText::never},
                              {"calls", Type::integer, Unit::count, "dispatches"},
                              {"total_ns", Type::integer, Unit::ns, "sum of durations"},
                              {"mean_ns", Type::number, Unit::ns, "mean duration"},
                              {"min_ns", Type::integer, Unit::ns, "shortest", InText::if_room},
                              {"max_ns", Type::integer, Unit::ns, "longest", InText::if_room},
                              {"stddev_ns", Type::number, Unit::ns,
                               "standard deviation of the sample", InText::if_room},
                              {"share", Type::number, Unit::share,
                               "total_ns / the sum over the kernels shown"}},
                  .scalar = "kernel",
                  .examples = {"info kernels TRACE", "info kernels/5 TRACE",
                               "info kernels TRACE --sort calls"}},
          with_filters<KernelsArgs>(
              {option("sort", &KernelsArgs::sort, "order of the rows")
                   .one_of({"total", "calls", "mean", "min", "max", "stddev", "name"})}),
          info_kernels));
  add(registry,
      command(
          Command{
              .path = "info kernel",
              .chapter = Class::status,
              .summary = "Show one kernel: times, resources, launch configurations.",
              .help =
                  "Without a name it shows the selected kernel, else the one with most time. "
                  "Percentiles are recorded "
                  "durations (nearest rank). The table lists the launch configurations, the most "
                  "frequent first.",
              .fields = kKernelFields,
              .columns = kLaunchColumns,
              .scalar = "id",
              .examples = {"info kernel TRACE"}},
          {arg("kernel", &KernelArgs::kernel, "kernel to show").completes(Complete::kernel)},
          info_kernel));
}

}  // namespace rpl
