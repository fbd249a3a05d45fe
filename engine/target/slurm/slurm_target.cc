// SPDX-License-Identifier: MIT
#include "engine/target/slurm/slurm_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/att/read/thread_trace.h"
#include "engine/target/slurm/ranks.h"
#include "engine/target/stability.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// What the `profile` of a rank says, or its error.
struct RankDocument {
  std::string schema, code, message, hint;
  std::optional<std::vector<std::string>> recording;
  std::optional<RunRecord> run;
  std::optional<profile::Stability> stability;
  std::optional<double> emulation_s;
};
constexpr auto kRankDocumentFields =
    bound_to<RankDocument>(column<&RankDocument::schema>("schema", "of the document"),
                           column<&RankDocument::code>("code", "of an error").or_null(),
                           column<&RankDocument::message>("message", "of an error").or_null(),
                           column<&RankDocument::hint>("hint", "of an error").or_null(),
                           column<&RankDocument::recording>("recording", "its databases"),
                           column<&RankDocument::run>("run", "how it ended"),
                           column<&RankDocument::stability>("stability", "its times"),
                           column<&RankDocument::emulation_s>("emulation_s", "of its kernels"));

/// One rank, with what is to be said of all.
struct RankResult {
  RankRun run;
  RankDocument document;
};

/// The rank's number in the name, whatever process of whatever node wrote it. Where the file system has no links the database stays where it is.
std::vector<std::string> collected(const std::string& folder, std::size_t number,
                                   const std::vector<std::string>& databases) {
  std::vector<std::string> out;
  for (const std::string& path : databases) {
    const std::string link =
        fmt::format("{}/rank_{}{}.db", folder, number,
                    out.empty() ? std::string() : fmt::format(".{}", out.size() + 1));
    std::error_code error;
    fs::remove(link, error);
    fs::create_hard_link(path, link, error);
    out.push_back(error ? path : link);
  }
  return out;
}

RankResult result_of(const std::string& folder, cluster::Rank rank) {
  RankResult out{.run = {.rank = rank.number,
                         .node = std::move(rank.node),
                         .job = std::move(rank.job),
                         .folder = std::move(rank.folder)},
                 .document = {}};
  if (rank.lost()) {
    out.run.reason = out.run.node.empty() ? "it never began" : "it ended without a result";
    return out;
  }
  auto document = from_value(kRankDocumentFields, rank.document, "result.json");
  if (!document) {
    out.run.state = "failed";
    out.run.reason = document.error().message;
    return out;
  }
  out.document = std::move(*document);
  out.run.state = rank.failed_itself() ? "failed" : "ok";
  out.run.reason = out.document.message;
  if (out.document.schema == "rpl.error/1" || !out.document.run) return out;
  out.run.databases =
      collected(folder, rank.number, out.document.recording.value_or(std::vector<std::string>()));
  out.run.exit_code = out.document.run->exit_code;
  if (rank.failed_itself())
    out.run.reason = fmt::format("the program ended with status {}", *out.run.exit_code);
  if (!out.document.run->failure.empty()) out.run.reason = out.document.run->failure;
  if (out.document.stability && !out.document.stability->samples.empty())
    out.run.runtime_ms = out.document.stability->samples.front();
  return out;
}

/// Without a database there is nothing to open: what the first rank said of it is the error.
Error nothing_of(const std::string& folder, const cluster::RanksOutcome& outcome,
                 const std::vector<RankResult>& ranks) {
  const std::string hint =
      fmt::format("{}/srun.txt and rank_0 beside it have what was printed", folder);
  const auto failed = std::ranges::find(
      ranks, "failed", [](const RankResult& one) -> std::string_view { return one.run.state; });
  if (failed != ranks.end()) {
    const RankDocument& said = failed->document;
    return {said.code.empty() ? Errc::io : errc_from_string(said.code),
            fmt::format("rank {}: {}", failed->run.rank, failed->run.reason),
            said.hint.empty() ? hint : said.hint};
  }
  if (outcome.out_of_time)
    return {Errc::timeout, "the job ran into its time limit before any rank had ended",
            "target slurm --time 01:00:00"};
  return {Errc::io,
          fmt::format("the job ended {} times without a result of any rank{}{}",
                      outcome.requeued + 1, outcome.said.empty() ? "" : ": ", outcome.said),
          hint};
}

/// Over all ranks, by run; as many runs as every rank that has any did.
std::vector<double> summed_ms(const std::vector<RankResult>& ranks) {
  std::vector<double> out;
  for (const RankResult& one : ranks) {
    if (!one.run.runtime_ms) continue;
    const std::vector<double>& samples = one.document.stability->samples;
    if (out.empty()) out.assign(samples.size(), 0);
    out.resize(std::min(out.size(), samples.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += samples[i];
  }
  return out;
}

/// Those of the first rank that has any; the others' are in their folders.
void take_traces(const std::vector<RankResult>& ranks, ProfileRun& out) {
  for (const RankResult& one : ranks) {
    out.thread_traces = att::find_traces(one.run.folder);
    if (out.thread_traces.empty()) continue;
    if (ranks.size() > 1)
      out.notes.push_back(fmt::format("the thread trace is that of rank {}", one.run.rank));
    return;
  }
}

void add_notes(const cluster::RanksOutcome& outcome, ProfileRun& out) {
  if (outcome.requeued > 0)
    out.notes.push_back(
        fmt::format("the job was lost and run again {}: srun.txt says why",
                    outcome.requeued == 1 ? "once" : fmt::format("{} times", outcome.requeued)));
  for (const RankRun& one : *out.record.ranks) {
    if (one.state != "ok")
      out.notes.push_back(fmt::format("rank {} {}: {}", one.rank, one.state, one.reason));
  }
  if (outcome.out_of_time) out.notes.emplace_back("the cluster ended the job at its time limit");
}

}  // namespace

Result<ProfileRun> SlurmTarget::profile(const ProfileRequest& request) {
  cluster::RanksOutcome outcome =
      TRY(cluster::run_ranks({.options = options_.slurm,
                              .name = "rpl-" + fs::path(request.argv.front()).filename().string(),
                              .ranks = options_.ranks,
                              .folder = request.folder,
                              .cwd = fs::current_path().string(),
                              .words = request.words,
                              .on_line = request.on_line}));
  std::vector<RankResult> ranks;
  for (cluster::Rank& rank : outcome.ranks)
    ranks.push_back(result_of(request.folder, std::move(rank)));
  const bool emulated = options_.runs_on == TargetKind::emu;
  ProfileRun out{.record = {.program = command_line(request.argv),
                            .code = request.code,
                            .target = TargetKind::slurm,
                            .processes = 0,
                            .folder = request.folder,
                            .runs_on = options_.runs_on,
                            .requeued = outcome.requeued,
                            .ranks = std::vector<RankRun>()},
                 .how = fmt::format("as a job of {} rank{} on Slurm{}", ranks.size(),
                                    ranks.size() == 1 ? "" : "s",
                                    emulated ? ", emulated: every time below is modelled" : ""),
                 .times = emulated ? Provenance::modelled : Provenance::recorded};
  RunRecord& record = out.record;
  if (emulated) record.devices = options_.devices;
  if (emulated) out.emulation_s = 0;
  for (const RankResult& one : ranks) {
    out.databases.insert(out.databases.end(), one.run.databases.begin(), one.run.databases.end());
    if (emulated) *out.emulation_s += one.document.emulation_s.value_or(0);
    if (record.gpu.empty() && one.document.run) record.gpu = one.document.run->gpu;
    if (record.failure.empty() && !one.run.reason.empty())
      record.failure = fmt::format("rank {}: {}", one.run.rank, one.run.reason);
    if (record.exit_code == 0)
      record.exit_code = one.run.exit_code.value_or(one.run.state == "ok" ? 0 : 1);
    record.complete = record.complete && one.run.state == "ok";
    record.ranks->push_back(one.run);
  }
  record.processes = out.databases.size();
  if (out.databases.empty()) out.nothing = nothing_of(request.folder, outcome, ranks);
  out.runtime_ms = summed_ms(ranks);
  out.failed = !record.complete;
  out.timed_out = outcome.out_of_time;
  take_traces(ranks, out);
  add_notes(outcome, out);
  note_untraced(request, out);
  return out;
}

}  // namespace rpl
