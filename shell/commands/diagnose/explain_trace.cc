// SPDX-License-Identifier: MIT
// Trees behind the numbers of a trace, of its kernels and of its dispatches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "engine/graph/legacy.h"
#include "engine/graph/numbers.h"
#include "shell/commands/diagnose/explanation.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 6> kTraceGroups{"summary", "trace",   "critpath",
                                                       "gaps",    "overlap", "whatif"};

/// Results of an open trace. What is not kept with it is kept here: one explanation asks for the same several times.
class OpenResults : public TraceResults {
 public:
  OpenResults(const ExplainInputs& inputs, Loaded now) : inputs_(inputs), now_(std::move(now)) {
    source = fmt::format("dispatches of {}", now_.open->id());
    provenance = provenance_of(*now_.trace);
  }
  const Trace& trace() override { return *now_.trace; }
  Result<const TraceStats*> stats() override { return held(stats_, stats_of(now_)); }
  Result<const Graph*> graph() override { return held(graph_, graph_of(inputs_, now_)); }
  Result<const Slack*> slack() override { return held(slack_, slack_of(inputs_, now_)); }
  Result<const CriticalPath*> path() override {
    return held(path_, path_with_gains_of(inputs_, now_));
  }
  Result<const Gaps*> gaps() override {
    if (!gaps_) gaps_ = TRY(find_gaps(*TRY(graph()), {.limit = 1}, inputs_.monitor));
    return &*gaps_;
  }
  Result<const OverlapReport*> overlap() override {
    if (!overlap_)
      overlap_ = TRY(find_overlap(*TRY(graph()), TRY(path())->on_path, inputs_.monitor));
    return &*overlap_;
  }
  Result<const WhatIf*> what_if() override {
    if (!run_) {
      const KernelChange change{kernel, speedup};
      run_ = TRY(rpl::what_if(*TRY(graph()), {&change, 1}, {}, inputs_.monitor));
    }
    return &*run_;
  }
  std::string operation(NodeId id) override {
    const auto graph = this->graph();
    return graph ? operation_id(**graph, id) : std::string();
  }
  [[nodiscard]] const Column* column(std::string_view name) const override {
    return shown_column(inputs_.registry, name);
  }

 private:
  template <class T>
  static Result<const T*> held(std::shared_ptr<const T>& place,
                               Result<std::shared_ptr<const T>> found) {
    place = TRY(std::move(found));
    return place.get();
  }

  ExplainInputs inputs_;
  Loaded now_;
  std::shared_ptr<const TraceStats> stats_;
  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Slack> slack_;
  std::shared_ptr<const CriticalPath> path_;
  std::optional<Gaps> gaps_;
  std::optional<OverlapReport> overlap_;
  std::optional<WhatIf> run_;
};

std::string_view group_of(std::string_view name) { return name.substr(0, name.find('.')); }

std::vector<std::string> fields_in(std::span<const std::string_view> groups, bool whole) {
  std::vector<std::string> out;
  for (const TraceNumber& row : trace_numbers()) {
    if (std::ranges::find(groups, group_of(row.name)) == groups.end()) continue;
    std::string name(whole ? row.name : field_of(row.name));
    if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

/// The first row of that field in the groups, in the order of the table.
const TraceNumber* row_named(std::span<const std::string_view> groups, const std::string& field) {
  for (const TraceNumber& row : trace_numbers()) {
    const bool here = std::ranges::find(groups, group_of(row.name)) != groups.end();
    if (here && (row.name == field || field_of(row.name) == field)) return &row;
  }
  return nullptr;
}

/// summary and `info trace` also show numbers that other commands compute: summary.critical_path_ns is critpath's.
const TraceNumber* trace_row_named(const std::string& field) {
  const TraceNumber* row = row_named(kTraceGroups, field);
  const std::string_view group = group_of(field);
  if (row != nullptr || (group != "summary" && group != "trace")) return row;
  return row_named(kTraceGroups, field.substr(std::min(group.size() + 1, field.size())));
}

/// What other commands call by the same name, where it is computed in another way.
std::string namesakes(const TraceResults& results, const TraceNumber& row,
                      const std::string& asked) {
  if (asked == row.name) return {};
  std::vector<std::string_view> others;
  for (const TraceNumber& other : trace_numbers()) {
    const bool of_trace =
        std::ranges::find(kTraceGroups, group_of(other.name)) != kTraceGroups.end();
    if (of_trace && field_of(other.name) == field_of(row.name) &&
        formula_of(other, results) != formula_of(row, results))
      others.push_back(other.name);
  }
  if (others.empty()) return {};
  return fmt::format("this is {}; other numbers of that name: {}", row.name,
                     fmt::join(others, ", "));
}

/// What the older tool has for the critical path: it joins what overlaps, and knows neither host nor copies.
Result<std::optional<Derivation>> older_path(const Monitor& monitor, const Trace& trace,
                                             const TraceNumber& row, Unit unit) {
  const bool share = row.name == "critpath.dominance_fraction";
  if (!share && row.name != "critpath.critical_path_ns") return std::nullopt;
  const LegacyPath legacy = TRY(legacy_critical_path(trace, monitor));
  Derivation out;
  out.name = share ? "critical_path.fraction" : "critical_path.critical_path_ns";
  out.value = share ? legacy.dominant_fraction
                    : std::optional(static_cast<double>(legacy.critical_path_ns));
  out.unit = unit;
  out.source = "older tool, critical_path.py";
  out.formula = share ? "time of the dominant symbol on its path / critical_path_ns"
                      : "largest sum of durations over dispatches joined by queue order and by "
                        "nearness in time";
  out.note = fmt::format(
      "wrong: dispatches of a queue that overlap are added up, so that it can exceed the span; "
      "edges between queues are guessed from gaps of up to {} ns, which grow with the trace; the "
      "host, copies and events do not exist",
      legacy.threshold_ns);
  return out;
}

Error unknown_field(std::string_view of, const std::string& field,
                    const std::vector<std::string>& known) {
  const std::string near = did_you_mean(nearest(field, known));
  return Error{
      Errc::not_found, fmt::format("'{}' of {} cannot be explained", field, of),
      fmt::format("{}{}known: {}", near, near.empty() ? "" : "; ", fmt::join(known, ", "))};
}

Result<Explanation> tree_of(OpenResults& results, const TraceNumber& row) {
  return Explanation{TRY(derive(trace_numbers(), row, static_cast<TraceResults&>(results))), {}};
}

/// Without a name: the selected kernel, else the one that dominates the path, as whatif has it.
Result<std::uint32_t> changed_kernel(const Workspace& workspace, TraceResults& results) {
  if (workspace.selection.kernel) return *workspace.selection.kernel;
  const CriticalPath* path = TRY(results.path());
  if (path->dominant_kernel) return *path->dominant_kernel;
  return fail(Errc::not_found, "there is no kernel on the critical path",
              "name one: explain K.whatif.gain");
}

}  // namespace

ExplainInputs::ExplainInputs(const Context& context)
    : Inputs(context), registry(context.registry()) {}

const Column* shown_column(const Registry& registry, std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kShownBy[] = {
      {"trace", "info trace"},
      {"dispatch", "info dispatch"},
      {"kernel", "info kernel"},
      {"kernel", "slack"},
      {"kernel", "critpath"}};
  const std::string_view group = name.substr(0, name.find('.')), field = field_of(name);
  const auto in = [&](std::string_view path) -> const Column* {
    const Command* command = registry.find(path);
    if (command == nullptr) return nullptr;
    const auto& columns =
        group == "kernel" && path != "info kernel" ? command->columns : command->fields;
    const auto found = std::ranges::find(columns, field, &Column::name);
    return found == columns.end() ? nullptr : &*found;
  };
  for (const auto& [shown, path] : kShownBy) {
    if (const Column* column = shown == group ? in(path) : nullptr) return column;
  }
  return in(group);
}

bool is_trace_group(std::string_view word) {
  return std::ranges::find(kTraceGroups, word) != kTraceGroups.end();
}

std::vector<std::string> explainable_kernel_numbers() {
  return fields_in(std::array<std::string_view, 1>{"kernel"}, false);
}

Result<Explanation> explain_trace(const ExplainInputs& inputs, const Loaded& now,
                                  const std::string& field, double speedup) {
  if (const auto why = nothing_ran(*now.trace)) return fail(Errc::not_found, *why, "info trace");
  if (const auto why = no_times(*now.trace)) return fail(Errc::not_found, *why, kRecordTimes);
  const TraceNumber* row = trace_row_named(field);
  if (row == nullptr) {
    const std::string_view group = group_of(field);
    if (is_trace_group(group))
      return Failure(unknown_field(group, field.substr(group.size() + 1),
                                   fields_in(std::array{group}, false)));
    return Failure(unknown_field("a trace", field, fields_in(kTraceGroups, true)));
  }
  OpenResults results(inputs, now);
  results.speedup = speedup;
  if (group_of(row->name) == "whatif")
    results.kernel = TRY(changed_kernel(inputs.workspace, results));
  Explanation out = TRY(tree_of(results, *row));
  const std::string others = namesakes(results, *row, field);
  if (!others.empty()) out.ours.note += (out.ours.note.empty() ? "" : "; ") + others;
  out.older = TRY(older_path(inputs.monitor, *now.trace, *row, out.ours.unit));
  return out;
}

Result<Explanation> explain_kernel_number(const ExplainInputs& inputs, const Loaded& now,
                                          std::uint32_t kernel, const std::string& field,
                                          double speedup) {
  static constexpr std::array<std::string_view, 2> kGroups{"kernel", "whatif"};
  const bool run = field.starts_with("whatif.");
  const TraceNumber* row = row_named(std::span(kGroups).subspan(run ? 1 : 0, 1), field);
  if (row == nullptr) {
    return Failure(unknown_field(run ? "whatif" : "a kernel", field,
                                 fields_in(std::span(kGroups).subspan(run ? 1 : 0, 1), run)));
  }
  OpenResults results(inputs, now);
  results.kernel = kernel;
  results.speedup = speedup;
  return tree_of(results, *row);
}

Result<Explanation> explain_dispatch(const ExplainInputs& inputs, const Loaded& now,
                                     std::uint32_t dispatch, const std::string& field) {
  static constexpr std::array<std::string_view, 1> kGroups{"dispatch"};
  const TraceNumber* row = row_named(kGroups, field);
  if (row == nullptr) return Failure(unknown_field("a dispatch", field, fields_in(kGroups, false)));
  OpenResults results(inputs, now);
  results.row = dispatch;
  results.source = fmt::format("d{} of {}", dispatch + 1, now.open->id());
  return tree_of(results, *row);
}

}  // namespace rpl
