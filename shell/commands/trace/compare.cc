// SPDX-License-Identifier: MIT
// compare: two traces, kernel by kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/graph/application/ranks.h"
#include "engine/graph/comparison.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/profile_view.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct CompareArgs {
  std::string before, after, sort = "total";
};

/// An open trace by id or part of a path; a file, or a folder of them, is opened. The current trace stays what it was.
Result<OpenTrace*> side(Workspace& workspace, const std::string& name) {
  auto open = workspace.select(name);
  std::error_code ignored;
  if (!open && (is_recording(name) || std::filesystem::is_directory(name, ignored)))
    open = workspace.open({name});
  return open;
}

struct Pair {
  const Kernel* kernel = nullptr;
  DurationSummary before, after;

  [[nodiscard]] std::int64_t change_ns() const { return after.total_ns - before.total_ns; }
  template <DurationSummary Pair::* side>
  [[nodiscard]] std::optional<double> mean_ns() const {
    if ((this->*side).calls == 0) return std::nullopt;
    return (this->*side).mean_ns;
  }
  /// After / before; none unless both have calls that take time.
  [[nodiscard]] std::optional<double> mean_ratio() const {
    if (before.calls == 0 || after.calls == 0 || before.mean_ns <= 0) return std::nullopt;
    return after.mean_ns / before.mean_ns;
  }
};

constexpr auto kPairOfTracesColumns = bound_to<Pair>(
    column<&Pair::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&Pair::kernel, &Kernel::name>("kernel", "its name").as(Type::kernel),
    column<&Pair::before, &DurationSummary::calls>("before_calls", "dispatches").if_room(),
    column<&Pair::after, &DurationSummary::calls>("after_calls", "dispatches").if_room(),
    column<&Pair::before, &DurationSummary::total_ns>("before_total_ns", "sum of durations")
        .if_room(),
    column<&Pair::after, &DurationSummary::total_ns>("after_total_ns", "sum of durations")
        .if_room(),
    column<&Pair::change_ns>("change_ns", "after - before"),
    column<&Pair::mean_ns<&Pair::before>>("before_mean_ns", "mean duration; null without calls"),
    column<&Pair::mean_ns<&Pair::after>>("after_mean_ns", "mean duration; null without calls"),
    column<&Pair::mean_ratio>("mean_ratio", "after / before; null unless both have calls"));

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

double weight(const Pair& pair, const std::string& key) {
  if (key != "mean") return std::abs(static_cast<double>(pair.change_ns()));
  if (!pair.mean_ratio()) return 0;
  return std::abs(std::log(std::max(pair.after.mean_ns, 1e-9) / pair.before.mean_ns));
}

/// What a launch configuration adds to the difference.
struct ReasonRow {
  LaunchChange of;
  /// Of the change of all of them; null where they cancel out.
  std::optional<double> share;

  [[nodiscard]] Value grid() const { return dim3_value(of.grid); }
  [[nodiscard]] Value workgroup() const { return dim3_value(of.workgroup); }
};

constexpr auto kReasonColumns = bound_to<ReasonRow>(
    column<&ReasonRow::of, &LaunchChange::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&ReasonRow::of, &LaunchChange::kernel, &Kernel::name>("kernel", "its name")
        .as(Type::kernel),
    column<&ReasonRow::grid>("grid", "work-items [x, y, z]").as(Type::dim3),
    column<&ReasonRow::workgroup>("workgroup", "work-items [x, y, z]").as(Type::dim3),
    column<&ReasonRow::of, &LaunchChange::before_calls>("before_calls", "dispatches")
        .in(Unit::none),
    column<&ReasonRow::of, &LaunchChange::after_calls>("after_calls", "dispatches").in(Unit::none),
    column<&ReasonRow::of, &LaunchChange::before_ns>("before_ns", "sum of durations"),
    column<&ReasonRow::of, &LaunchChange::after_ns>("after_ns", "sum of durations"),
    column<&ReasonRow::of, &LaunchChange::change_ns>("change_ns", "after - before"),
    column<&ReasonRow::share>("share",
                              "of the change of all launch configurations; null where "
                              "there is none")
        .in(Unit::share));
Columns<ReasonRow> bound(const ReasonRow* /*of*/) { return kReasonColumns; }

/// Of a distributed program; nothing of any other.
struct OfRanks {
  std::optional<std::uint64_t> ranks = {};
  std::optional<double> imbalance = {}, wait_share = {};
  std::optional<std::string> straggler = {};
};

Result<OfRanks> of_ranks(const Trace& trace) {
  OfRanks out;
  if (trace.entities().processes.size() < 2) return out;
  const Ranks found = TRY(find_ranks(trace));
  if (!found.why_none.empty()) return out;
  const RanksSummary summary = summary_of(found);
  out.ranks = found.ranks.size();
  out.imbalance = summary.imbalance;
  out.wait_share = summary.wait_share;
  if (found.straggler) {
    const RankWork& slow = found.ranks[*found.straggler];
    out.straggler = rank_text(trace.entities(), slow.process, slow.agent);
  }
  return out;
}

struct Compared {
  std::string before, after;
  const TraceTotals* old_totals = nullptr;
  const TraceTotals* new_totals = nullptr;
  std::optional<StepTimes> old_steps = {}, new_steps = {};
  std::optional<double> ratio_of_steps = {}, low = {}, high = {};
  std::optional<std::string_view> verdict = {}, steps_by = {};
  std::optional<std::string> marker = {};
  std::optional<std::uint64_t> paired = {};
  OfRanks old_ranks = {}, new_ranks = {};
  std::string_view changes_of = {};
  std::vector<ReasonRow> reasons = {};

  template <std::int64_t TraceTotals::* time>
  [[nodiscard]] std::optional<double> ratio() const {
    if (old_totals->*time <= 0) return std::nullopt;
    return static_cast<double>(new_totals->*time) / static_cast<double>(old_totals->*time);
  }
};

constexpr auto kCompareFields = bound_to<Compared>(
    column<&Compared::before>("before", "first trace").as(Type::id),
    column<&Compared::after>("after", "second trace").as(Type::id),
    column<&Compared::old_totals, &TraceTotals::span_ns>("before_span_ns", "its span"),
    column<&Compared::new_totals, &TraceTotals::span_ns>("after_span_ns", "its span"),
    column<&Compared::ratio<&TraceTotals::span_ns>>("span_ratio",
                                                    "after / before; null when before is 0"),
    column<&Compared::old_totals, &TraceTotals::gpu_time_ns>("before_gpu_time_ns",
                                                             "sum of durations"),
    column<&Compared::new_totals, &TraceTotals::gpu_time_ns>("after_gpu_time_ns",
                                                             "sum of durations"),
    column<&Compared::ratio<&TraceTotals::gpu_time_ns>>("gpu_time_ratio",
                                                        "after / before; null when before is 0"),
    column<&Compared::steps_by>("steps_by",
                                "markers: ranges of one name in both; kernels: by what repeats; "
                                "only where both have steps")
        .if_known(),
    column<&Compared::marker>("step_marker", "the name of the ranges, with # for its numbers")
        .if_known(),
    column<&Compared::old_steps, &StepTimes::steps>("before_steps",
                                                    "steps of a loop; only where one repeats")
        .if_known(),
    column<&Compared::new_steps, &StepTimes::steps>("after_steps", "likewise").if_known(),
    column<&Compared::old_steps, &StepTimes::median_ns>("before_step_ns", "the median step")
        .if_known(),
    column<&Compared::new_steps, &StepTimes::median_ns>("after_step_ns", "the median step")
        .if_known(),
    column<&Compared::paired>("paired_steps",
                              "steps whose ranges have one number in both: step_ratio is the "
                              "median of theirs")
        .in(Unit::count)
        .if_known(),
    column<&Compared::ratio_of_steps>("step_ratio",
                                      "after / before: of the median steps, or of paired ones")
        .if_known(),
    column<&Compared::low>("step_ratio_low", "lower end of its interval, confidence 95 %")
        .in(Unit::ratio)
        .if_known(),
    column<&Compared::high>("step_ratio_high", "upper end").in(Unit::ratio).if_known(),
    column<&Compared::verdict>("steps_are",
                               "faster or slower: all of the interval is; same: it lies within 1 % "
                               "of 1; unclear: the steps of these two recordings do not tell")
        .if_known(),
    column<&Compared::old_ranks, &OfRanks::ranks>("before_ranks",
                                                  "of a distributed program; only where it has "
                                                  "collectives")
        .in(Unit::count)
        .if_known(),
    column<&Compared::new_ranks, &OfRanks::ranks>("after_ranks", "likewise")
        .in(Unit::count)
        .if_known(),
    column<&Compared::old_ranks, &OfRanks::imbalance>("before_imbalance",
                                                      "by which the slowest rank works longer than "
                                                      "the mean, the median over steps")
        .in(Unit::share)
        .if_known(),
    column<&Compared::new_ranks, &OfRanks::imbalance>("after_imbalance", "likewise")
        .in(Unit::share)
        .if_known(),
    column<&Compared::old_ranks, &OfRanks::wait_share>("before_wait_share",
                                                       "of the time of all ranks, in collectives "
                                                       "that some rank had not begun")
        .in(Unit::share)
        .if_known(),
    column<&Compared::new_ranks, &OfRanks::wait_share>("after_wait_share", "likewise")
        .in(Unit::share)
        .if_known(),
    column<&Compared::old_ranks, &OfRanks::straggler>("before_straggler",
                                                      "the rank that works longest in three fifths "
                                                      "of the steps or more")
        .if_known(),
    column<&Compared::new_ranks, &OfRanks::straggler>("after_straggler", "likewise").if_known(),
    column<&Compared::changes_of>("reasons_of",
                                  "step: reasons are times of a step, of ranks that have the same "
                                  "steps the mean; recording: of all of it")
        .never(),
    column<&Compared::reasons>(
        "reasons",
        "the five launch configurations, by kernel and geometry, that change "
        "most: {id, kernel, grid, workgroup, before_calls, after_calls, "
        "before_ns, after_ns, change_ns, share}")
        .or_null()
        .if_known());

/// What the two recordings differ in beyond their kernels.
void add_steps(const Comparison& of, Compared& out) {
  constexpr std::size_t kReasons = 5;
  out.old_steps = of.before;
  out.new_steps = of.after;
  out.ratio_of_steps = of.ratio;
  out.low = of.low;
  out.high = of.high;
  if (of.verdict) out.verdict = to_string(*of.verdict);
  if (of.by != StepsBy::nothing) out.steps_by = to_string(of.by);
  if (!of.marker.empty()) out.marker = of.marker;
  if (of.paired > 0) out.paired = of.paired;
  out.changes_of = of.by_step ? "step" : "recording";
  double all_ns = 0;
  for (const LaunchChange& change : of.changes) all_ns += change.change_ns();
  for (std::size_t i = 0; i < std::min(kReasons, of.changes.size()); ++i) {
    const LaunchChange& change = of.changes[i];
    if (change.change_ns() == 0) break;
    out.reasons.push_back(
        {change, all_ns == 0 ? std::nullopt : std::optional(change.change_ns() / all_ns)});
  }
}

Result<Document> run_compare(const CompareArgs& args, Inputs inputs) {
  const auto document = [&](const std::string& name) {
    return names_profile(inputs, name) || !document_schema_of(name).empty();
  };
  if (document(args.before) || document(args.after))
    return compare_profiles(inputs, args.before, args.after);
  const auto was_current = inputs.workspace.current();
  const std::string current = was_current ? (*was_current)->id() : "";
  // Opened before either is waited for, so that they are read beside each other.
  OpenTrace* const old_trace = TRY(side(inputs.workspace, args.before));
  OpenTrace* const new_trace = TRY(side(inputs.workspace, args.after));
  const auto old_recording = TRY(old_trace->get(inputs.monitor));
  const auto new_recording = TRY(new_trace->get(inputs.monitor));
  const Loaded before{old_trace, old_recording}, after{new_trace, new_recording};
  if (!current.empty()) TRY(inputs.workspace.select(current));
  const auto old_stats = TRY(stats_of(before));
  const auto new_stats = TRY(stats_of(after));
  std::vector<Pair> pairs = matched(before, *old_stats, after, *new_stats);
  std::ranges::stable_sort(pairs, [&](const Pair& a, const Pair& b) {
    return weight(a, args.sort) > weight(b, args.sort);
  });
  Document out;
  Compared fields{before.open->id(), after.open->id(), &old_stats->totals, &new_stats->totals};
  const Comparison comparison = TRY(compare_recordings(*before.trace, *after.trace));
  add_steps(comparison, fields);
  fields.old_ranks = TRY(of_ranks(*before.trace));
  fields.new_ranks = TRY(of_ranks(*after.trace));
  out.put(kCompareFields, fields);
  out.table(kPairOfTracesColumns, pairs);
  out.notes.emplace_back(
      fields.verdict
          ? "two recordings differ by noise too: `steps_are` holds for the steps of these two, not "
            "for the next ones"
          : "two recordings differ by noise too: a ratio is not a verdict");
  if (!comparison.why_no_marker.empty()) out.notes.push_back(comparison.why_no_marker);
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
              .does = kReads,
              .chapter = Class::analysis,
              .summary = "Compare two traces kernel by kernel, or two profile documents.",
              .help =
                  "Kernels are matched by their mangled names; what only one trace has shows no "
                  "calls on the other side. Where a loop repeats in both, their median steps are "
                  "compared, with an interval from how much steps differ within each recording. "
                  "Steps are ranges of markers of one name (step 1, step 2, …) that cover most of "
                  "both recordings, else rounds of kernels (info steps); ranges that have the same "
                  "numbers are compared pair by pair. Of the ranks of a distributed program that "
                  "have the same steps each step is the mean. "
                  "`reasons` are the five launch configurations that change most. "
                  "Ratios are after / before: below 1 is faster. The largest change comes first. "
                  "Two profile "
                  "documents (profile.json of this program or of the older tool) are compared "
                  "field by "
                  "field; an unknown major version is refused.",
              .fields = described(kCompareFields),
              .columns = described(kPairOfTracesColumns),
              .scalar = "gpu_time_ratio",
              .examples = {"compare TRACE TRACE"}},
          {arg("before", &CompareArgs::before,
               "first trace or profile document: a file, a folder of recordings, t1, prof1, part "
               "of a path")
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
