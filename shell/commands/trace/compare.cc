// SPDX-License-Identifier: MIT
// compare: two traces, kernel by kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/text_layout.h"
#include "engine/base/units.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/profile_view.h"

namespace rpl {
namespace {

struct CompareArgs {
  std::string before, after, sort = "total";
};

/// An open trace by id or part of a path; a file is opened. The current trace stays what it was.
Result<Loaded> side(Context& context, const std::string& name) {
  auto open = context.workspace.select(name);
  if (!open && is_recording(name)) open = context.workspace.open({name});
  if (!open) return std::move(open).failure();
  const auto trace = TRY((*open)->get(context.monitor));
  return Loaded{*open, trace};
}

struct Pair {
  const Kernel* kernel = nullptr;
  DurationSummary before, after;
};

std::vector<Pair> matched(const Loaded& before, const TraceStats& old_stats, const Loaded& after,
                          const TraceStats& new_stats) {
  std::map<std::string_view, Pair> pairs;
  for (const KernelStats& row : old_stats.kernels) {
    const Kernel& kernel = before.trace->kernels()[row.kernel];
    pairs[kernel.mangled] = {&kernel, row.duration, {}};
  }
  for (const KernelStats& row : new_stats.kernels) {
    const Kernel& kernel = after.trace->kernels()[row.kernel];
    Pair& pair = pairs[kernel.mangled];
    if (!pair.kernel) pair.kernel = &kernel;
    pair.after = row.duration;
  }
  std::vector<Pair> out;
  for (auto& [name, pair] : pairs) out.push_back(pair);
  return out;
}

Row row_of(const Pair& pair) {
  const bool both = pair.before.calls > 0 && pair.after.calls > 0;
  const bool comparable = both && pair.before.mean_ns > 0;
  return {Value(pair.kernel->id),
          Value(pair.kernel->name),
          Value(pair.before.calls),
          Value(pair.after.calls),
          Value(pair.before.total_ns),
          Value(pair.after.total_ns),
          Value(pair.after.total_ns - pair.before.total_ns),
          pair.before.calls ? Value(pair.before.mean_ns) : Value(),
          pair.after.calls ? Value(pair.after.mean_ns) : Value(),
          comparable ? Value(pair.after.mean_ns / pair.before.mean_ns) : Value()};
}

double weight(const Pair& pair, const std::string& key) {
  const bool both = pair.before.calls > 0 && pair.after.calls > 0 && pair.before.mean_ns > 0;
  if (key == "mean")
    return both ? std::abs(std::log(std::max(pair.after.mean_ns, 1e-9) / pair.before.mean_ns)) : 0;
  return std::abs(static_cast<double>(pair.after.total_ns - pair.before.total_ns));
}

Value ratio(std::int64_t after, std::int64_t before) {
  return before > 0 ? Value(static_cast<double>(after) / static_cast<double>(before)) : Value();
}

Result<Document> run_compare(Context& context, const CompareArgs& args) {
  const auto document = [&](const std::string& name) {
    return names_profile(context, name) || !document_schema_of(name).empty();
  };
  if (document(args.before) || document(args.after))
    return compare_profiles(context, args.before, args.after);
  const auto was_current = context.workspace.current();
  const std::string current = was_current ? (*was_current)->id() : "";
  const Loaded before = TRY(side(context, args.before));
  const Loaded after = TRY(side(context, args.after));
  if (!current.empty()) TRY(context.workspace.select(current));
  const auto old_stats = TRY(stats_of(before));
  const auto new_stats = TRY(stats_of(after));
  std::vector<Pair> pairs = matched(before, *old_stats, after, *new_stats);
  std::ranges::stable_sort(pairs, [&](const Pair& a, const Pair& b) {
    return weight(a, args.sort) > weight(b, args.sort);
  });
  Document out;
  out.set("before", before.open->id());
  out.set("after", after.open->id());
  out.set("before_span_ns", old_stats->totals.span_ns);
  out.set("after_span_ns", new_stats->totals.span_ns);
  out.set("span_ratio", ratio(new_stats->totals.span_ns, old_stats->totals.span_ns));
  out.set("before_gpu_time_ns", old_stats->totals.gpu_time_ns);
  out.set("after_gpu_time_ns", new_stats->totals.gpu_time_ns);
  out.set("gpu_time_ratio", ratio(new_stats->totals.gpu_time_ns, old_stats->totals.gpu_time_ns));
  for (const Pair& pair : pairs) out.rows.push_back(row_of(pair));
  out.notes.emplace_back("two recordings differ by noise too: a ratio is no verdict");
  out.provenance = provenance_of(*after.trace);
  out.next = {"trace select " + after.open->id(), "summary"};
  return out;
}

}  // namespace

void add_compare_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "compare",
              .chapter = Class::analysis,
              .summary = "Compare two traces kernel by kernel, or two profile documents.",
              .help =
                  "Kernels are matched by their mangled names; what only one trace has shows no "
                  "calls on the other side. "
                  "Ratios are after / before: below 1 is faster. The largest change comes first. "
                  "Two profile "
                  "documents (profile.json of this program or of the older tool) are compared "
                  "field by "
                  "field; an unknown major version is refused.",
              .fields = {{"before", Type::id, Unit::none, "first trace"},
                         {"after", Type::id, Unit::none, "second trace"},
                         {"before_span_ns", Type::integer, Unit::ns, "its span"},
                         {"after_span_ns", Type::integer, Unit::ns, "its span"},
                         {"span_ratio", Type::number, Unit::ratio,
                          "after / before; null when before is 0"},
                         {"before_gpu_time_ns", Type::integer, Unit::ns, "sum of durations"},
                         {"after_gpu_time_ns", Type::integer, Unit::ns, "sum of durations"},
                         {"gpu_time_ratio", Type::number, Unit::ratio,
                          "after / before; null when before is 0"}},
              .columns =
                  {{"id", Type::id, Unit::none, "kernel"},
                   {"kernel", Type::kernel, Unit::none, "its name"},
                   {"before_calls", Type::integer, Unit::count, "dispatches", InText::if_room},
                   {"after_calls", Type::integer, Unit::count, "dispatches", InText::if_room},
                   {"before_total_ns", Type::integer, Unit::ns, "sum of durations",
                    InText::if_room},
                   {"after_total_ns", Type::integer, Unit::ns, "sum of durations", InText::if_room},
                   {"change_ns", Type::integer, Unit::ns, "after - before"},
                   {"before_mean_ns", Type::number, Unit::ns, "mean duration; null without calls"},
                   {"after_mean_ns", Type::number, Unit::ns, "mean duration; null without calls"},
                   {"mean_ratio", Type::number, Unit::ratio,
                    "after / before; null unless both have calls"}},
              .scalar = "gpu_time_ratio",
              .examples = {"compare TRACE TRACE"}},
          {arg("before", &CompareArgs::before,
               "first trace or profile document: a file, t1, prof1, part of a path")
               .required()
               .completes(Complete::file),
           arg("after", &CompareArgs::after, "second, of the same kind")
               .required()
               .completes(Complete::file),
           option("sort", &CompareArgs::sort, "order by change of the total or of the mean")
               .one_of({"total", "mean"})},
          run_compare));
}

}  // namespace rpl
