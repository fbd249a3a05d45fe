// SPDX-License-Identifier: MIT
// ranks: what the ranks of a distributed program did between their collectives, and how long they waited in them.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/graph/application/ranks.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

struct RanksArgs {
  std::int64_t top = 16;
};

struct RankStepsArgs {
  std::int64_t top = 20;
};

std::string text_of(const Trace& trace, const RankWork& rank) {
  return rank_text(trace.entities(), rank.process, rank.agent);
}

struct RanksFacts {
  std::uint64_t ranks = 0, collectives = 0, of_step = 0, steps = 0;
  bool compare = false;
  std::optional<std::int64_t> step_ns;
  std::optional<double> imbalance, wait_share;
  std::optional<std::string> straggler;
};

constexpr auto kRanksFields = bound_to<RanksFacts>(
    column<&RanksFacts::ranks>("ranks", "processes and devices that have collectives"),
    column<&RanksFacts::collectives>("collectives", "of each rank"),
    column<&RanksFacts::of_step>("collectives_of_step", "after which their launches come again")
        .in(Unit::count),
    column<&RanksFacts::steps>("steps", "that are known from end to end"),
    column<&RanksFacts::step_ns>("step_ns", "length of the median step"),
    column<&RanksFacts::imbalance>("imbalance",
                                   "by which the slowest rank works longer than the mean, the "
                                   "median over steps")
        .in(Unit::share),
    column<&RanksFacts::wait_share>("wait_share",
                                    "of the time of all ranks, in collectives that some rank had "
                                    "not begun; null where clocks do not compare")
        .in(Unit::share),
    column<&RanksFacts::straggler>("straggler",
                                   "the rank that works longest in three fifths of the steps or "
                                   "more; null: none"),
    column<&RanksFacts::compare>("clocks_compare", "times of all ranks can be compared").never());

struct RankRow {
  const Process* process = nullptr;
  const RankWork* work = nullptr;
  const Ranks* of = nullptr;

  [[nodiscard]] std::optional<std::int64_t> rank() const {
    return process->rank < 0 ? std::nullopt : std::optional(process->rank);
  }
  [[nodiscard]] std::optional<std::string> agent() const { return entity_id('a', work->agent); }
  [[nodiscard]] std::optional<double> slowest() const {
    if (of->steps.empty()) return std::nullopt;
    return static_cast<double>(work->slowest) / static_cast<double>(of->steps.size());
  }
  [[nodiscard]] std::optional<double> last() const {
    if (!of->clocks_compare || of->collectives == 0) return std::nullopt;
    return static_cast<double>(work->last) / static_cast<double>(of->collectives);
  }
  [[nodiscard]] std::optional<std::int64_t> wait_ns() const {
    return of->clocks_compare ? std::optional(work->wait_ns) : std::nullopt;
  }
};

constexpr auto kRankColumns = bound_to<RankRow>(
    column<&RankRow::rank>("rank", "null: not recorded").in(Unit::none).if_room(),
    column<&RankRow::process, &Process::pid>("pid", "its process").in(Unit::none),
    column<&RankRow::process, &Process::hostname>("hostname", "machine"),
    column<&RankRow::agent>("agent", "its device").as(Type::id),
    column<&RankRow::work, &RankWork::work_ns>("work_ns", "between collectives, all together"),
    column<&RankRow::work, &RankWork::collective_ns>("collective_ns", "in collectives"),
    column<&RankRow::wait_ns>("wait_ns",
                              "of that, before the last rank had begun; null where clocks do not "
                              "compare"),
    column<&RankRow::slowest>("slowest_share", "of the steps in which it works longest")
        .in(Unit::share),
    column<&RankRow::last>("last_share", "of the collectives that it begins last; null likewise")
        .in(Unit::share));

struct RankStepRow {
  std::uint64_t number = 0;
  std::int64_t at_ns = 0;
  const RankStep* step = nullptr;
  std::string slowest;
  std::optional<std::int64_t> wait_ns;

  [[nodiscard]] std::int64_t length_ns() const { return step->end_ns - step->start_ns; }
  [[nodiscard]] double imbalance() const { return step->imbalance(); }
};

constexpr auto kRankStepColumns = bound_to<RankStepRow>(
    column<&RankStepRow::number>("step", "1 is the first that is known from end to end")
        .in(Unit::none),
    column<&RankStepRow::at_ns>("at_ns", "begin, from the beginning of the trace"),
    column<&RankStepRow::length_ns>("length_ns", "by the clock of the first rank"),
    column<&RankStepRow::imbalance>("imbalance", "most_work_ns / mean_work_ns - 1").in(Unit::share),
    column<&RankStepRow::step, &RankStep::mean_ns>("mean_work_ns",
                                                   "between collectives, the mean of all ranks"),
    column<&RankStepRow::step, &RankStep::most_ns>("most_work_ns", "of the slowest rank"),
    column<&RankStepRow::wait_ns>("wait_ns",
                                  "in its collectives for the last rank, the mean of all ranks; "
                                  "null where clocks do not compare"),
    column<&RankStepRow::slowest>("slowest", "the rank that works longest"));

RanksFacts facts_of(const Trace& trace, const Ranks& of) {
  RanksFacts facts;
  facts.ranks = of.ranks.size();
  facts.collectives = of.collectives;
  facts.of_step = of.of_step;
  facts.steps = of.steps.size();
  facts.compare = of.clocks_compare;
  const RanksSummary summary = summary_of(of);
  facts.step_ns = summary.step_ns;
  facts.imbalance = summary.imbalance;
  facts.wait_share = summary.wait_share;
  if (of.straggler) facts.straggler = text_of(trace, of.ranks[*of.straggler]);
  return facts;
}

std::string heading_of(const RanksFacts& facts, const Ranks& of) {
  constexpr double kPercent = 100;
  if (!of.why_none.empty()) return "there are no steps of ranks\n";
  std::string out = fmt::format("{} ranks, {} collectives of each, {} of a step", facts.ranks,
                                facts.collectives, facts.of_step);
  if (facts.step_ns) {
    out += fmt::format("; {} steps of {}, the slowest rank works {:.1f} % longer than the mean",
                       facts.steps, format_ns(*facts.step_ns), *facts.imbalance * kPercent);
  }
  if (facts.wait_share)
    out += fmt::format("; {:.1f} % of the time is waiting in collectives",
                       *facts.wait_share * kPercent);
  if (facts.straggler)
    out += fmt::format("\nstraggler: {}, the slowest in {} of {} steps", *facts.straggler,
                       of.ranks[*of.straggler].slowest, of.steps.size());
  return out + "\n";
}

/// What both commands say of all ranks.
Document document_of(const Trace& trace, const Ranks& of) {
  const RanksFacts facts = facts_of(trace, of);
  Document out;
  out.put(kRanksFields, facts);
  out.heading = heading_of(facts, of);
  out.provenance = provenance_of(trace);
  if (!of.why_none.empty()) {
    out.notes.push_back(of.why_none);
  } else if (!of.clocks_compare) {
    out.notes.emplace_back(
        "the clocks of the hosts do not compare: who waited for whom is not known, work between "
        "collectives is");
  }
  return out;
}

Result<Document> run_ranks(const RanksArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const Ranks of = TRY(find_ranks(*now.trace));
  Document out = document_of(*now.trace, of);
  std::vector<RankRow> rows;
  for (const RankWork& rank : of.ranks)
    rows.push_back({&now.trace->entities().processes[rank.process], &rank, &of});
  std::ranges::stable_sort(rows, std::greater(),
                           [](const RankRow& row) { return row.work->work_ns; });
  out.table(kRankColumns, rows, args.top);
  out.next = {"ranks steps", "info processes", "findings"};
  return out;
}

Result<Document> run_rank_steps(const RankStepsArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const Ranks of = TRY(find_ranks(*now.trace));
  Document out = document_of(*now.trace, of);
  std::vector<RankStepRow> rows;
  for (const RankStep& step : of.steps) {
    rows.push_back({rows.size() + 1, step.start_ns - origin_of(*now.trace), &step,
                    text_of(*now.trace, of.ranks[step.slowest]),
                    of.clocks_compare ? std::optional(step.wait_ns) : std::nullopt});
  }
  out.table(kRankStepColumns, rows, args.top);
  out.next = {"ranks", "timeline"};
  return out;
}

}  // namespace

void add_ranks_commands(Registry& registry) {
  add(registry,
      command(Command{.path = "ranks",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "Show which rank of a distributed program the others wait for.",
                      .help = "The n-th collective of each rank is one. What lies between two of "
                              "them is a rank's work; a step is what comes again and again. A rank "
                              "waits in a collective until the last one has begun it. Where the "
                              "clocks of several hosts could not be aligned (info warnings), waits "
                              "are not known, and the work is all the same. The rank with most "
                              "work comes first.",
                      .fields = described(kRanksFields),
                      .columns = described(kRankColumns),
                      .scalar = "imbalance",
                      .aliases = {"info ranks"},
                      .examples = {"ranks TRACE", "ranks TRACE --top 3"}},
              {option("top", &RanksArgs::top, "ranks to show; 0 shows all").in(at_least(0))},
              run_ranks));
  add(registry,
      command(Command{.path = "ranks steps",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "Show how evenly work lies on ranks, step by step.",
                      .help = "Of each step of a distributed program: how long it takes, which "
                              "rank works longest, by how much longer than the mean, and how long "
                              "ranks wait in its collectives.",
                      .fields = described(kRanksFields),
                      .columns = described(kRankStepColumns),
                      .scalar = "imbalance",
                      .examples = {"ranks steps TRACE", "ranks steps TRACE --top 3"}},
              {option("top", &RankStepsArgs::top, "steps to show; 0 shows all").in(at_least(0))},
              run_rank_steps));
}

}  // namespace rpl
