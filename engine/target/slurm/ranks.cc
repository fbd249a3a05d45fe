// SPDX-License-Identifier: MIT
#include "engine/target/slurm/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/document/json.h"
#include "engine/process/run.h"

namespace rpl::cluster {
namespace {

namespace fs = std::filesystem;

/// What each task runs: the folder, this program and the words of `profile` are its arguments. The result is complete or no JSON. A session of its own, for
/// the ranks must not write to one database at once.
constexpr const char* kRankScript =
    R"(d="$1/rank_${SLURM_PROCID:?}"; p="$2"; shift 2; mkdir -p "$d" || exit 1; printf '%s %s\n' "$SLURMD_NODENAME" "$SLURM_JOB_ID" >"$d/where.txt"
exec "$p" profile --json --session "$d/session" --output "$d" "$@" >"$d/result.json")";

/// Each job has ranks of its own: tasks of one that is lost may still run on a node that does not answer, and write.
std::string folder_of(const RanksRequest& request, std::int64_t requeued) {
  return requeued == 0 ? request.folder : fmt::format("{}/again_{}", request.folder, requeued);
}

Rank read_rank(const std::string& folder, std::size_t number) {
  Rank out{.number = number,
           .folder = fmt::format("{}/rank_{}", folder, number),
           .node = {},
           .job = {},
           .document = {}};
  if (const auto text = read_text_file(out.folder + "/where.txt")) {
    const std::size_t space = std::min(text->find(' '), text->size());
    out.node = text->substr(0, space);
    out.job = text->substr(std::min(space + 1, text->size()),
                           text->find('\n') - std::min(space + 1, text->size()));
  }
  if (const auto text = read_text_file(out.folder + "/result.json")) {
    if (auto document = parse_json(*text); document && document->find("schema") != nullptr)
      out.document = std::move(*document);
  }
  return out;
}

std::vector<Rank> read_ranks(const RanksRequest& request, std::int64_t requeued) {
  std::vector<Rank> out;
  for (std::size_t i = 0; i < request.ranks; ++i)
    out.push_back(read_rank(folder_of(request, requeued), i));
  return out;
}

/// Whether srun speaks of an end from outside: scancel, a node gone, the time limit.
bool ended_from_outside(const std::string& said) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"CANCELLED AT", "Node failure", "Force Terminated"},
      [&](const char* words) { return said.find(words) != std::string::npos; });
}

/// A rank whose program, or whose rpl, died of the signal with which Slurm ends jobs.
bool was_stopped(const Rank& rank) {
  const Value* code = rank.document.find("code");
  if (code != nullptr && *code == Value(to_string(Errc::interrupted))) return true;
  const Value* run = rank.document.find("run");
  const Value* status = run == nullptr ? nullptr : run->find("exit_code");
  const double ended = status == nullptr ? 0 : status->number().value_or(0);
  constexpr int kSignalled = 128;
  return ended == kSignalled + SIGINT || ended == kSignalled + SIGTERM ||
         ended == kSignalled + SIGKILL;
}

std::size_t lost_among(const std::vector<Rank>& ranks) {
  return static_cast<std::size_t>(std::ranges::count_if(ranks, &Rank::lost));
}

}  // namespace

bool Rank::failed_itself() const {
  if (document.is_null()) return false;
  const Value* schema = document.find("schema");
  if (schema != nullptr && *schema == Value("rpl.error/1")) return true;
  const Value* run = document.find("run");
  const Value* code = run == nullptr ? nullptr : run->find("exit_code");
  return code != nullptr && code->number().value_or(0) != 0;
}

std::vector<std::string> srun_line(const RanksRequest& request, std::int64_t requeued) {
  std::vector<std::string> line{"srun", "--job-name=" + request.name};
  if (request.ranks > 1) line.emplace_back("--label");
  if (!request.cwd.empty()) line.push_back("--chdir=" + request.cwd);
  add_resources(request.options, request.ranks, line);
  for (const std::string& word :
       {std::string("/bin/sh"), std::string("-c"), std::string(kRankScript),
        std::string("rpl-rank"), folder_of(request, requeued), request.options.program})
    line.push_back(word);
  line.insert(line.end(), request.words.begin(), request.words.end());
  return line;
}

Result<RanksOutcome> run_ranks(const RanksRequest& request) {
  TRY(make_folder(request.folder));
  TRY(needs("srun"));
  RanksOutcome out;
  std::string log;
  while (true) {
    TRY(interrupt::check());
    const Exit exit =
        TRY(run({.argv = srun_line(request, out.requeued), .on_line = request.on_line}));
    log += exit.err.text;
    TRY(write_file(request.folder + "/srun.txt", log));
    out.ranks = read_ranks(request, out.requeued);
    const Status taken = check_taken(exit.err.text);
    // A file may take a moment from the node to here.
    if (lost_among(out.ranks) > 0 && taken) {
      wait_a_while(request.options);
      out.ranks = read_ranks(request, out.requeued);
    }
    if (ended_from_outside(exit.err.text)) {
      for (Rank& rank : out.ranks) {
        if (was_stopped(rank)) rank.document = {};
      }
    }
    if (lost_among(out.ranks) == 0) return out;
    if (lost_among(out.ranks) == request.ranks) TRY(taken);
    out.said = last_line(exit.err.text);
    out.out_of_time = exit.err.text.find(kTimeLimitWords) != std::string::npos;
    const bool by_itself = std::ranges::any_of(out.ranks, &Rank::failed_itself);
    if (out.out_of_time || by_itself || out.requeued >= request.options.requeues) return out;
    ++out.requeued;
  }
}

}  // namespace rpl::cluster
