// SPDX-License-Identifier: MIT
// profile on a Slurm cluster: the program as one job, a database from each rank, merged into one trace.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/base/units.h"
#include "engine/target/slurm/ranks.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/overview.h"
#include "shell/core/inputs/slurm_settings.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr double kRankNsPerMs = 1e6;

/// What a rank's `profile` says of it.
struct RankResult {
  cluster::Rank rank;
  std::vector<double> runtime_ms;      ///< by run
  std::vector<std::string> databases;  ///< FOLDER/rank_N.db, rank_N.2.db …
  std::string state = "lost", reason, gpu;
  std::optional<std::int64_t> exit_code;
  double emulation_s = 0;
};

const Value* at(const Value& value, std::initializer_list<const char*> path) {
  const Value* out = &value;
  for (const char* name : path) out = out == nullptr ? nullptr : out->find(name);
  return out;
}

std::string text_at(const Value& value, std::initializer_list<const char*> path) {
  const Value* found = at(value, path);
  const auto* text = found == nullptr ? nullptr : found->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

/// The rank's number in the name, whatever process of whatever node wrote it. Where the file system has no links the database stays where it is.
std::vector<std::string> collected(const ProfilePlan& plan, const cluster::Rank& rank) {
  std::vector<std::string> out;
  const Value* recording = at(rank.document, {"recording"});
  const List* paths = recording == nullptr ? nullptr : recording->as<List>();
  for (std::size_t i = 0; paths != nullptr && i < paths->size(); ++i) {
    const auto* path = (*paths)[i].as<std::string>();
    if (path == nullptr) continue;
    const std::string link = fmt::format("{}/rank_{}{}.db", plan.folder, rank.number,
                                         i == 0 ? std::string() : fmt::format(".{}", i + 1));
    std::error_code error;
    fs::remove(link, error);
    fs::create_hard_link(*path, link, error);
    out.push_back(error ? *path : link);
  }
  return out;
}

RankResult result_of(const ProfilePlan& plan, cluster::Rank rank) {
  RankResult out;
  if (rank.lost()) {
    out.reason = rank.node.empty() ? "it never began" : "it ended without a result";
  } else if (text_at(rank.document, {"schema"}) == "rpl.error/1") {
    out.state = "failed";
    out.reason = text_at(rank.document, {"message"});
  } else {
    out.databases = collected(plan, rank);
    out.state = rank.failed_itself() ? "failed" : "ok";
    out.gpu = text_at(rank.document, {"run", "gpu"});
    const Value* code = at(rank.document, {"run", "exit_code"});
    if (code != nullptr && code->number())
      out.exit_code = static_cast<std::int64_t>(*code->number());
    if (rank.failed_itself())
      out.reason = fmt::format("the program ended with status {}", out.exit_code.value_or(-1));
    if (const std::string failure = text_at(rank.document, {"run", "failure"}); !failure.empty())
      out.reason = failure;
    const Value* samples = at(rank.document, {"stability", "samples_ms"});
    const List* list = samples == nullptr ? nullptr : samples->as<List>();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
      out.runtime_ms.push_back((*list)[i].number().value_or(0));
    const Value* emulated = at(rank.document, {"emulation_s"});
    out.emulation_s = emulated == nullptr ? 0 : emulated->number().value_or(0);
  }
  out.rank = std::move(rank);
  return out;
}

/// What the `profile` of each rank is typed.
std::vector<std::string> rank_words(const ProfileRunArgs& args, const ProfilePlan& plan) {
  std::vector<std::string> out{"--target", std::string(to_string(plan.runs_on))};
  const auto text = [&](const char* option, const std::string& value) {
    if (!value.empty()) out.insert(out.end(), {option, value});
  };
  const auto flag = [&](const char* option, bool set) {
    if (set) out.emplace_back(option);
  };
  if (plan.runs_on == TargetKind::emu) {
    text("--gpu", plan.gpu);
    text("--devices", std::to_string(plan.devices));
  }
  text("--runs", std::to_string(plan.runs));
  text("--timeout", std::to_string(args.timeout_s));
  text("--counters", args.counters);
  text("--att", args.att);
  text("--pc-sampling", args.pc_sampling);
  flag("--roofline", args.roofline);
  flag("--deep-analysis", args.deep_analysis);
  flag("--focus-critical", args.focus_critical);
  flag("--debug", args.debug);
  flag("--quiet", !plan.on_line);
  out.emplace_back("--");
  out.insert(out.end(), plan.argv.begin(), plan.argv.end());
  return out;
}

struct RanksFound {
  std::vector<RankResult> ranks;
  std::int64_t requeued = 0;
  bool out_of_time = false;
  std::string said;

  [[nodiscard]] std::size_t count(std::string_view state) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(ranks, [&](const RankResult& one) { return one.state == state; }));
  }
};

/// Without a database there is nothing to open: what the first rank said of it is the error.
Failure nothing_of(const ProfilePlan& plan, const RanksFound& found) {
  const std::string hint =
      fmt::format("{}/srun.txt and rank_0 beside it have what was printed", plan.folder);
  for (const RankResult& one : found.ranks) {
    if (one.state != "failed") continue;
    const std::string code = text_at(one.rank.document, {"code"}),
                      way_on = text_at(one.rank.document, {"hint"});
    return fail(code.empty() ? Errc::io : errc_from_string(code),
                fmt::format("rank {}: {}", one.rank.number, one.reason),
                way_on.empty() ? hint : way_on);
  }
  if (found.out_of_time)
    return fail(Errc::timeout, "the job ran into its time limit before any rank had ended",
                "target slurm --time 01:00:00");
  return fail(Errc::io,
              fmt::format("the job ended {} times without a result of any rank{}{}",
                          found.requeued + 1, found.said.empty() ? "" : ": ", found.said),
              hint);
}

Result<RanksFound> run_as_job(Context& context, const ProfileRunArgs& args,
                              const ProfilePlan& plan) {
  cluster::RanksRequest request{.options = slurm_options(context.settings()),
                                .name = "rpl-" + fs::path(plan.argv.front()).filename().string(),
                                .ranks = plan.ranks,
                                .folder = plan.folder,
                                .cwd = fs::current_path().string(),
                                .words = rank_words(args, plan)};
  if (plan.on_line)
    request.on_line = [&](OutputStream stream, std::string_view line) {
      plan.on_line(stream, line);
    };
  cluster::RanksOutcome outcome = TRY(cluster::run_ranks(request));
  RanksFound out{.ranks = {},
                 .requeued = outcome.requeued,
                 .out_of_time = outcome.out_of_time,
                 .said = outcome.said};
  for (cluster::Rank& rank : outcome.ranks) out.ranks.push_back(result_of(plan, std::move(rank)));
  return out;
}

/// Over all ranks, by run; as many runs as every rank that has any did.
std::vector<double> summed_ms(const RanksFound& found) {
  std::vector<double> out;
  bool first = true;
  for (const RankResult& one : found.ranks) {
    if (one.runtime_ms.empty()) continue;
    if (first) out.assign(one.runtime_ms.size(), 0);
    first = false;
    out.resize(std::min(out.size(), one.runtime_ms.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += one.runtime_ms[i];
  }
  return out;
}

List rank_records(const RanksFound& found) {
  List out;
  for (const RankResult& one : found.ranks) {
    const bool timed = !one.runtime_ms.empty();
    out.emplace_back(Record{{"rank", Value(std::uint64_t{one.rank.number})},
                            {"node", Value::known(one.rank.node)},
                            {"job", Value::known(one.rank.job)},
                            {"state", Value(one.state)},
                            {"reason", Value::known(one.reason)},
                            {"exit_code", Value(one.exit_code)},
                            {"runtime_ms", timed ? Value(one.runtime_ms.front()) : Value()},
                            {"databases", Value(List(one.databases.begin(), one.databases.end()))},
                            {"folder", Value(one.rank.folder)}});
  }
  return out;
}

Value slurm_run_record(const ProfilePlan& plan, const RanksFound& found) {
  std::size_t processes = 0;
  std::string gpu, failure;
  std::int64_t exit_code = 0;
  for (const RankResult& one : found.ranks) {
    processes += one.databases.size();
    if (gpu.empty()) gpu = one.gpu;
    if (failure.empty() && !one.reason.empty())
      failure = fmt::format("rank {}: {}", one.rank.number, one.reason);
    if (exit_code == 0) exit_code = one.exit_code.value_or(one.state == "ok" ? 0 : 1);
  }
  return Value(Record{{"program", Value(command_line(plan.argv))},
                      {"code", Value::known(plan.code)},
                      {"target", Value("slurm")},
                      {"gpu", Value::known(gpu)},
                      {"devices", plan.runs_on == TargetKind::emu ? Value(plan.devices) : Value()},
                      {"processes", Value(std::uint64_t{processes})},
                      {"folder", Value(plan.folder)},
                      {"exit_code", Value(exit_code)},
                      {"complete", Value(found.count("ok") == found.ranks.size())},
                      {"failure", Value::known(failure)},
                      {"refused", Value(List{})},
                      {"runs_on", Value(to_string(plan.runs_on))},
                      {"requeued", Value(found.requeued)},
                      {"ranks", Value(rank_records(found))}});
}

void add_rank_notes(const RanksFound& found, Document& out) {
  if (found.requeued > 0)
    out.notes.push_back(
        fmt::format("the job was lost and run again {}: srun.txt says why",
                    found.requeued == 1 ? "once" : fmt::format("{} times", found.requeued)));
  for (const RankResult& one : found.ranks) {
    if (one.state != "ok")
      out.notes.push_back(fmt::format("rank {} {}: {}", one.rank.number, one.state, one.reason));
  }
  if (found.out_of_time) out.notes.emplace_back("the cluster ended the job at its time limit");
  const bool whole = found.count("ok") == found.ranks.size();
  if (!whole) out.exit_code = found.out_of_time ? exit_status(Errc::timeout) : 1;
}

std::string rank_lines(const ProfilePlan& plan, const RanksFound& found) {
  std::string out;
  for (const RankResult& one : found.ranks) {
    std::vector<std::string> names;
    for (const std::string& path : one.databases)
      names.push_back(fs::path(path).lexically_relative(plan.folder).string());
    const std::string time =
        one.runtime_ms.empty() ? "-" : format_ns(one.runtime_ms.front() * kRankNsPerMs);
    out += fmt::format("  rank {:<4} {:<10} {:<6} {:>10}  {}\n", one.rank.number,
                       one.rank.node.empty() ? "-" : one.rank.node, one.state, time,
                       fmt::join(names, " "));
  }
  return out;
}

Result<std::string> slurm_screen(const ProfilePlan& plan, const RanksFound& found,
                                 const std::vector<double>& runtime_ms, const std::string& findings,
                                 const Loaded& now) {
  const auto stats = TRY(stats_of(now));
  std::string text = fmt::format(
      "ran {} as a job of {} rank{} on Slurm{}\n", command_line(plan.argv), found.ranks.size(),
      found.ranks.size() == 1 ? "" : "s",
      plan.runs_on == TargetKind::emu ? ", emulated: every time below is modelled" : "");
  text += fmt::format("{}: {}\n", now.open->id(), one_line(overview_of(*now.trace, *stats)));
  text += kernel_lines(now, *stats) + rank_lines(plan, found);
  if (runtime_ms.size() > 1) text += stability_line(runtime_ms) + "\n";
  text += findings;
  return text +
         fmt::format(
             "wrote {}: profile.json roofline.json dag.json analysis.json, and the databases",
             plan.folder);
}

/// Those of the first rank that has any; the others' are in their folders.
bool opened_traces(Context& context, const ProfileRunArgs& args, const RanksFound& found,
                   Document& out) {
  if (args.att.empty() && !args.deep_analysis) return false;
  for (const RankResult& one : found.ranks) {
    if (const auto traces = open_thread_traces(context, one.rank.folder);
        !traces || traces->empty())
      continue;
    if (found.ranks.size() > 1)
      out.notes.push_back(fmt::format("the thread trace is that of rank {}", one.rank.number));
    return true;
  }
  return false;
}

}  // namespace

Result<Document> profile_slurm(Context& context, const ProfileRunArgs& args,
                               const ProfilePlan& plan) {
  if (!args.rocprof) TRY(require(plan.target, Ability::host_time));
  const RanksFound found = TRY(run_as_job(context, args, plan));
  std::vector<std::string> databases;
  double emulation_s = 0;
  for (const RankResult& one : found.ranks) {
    databases.insert(databases.end(), one.databases.begin(), one.databases.end());
    emulation_s += one.emulation_s;
  }
  if (databases.empty()) return nothing_of(plan, found);
  link_recording(plan.folder, databases.front());
  TRY(open_recordings(context, databases));
  Document said;
  const bool traced = opened_traces(context, args, found, said);
  RooflineArgs analysis;
  static_cast<HardwareArgs&>(analysis) = args;
  Document out = TRY(profile_of_trace(context, analysis, args.focus_critical));
  const std::vector<double> runtime_ms = summed_ms(found);
  set_stability(runtime_ms, out, plan.runs_on == TargetKind::emu);
  out.set("run", slurm_run_record(plan, found));
  out.notes.insert(out.notes.end(), said.notes.begin(), said.notes.end());
  add_rank_notes(found, out);
  note_untraced(args, traced, out);
  TRY(write_profile_documents(context, analysis, plan, out));
  if (plan.runs_on == TargetKind::emu) out.set("emulation_s", emulation_s);
  out.text = TRY(slurm_screen(plan, found, runtime_ms,
                              findings_text(args, out, traced, canvas_of(context).width),
                              TRY(loaded(context))));
  out.next = {"critpath", "info kernels", "classify", "timeline"};
  return out;
}

}  // namespace rpl
