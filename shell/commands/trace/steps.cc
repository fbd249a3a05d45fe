// SPDX-License-Identifier: MIT
// steps: what repeats in a recording, and how evenly.
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "shell/commands/trace/steps_view.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct StepsArgs {
  std::int64_t top = 20;
};

std::string_view by_text(LoopSteps::By by) {
  switch (by) {
    case LoopSteps::By::markers:
      return "markers";
    case LoopSteps::By::kernels:
      return "kernels";
    case LoopSteps::By::nothing:
      break;
  }
  return "nothing";
}

/// Gaps between two kernels, as a row of a field.
struct GroupRow {
  const Kernel *before = nullptr, *after = nullptr;
  std::uint64_t count = 0;
  std::int64_t total_ns = 0, median_ns = 0;
};

constexpr auto kGroupColumns = bound_to<GroupRow>(
    column<&GroupRow::before, &Kernel::id>("before", "kernel that ended; null for a copy")
        .as(Type::id),
    column<&GroupRow::after, &Kernel::id>("after", "kernel that began; null for a copy")
        .as(Type::id),
    column<&GroupRow::count>("count", "gaps"), column<&GroupRow::total_ns>("total_ns", "their sum"),
    column<&GroupRow::median_ns>("median_ns", "the middle one"));
Columns<GroupRow> bound(const GroupRow* /*of*/) { return kGroupColumns; }

struct StepsFacts {
  std::uint64_t steps = 0;
  std::string_view by;
  std::optional<std::string> marker, stream;
  const Kernel* anchor = nullptr;
  std::optional<std::uint32_t> kernels;
  std::optional<std::int64_t> median_ns;
  std::optional<double> idle;
  std::uint64_t warm = 0;
  std::vector<GroupRow> rhythm, others;
};

constexpr auto kStepsFields = bound_to<StepsFacts>(
    column<&StepsFacts::steps>("steps", "how many; 0 where nothing repeats"),
    column<&StepsFacts::by>("by", "what shows them: markers, kernels or nothing"),
    column<&StepsFacts::marker>("marker", "the ranges, with # for their numbers"),
    column<&StepsFacts::stream>("stream", "in which kernels repeat"),
    column<&StepsFacts::anchor, &Kernel::id>("begun_by", "the kernel that begins a step")
        .as(Type::id),
    column<&StepsFacts::kernels>("kernels", "of a step in that stream, the median"),
    column<&StepsFacts::median_ns>("median_ns", "of a step"),
    column<&StepsFacts::idle>("idle_share", "of the even steps, in which nothing ran")
        .in(Unit::share),
    column<&StepsFacts::warm>("warm", "steps before they run evenly").in(Unit::count),
    column<&StepsFacts::rhythm>("rhythm",
                                "gaps at the same place of most steps: {before, after, count, "
                                "total_ns, median_ns}")
        .never(),
    column<&StepsFacts::others>("others", "the ten largest groups of other gaps, likewise")
        .never());

struct StepRow {
  std::uint64_t number = 0;
  std::int64_t at_ns = 0, length_ns = 0, idle_ns = 0, longest_gap_ns = 0;
  double idle = 0;
  std::optional<double> times_median;
  std::uint64_t operations = 0;
};

constexpr auto kStepColumns = bound_to<StepRow>(
    column<&StepRow::number>("step", "1 is the first").in(Unit::none),
    column<&StepRow::at_ns>("at_ns", "begin, from the beginning of the trace"),
    column<&StepRow::length_ns>("length_ns", "to the next step"),
    column<&StepRow::times_median>("times_median", "length_ns / that of the median step")
        .in(Unit::ratio),
    column<&StepRow::idle_ns>("idle_ns", "of that, nothing ran"),
    column<&StepRow::idle>("idle_share", "idle_ns / length_ns").in(Unit::share),
    column<&StepRow::longest_gap_ns>("longest_gap_ns",
                                     "the longest gap that begins in it; 0 before steps run evenly")
        .if_room(),
    column<&StepRow::operations>("operations", "dispatches and copies of all streams"));

std::vector<GroupRow> rows_of(const Graph& graph, const std::vector<GapGroup>& groups) {
  constexpr std::size_t kMost = 10;
  std::vector<GroupRow> out;
  const auto kernel = [&](std::uint32_t index) {
    return index == kNone ? nullptr : &graph.trace().kernels()[index];
  };
  for (std::size_t i = 0; i < std::min(kMost, groups.size()); ++i)
    out.push_back({kernel(groups[i].before), kernel(groups[i].after), groups[i].count,
                   groups[i].total_ns, groups[i].median_ns});
  return out;
}

Result<Document> run_steps(const StepsArgs& args, Inputs inputs, Screen screen) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  const LoopSteps steps = TRY(steps_of(inputs, now));
  StepsFacts facts;
  facts.steps = steps.steps.size();
  facts.by = by_text(steps.by);
  if (!steps.marker.empty()) facts.marker = steps.marker;
  if (steps.by == LoopSteps::By::kernels) {
    facts.stream = entity_id('s', steps.stream);
    facts.anchor = &now.trace->kernels()[steps.anchor];
    facts.kernels = steps.kernels;
  }
  if (steps.found()) facts.median_ns = steps.median_ns;
  facts.idle = idle_share(steps);
  facts.warm = steps.warm;
  facts.rhythm = rows_of(*graph, steps.rhythm);
  facts.others = rows_of(*graph, steps.others);
  Document out;
  out.put(kStepsFields, facts);
  std::vector<StepRow> rows;
  for (const LoopStep& step : steps.steps) {
    const std::int64_t length = step.end_ns - step.start_ns;
    StepRow& row = rows.emplace_back();
    row.number = rows.size();
    row.at_ns = step.start_ns - graph->span_ns().first;
    row.length_ns = length;
    row.idle_ns = step.idle_ns();
    row.idle = share_of(step.idle_ns(), length);
    row.longest_gap_ns = step.longest_gap_ns;
    row.operations = step.operations;
    if (steps.median_ns > 0)
      row.times_median = static_cast<double>(length) / static_cast<double>(steps.median_ns);
  }
  out.table(kStepColumns, rows, args.top);
  out.heading = steps_text(*graph, steps, screen.width);
  if (!steps.found())
    out.notes.emplace_back(
        "no kernel comes at even distances over half of its stream, and no ranges of markers bear "
        "one name: mark the steps with roctxRangePush and record --marker-trace");
  out.provenance = provenance_of(*now.trace);
  out.next = {"gaps", "findings", "timeline"};
  return out;
}

}  // namespace

void add_steps_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "steps",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show the steps of a loop: how long each takes, and where it idles.",
                  .help =
                      "Steps are ranges of markers that bear one name but for its numbers; without "
                      "them, what lies between the dispatches of a kernel that comes at even "
                      "distances in the stream with most dispatches. `warm` counts the steps that "
                      "take more than twice the median at the beginning. The heading says which "
                      "gaps come back in most steps, what runs before and after them, and where "
                      "the rest of the idle time lies.",
                  .fields = described(kStepsFields),
                  .columns = described(kStepColumns),
                  .scalar = "median_ns",
                  .aliases = {"info steps"},
                  .examples = {"steps TRACE", "steps TRACE --top 3"}},
          {option("top", &StepsArgs::top, "steps to show; 0 shows all").in(at_least(0))},
          run_steps));
}

}  // namespace rpl
