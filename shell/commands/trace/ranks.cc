// SPDX-License-Identifier: MIT
// ranks: what the ranks of a distributed program did between their collectives, and how long they waited in them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/graph/application/ranks.h"
#include "engine/graph/cluster/reduction.h"
#include "engine/trace/import/open.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/known_sessions.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

template <std::int64_t kTop>
struct RankArgs {
  std::string recording, target;
  std::int64_t top = kTop, of_task = 8;
};
using RanksArgs = RankArgs<16>;
using RankStepsArgs = RankArgs<20>;

/// The ranks of a recording that is open here, or of summaries of many.
struct Found {
  std::shared_ptr<const Trace> trace;           ///< keeps the entities
  std::unique_ptr<RanksOfSummaries> summaries;  ///< likewise
  const TraceEntities* entities = nullptr;
  Ranks ranks;
  std::int64_t begin_ns = 0;
  Provenance provenance = Provenance::recorded;
};

std::string text_of(const Found& found, const RankWork& rank) {
  return rank_text(*found.entities, rank.process, rank.agent);
}

Result<Found> found_on_cluster(const std::string& recording, std::int64_t of_task, Inputs inputs,
                               SessionLog& log) {
  if (recording.empty())
    return fail(Errc::usage, "no recordings were named for the nodes to read",
                "ranks FOLDER --target slurm");
  std::error_code ignored;
  const auto absolute = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  const Session* session = TRY(log.needed());
  cluster::Reduction reduction{.recordings = {},
                               .of_task = static_cast<std::size_t>(of_task),
                               .session = absolute(session->folder()),
                               .options = slurm_options(inputs.settings)};
  if (std::filesystem::is_directory(recording, ignored))
    reduction.recordings = TRY(recordings_in(absolute(recording)));
  else
    reduction.recordings = {absolute(recording)};
  Found out;
  out.summaries =
      std::make_unique<RanksOfSummaries>(ranks_of(TRY(cluster::reduce(reduction, inputs.monitor))));
  out.entities = &out.summaries->entities;
  out.ranks = out.summaries->ranks;
  out.begin_ns = out.summaries->begin_ns;
  out.provenance = out.summaries->modelled ? Provenance::modelled : Provenance::recorded;
  return out;
}

template <class Args>
Result<Found> found_for(const Args& args, Inputs inputs, SessionLog& log) {
  if (!args.target.empty()) return found_on_cluster(args.recording, args.of_task, inputs, log);
  if (!args.recording.empty()) TRY(open_in_passing(inputs, args.recording));
  const Loaded now = TRY(loaded_with_times(inputs));
  Found out;
  out.trace = now.trace;
  out.entities = &now.trace->entities();
  out.ranks = TRY(find_ranks(*now.trace));
  out.begin_ns = origin_of(*now.trace);
  out.provenance = provenance_of(*now.trace);
  return out;
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
    column<&RankRow::process, &Process::hostname>("hostname", "machine").if_room(),
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
    column<&RankStepRow::at_ns>("at_ns", "begin, from the beginning of the trace").if_room(),
    column<&RankStepRow::length_ns>("length_ns", "by the clock of the first rank"),
    column<&RankStepRow::imbalance>("imbalance", "most_work_ns / mean_work_ns - 1").in(Unit::share),
    column<&RankStepRow::step, &RankStep::mean_ns>("mean_work_ns",
                                                   "between collectives, the mean of all ranks"),
    column<&RankStepRow::step, &RankStep::most_ns>("most_work_ns", "of the slowest rank"),
    column<&RankStepRow::wait_ns>("wait_ns",
                                  "in its collectives for the last rank, the mean of all ranks; "
                                  "null where clocks do not compare"),
    column<&RankStepRow::slowest>("slowest", "the rank that works longest"));

RanksFacts facts_of(const Found& found) {
  const Ranks& of = found.ranks;
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
  if (of.straggler) facts.straggler = text_of(found, of.ranks[*of.straggler]);
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
Document document_of(const Found& found) {
  const Ranks& of = found.ranks;
  const RanksFacts facts = facts_of(found);
  Document out;
  out.put(kRanksFields, facts);
  out.heading = heading_of(facts, of);
  out.provenance = found.provenance;
  if (!of.why_none.empty()) {
    out.notes.push_back(of.why_none);
  } else if (!of.clocks_compare) {
    out.notes.emplace_back(
        "the clocks of the hosts do not compare: who waited for whom is not known, work between "
        "collectives is");
  }
  if (found.summaries)
    out.notes.insert(out.notes.end(), found.summaries->notes.begin(), found.summaries->notes.end());
  return out;
}

Result<Document> run_ranks(const RanksArgs& args, Inputs inputs, SessionLog& log) {
  const Found found = TRY(found_for(args, inputs, log));
  const Ranks& of = found.ranks;
  Document out = document_of(found);
  std::vector<RankRow> rows;
  for (const RankWork& rank : of.ranks)
    rows.push_back({&found.entities->processes[rank.process], &rank, &of});
  std::ranges::stable_sort(rows, std::greater(),
                           [](const RankRow& row) { return row.work->work_ns; });
  out.table(kRankColumns, rows, args.top);
  out.next = {"ranks steps", "info processes", "findings"};
  return out;
}

Result<Document> run_rank_steps(const RankStepsArgs& args, Inputs inputs, SessionLog& log) {
  const Found found = TRY(found_for(args, inputs, log));
  const Ranks& of = found.ranks;
  Document out = document_of(found);
  std::vector<RankStepRow> rows;
  for (const RankStep& step : of.steps) {
    rows.push_back({rows.size() + 1, step.start_ns - found.begin_ns, &step,
                    text_of(found, of.ranks[step.slowest]),
                    of.clocks_compare ? std::optional(step.wait_ns) : std::nullopt});
  }
  out.table(kRankStepColumns, rows, args.top);
  out.next = {"ranks", "timeline"};
  return out;
}

struct ReduceArgs {
  std::vector<std::string> recordings;
  std::string task;
  std::int64_t batch = 0;
};

struct Reduced {
  std::vector<RecordingSummary> recordings;

  [[nodiscard]] std::uint64_t collectives() const {
    std::uint64_t sum = 0;
    for (const RecordingSummary& recording : recordings) {
      for (const RankSummary& rank : recording.ranks) sum += rank.launches.size() + rank.left_out;
    }
    return sum;
  }
};
constexpr auto kReducedFields = bound_to<Reduced>(
    column<&Reduced::collectives>("collectives", "of all ranks").in(Unit::count),
    column<&Reduced::recordings>("recordings",
                                 "{path, wall_clock, agents, dispatches, first_ns, last_ns, "
                                 "begin_ns, modelled, processes, kernels, ranks}"));

Result<Document> run_reduce(const ReduceArgs& args, Inputs inputs) {
  Reduced reduced;
  if (args.task.empty()) {
    if (args.recordings.empty())
      return fail(Errc::usage, "no recording was named", "ranks reduce rank_0.db rank_1.db");
    reduced.recordings = TRY(cluster::summaries_of(args.recordings, inputs.monitor));
  } else {
    const std::filesystem::path folder(std::filesystem::absolute(args.task).lexically_normal());
    TRY(check_own_session(folder.parent_path().parent_path().string()));
    reduced.recordings = TRY(cluster::reduce_on_node(folder.string(), args.batch, inputs.monitor));
  }
  Document out;
  out.put(kReducedFields, reduced);
  out.provenance = Provenance::recorded;
  return out;
}

/// What both commands take.
template <class Args>
std::vector<Bound> rank_params(Bound top) {
  return {arg("recording", &Args::recording,
              "a recording, or a folder of one of each rank; default: the current trace")
              .completes(Complete::file),
          std::move(top),
          option("target", &Args::target,
                 "slurm: jobs of a cluster read the recordings where they lie (docs/slurm.md); "
                 "default: they are read here")
              .one_of({"slurm"})
              .needs({Capability::run}),
          option("of-task", &Args::of_task, "recordings that one task of the job reads")
              .in(within(1, 1024))};
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
                              "work comes first. Where the recordings are large, jobs of a "
                              "cluster can read them: `--target slurm`.",
                      .fields = described(kRanksFields),
                      .columns = described(kRankColumns),
                      .scalar = "imbalance",
                      .aliases = {"info ranks"},
                      .examples = {"ranks TRACE", "ranks TRACE --top 3"}},
              rank_params<RanksArgs>(
                  option("top", &RanksArgs::top, "ranks to show; 0 shows all").in(at_least(0))),
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
              rank_params<RankStepsArgs>(
                  option("top", &RankStepsArgs::top, "steps to show; 0 shows all").in(at_least(0))),
              run_rank_steps));
  add(registry,
      command(Command{.path = "ranks reduce",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "Reduce recordings of ranks to what `ranks` needs of them.",
                      .help = "What jobs of a cluster run for `ranks FOLDER --target slurm`; by "
                              "hand it shows why a recording cannot be read on a node. Of each "
                              "recording: its processes, and of each rank when its collectives "
                              "began and how long they took.",
                      .fields = described(kReducedFields),
                      .scalar = "collectives",
                      .examples = {"ranks reduce TRACE --json"}},
              {arg("recordings", &ReduceArgs::recordings, "recordings, each by itself")
                   .completes(Complete::file),
               option("task", &ReduceArgs::task,
                      "the folder of a reduction, whose recordings are read and where the summary "
                      "is written")
                   .needs({Capability::write}),
               option("batch", &ReduceArgs::batch,
                      "of a job array: SLURM_ARRAY_TASK_ID says which task of it")
                   .in(at_least(0))},
              run_reduce));
}

}  // namespace rpl
