// SPDX-License-Identifier: MIT
#include "engine/graph/application/rank_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/document/json.h"
#include "engine/document/records.h"
#include "engine/trace/core/clocks.h"

namespace rpl {
namespace {

constexpr auto kProcessSummaryFields = bound_to<ProcessSummary>(
    column<&ProcessSummary::pid>("pid", "of the process").in(Unit::none),
    column<&ProcessSummary::rank>("rank", "-1: not recorded").in(Unit::none),
    column<&ProcessSummary::ranks>("ranks", "how many there are; 0: not recorded").in(Unit::count),
    column<&ProcessSummary::guid>("guid", "of the recording of this process"),
    column<&ProcessSummary::hostname>("hostname", "machine"));

constexpr auto kRankSummaryFields = bound_to<RankSummary>(
    column<&RankSummary::process>("process", "which of `processes`, from 0").in(Unit::none),
    column<&RankSummary::agent>("agent", "its device, counted within the recording; -1: unknown")
        .in(Unit::none),
    column<&RankSummary::launches>("launches",
                                   "of each collective which of `kernels`, from 0; the same number "
                                   "is the same kernel and geometry"),
    column<&RankSummary::starts_ns>("starts_ns", "of the first, then from each to the next"),
    column<&RankSummary::lengths_ns>("lengths_ns", "of each"),
    column<&RankSummary::left_out>("left_out", "collectives behind these 65,536"));

constexpr auto kRecordingSummaryFields = bound_to<RecordingSummary>(
    column<&RecordingSummary::path>("path", "of the recording"),
    column<&RecordingSummary::wall_clock>("wall_clock", "times count from 1970"),
    column<&RecordingSummary::agents>("agents", "devices, processors among them").in(Unit::count),
    column<&RecordingSummary::dispatches>("dispatches", "of all kernels").in(Unit::count),
    column<&RecordingSummary::first_ns>("first_ns", "start of its first dispatch"),
    column<&RecordingSummary::last_ns>("last_ns", "start of its last dispatch"),
    column<&RecordingSummary::begin_ns>("begin_ns", "start of its first dispatch or copy"),
    column<&RecordingSummary::modelled>("modelled", "its times are of the emulated device"),
    column<&RecordingSummary::processes>("processes", "{pid, rank, ranks, guid, hostname}"),
    column<&RecordingSummary::kernels>("kernels", "of the launches that are collectives"),
    column<&RecordingSummary::ranks>("ranks",
                                     "processes and devices with collectives: {process, agent, "
                                     "launches, starts_ns, lengths_ns, left_out}"));

/// What sums of times may come to without being too large for what adds them up.
constexpr std::int64_t kLatest_ns = std::int64_t{1} << 60, kLongest_ns = std::int64_t{1} << 44;
constexpr std::size_t kMostRanks = 4096, kMostProcesses = 4096, kMostKernels = kMostCollectives,
                      kMostText = 4096;
constexpr std::int64_t kMostAgents = 65'536;

bool within(std::int64_t value, std::int64_t most) { return value >= -most && value <= most; }

/// Why it cannot be a summary that a node has made; "" where it can.
std::string why_impossible(const RankSummary& rank, const RecordingSummary& of) {
  const std::size_t count = rank.launches.size();
  if (rank.process >= of.processes.size()) return "a rank is of no process";
  if (rank.agent < -1 || rank.agent >= of.agents) return "a rank is of no device";
  if (count > kMostCollectives) return "a rank has too many collectives";
  if (rank.starts_ns.size() != count || rank.lengths_ns.size() != count)
    return "the lists of a rank have different lengths";
  std::int64_t at_ns = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool known =
        rank.launches[i] >= 0 && static_cast<std::size_t>(rank.launches[i]) < of.kernels.size();
    if (!known) return "a collective is of no kernel";
    if (i > 0 && rank.starts_ns[i] < 0) return "collectives are not in the order of their starts";
    if (!within(rank.starts_ns[i], kLatest_ns) || !within(at_ns + rank.starts_ns[i], kLatest_ns) ||
        !within(rank.lengths_ns[i], kLongest_ns))
      return "a time is too far away";
    at_ns += rank.starts_ns[i];
  }
  return "";
}

std::string why_impossible(const RecordingSummary& of) {
  if (of.processes.size() > kMostProcesses || of.ranks.size() > kMostRanks ||
      of.kernels.size() > kMostKernels || of.agents < 0 || of.agents > kMostAgents)
    return "there are too many processes, ranks, kernels or devices";
  for (const std::int64_t ns : {of.first_ns, of.last_ns, of.begin_ns}) {
    if (!within(ns, kLatest_ns)) return "a time is too far away";
  }
  std::size_t longest = of.path.size();
  for (const std::string& kernel : of.kernels) longest = std::max(longest, kernel.size());
  for (const ProcessSummary& process : of.processes)
    longest = std::max({longest, process.guid.size(), process.hostname.size()});
  if (longest > kMostText) return "a text is too long";
  for (const RankSummary& rank : of.ranks) {
    if (std::string why = why_impossible(rank, of); !why.empty()) return why;
  }
  return "";
}

RankSummary summary_of(const RankCollectives& rank, std::map<std::uint32_t, std::int64_t>& launches,
                       std::vector<std::string>& kernels) {
  RankSummary out{.process = rank.process,
                  .agent = rank.agent == kNone ? -1 : std::int64_t{rank.agent},
                  .launches = {},
                  .starts_ns = {},
                  .lengths_ns = {}};
  const std::size_t count = std::min(rank.names.size(), kMostCollectives);
  out.left_out = rank.names.size() - count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [known, fresh] =
        launches.try_emplace(rank.launches[i], static_cast<std::int64_t>(kernels.size()));
    // A name that is longer tells kernels apart no better.
    if (fresh) kernels.emplace_back(rank.names[i].substr(0, kMostText));
    out.launches.push_back(known->second);
    out.starts_ns.push_back(i == 0 ? rank.starts_ns[0] : rank.starts_ns[i] - rank.starts_ns[i - 1]);
    out.lengths_ns.push_back(rank.lengths_ns[i]);
  }
  return out;
}

bool is_copy(const RecordingSummary& a, const RecordingSummary& b) {
  const auto guids = [](const RecordingSummary& of) {
    std::set<std::string_view> out;
    for (const ProcessSummary& process : of.processes) {
      if (!process.guid.empty()) out.insert(process.guid);
    }
    return out;
  };
  if (a.path == b.path) return true;
  return !guids(a).empty() && guids(a) == guids(b) && a.dispatches == b.dispatches &&
         a.first_ns == b.first_ns && a.last_ns == b.last_ns;
}

/// Puts recordings together, one after the other.
class SummaryMerger {
 public:
  explicit SummaryMerger(RanksOfSummaries& out) : out_(out) {}

  void add(const RecordingSummary& of) {
    const auto copy = std::ranges::find_if(
        taken_, [&](const RecordingSummary* other) { return is_copy(of, *other); });
    if (copy != taken_.end()) {
      out_.notes.push_back(fmt::format("{} holds the same recording as {} and was left out",
                                       of.path, (*copy)->path));
      return;
    }
    taken_.push_back(&of);
    const auto file = static_cast<std::uint32_t>(out_.entities.files.size());
    TraceFile& kept = out_.entities.files.emplace_back();
    kept.path = of.path;
    kept.format = of.wall_clock ? TraceFormat::kineto : TraceFormat::rocpd;
    out_.modelled = out_.modelled || of.modelled;
    const auto process = static_cast<std::uint32_t>(out_.entities.processes.size());
    for (const ProcessSummary& one : of.processes) {
      Process& into = out_.entities.processes.emplace_back();
      into.file = file;
      into.pid = one.pid;
      into.guid = one.guid;
      into.hostname = one.hostname;
      into.rank = one.rank;
      into.world_size = one.ranks;
    }
    for (const RankSummary& one : of.ranks) {
      RankCollectives& into = ranks_.emplace_back();
      into.process = process + one.process;
      into.agent = one.agent < 0 ? kNone : agents_ + static_cast<std::uint32_t>(one.agent);
      std::int64_t at_ns = 0;
      for (std::size_t i = 0; i < one.launches.size(); ++i) {
        const std::string& kernel = of.kernels[static_cast<std::size_t>(one.launches[i])];
        into.names.emplace_back(kernel);
        into.launches.push_back(static_cast<std::uint32_t>(one.launches[i]));
        into.starts_ns.push_back(at_ns += one.starts_ns[i]);
      }
      into.lengths_ns = one.lengths_ns;
      left_out_ = std::max(left_out_, one.left_out);
    }
    agents_ += static_cast<std::uint32_t>(of.agents);
  }

  /// Gives all the clock of one host where collectives say how.
  void align() {
    std::map<std::string, std::vector<RankEnds>> by_host;
    std::set<std::string> all;
    bool every = true;
    std::span<const Process> processes(out_.entities.processes);
    for (std::size_t file = 0; file < taken_.size(); ++file) {
      const auto of_file = processes.subspan(0, taken_[file]->processes.size());
      for (const Process& process : of_file) {
        if (!process.hostname.empty()) all.insert(process.hostname);
      }
      const auto host = one_host(of_file);
      every = every && host;
      hosts_.push_back(host.value_or(""));
      processes = processes.subspan(of_file.size());
    }
    if (all.size() < 2) return;
    for (const RankCollectives& rank : ranks_) {
      RankEnds& ends = by_host[host_of(rank)].emplace_back();
      ends.names = rank.names;
      for (std::size_t i = 0; i < rank.starts_ns.size(); ++i)
        ends.ends_ns.push_back(rank.starts_ns[i] + rank.lengths_ns[i]);
    }
    // A host without collectives says nothing of its clock.
    for (const std::string& host : hosts_) by_host.try_emplace(host);
    const ClockShifts shifts =
        every ? find_clock_shifts(by_host) : clocks_of_unnamed_hosts(all.size());
    out_.notes.push_back(shifts.note);
    for (std::size_t file = 0; file < taken_.size(); ++file) {
      const auto shift = shifts.by_host.find(hosts_[file]);
      if (shift != shifts.by_host.end()) out_.entities.files[file].clock_shift_ns = shift->second;
    }
    for (RankCollectives& rank : ranks_) {
      const std::int64_t shift_ns = file_of(rank).clock_shift_ns;
      for (std::int64_t& ns : rank.starts_ns) ns += shift_ns;
    }
  }

  void finish() {
    bool any = false;
    for (std::size_t file = 0; file < taken_.size(); ++file) {
      if (taken_[file]->dispatches == 0) continue;
      const std::int64_t ns = taken_[file]->begin_ns + out_.entities.files[file].clock_shift_ns;
      out_.begin_ns = any ? std::min(out_.begin_ns, ns) : ns;
      any = true;
    }
    if (left_out_ > 0)
      out_.notes.push_back(fmt::format(
          "summaries hold the first {} collectives of each rank: up to {} were left out",
          kMostCollectives, left_out_));
    out_.ranks = put_ranks_together(ranks_, clocks_compare(out_.entities));
  }

 private:
  [[nodiscard]] const TraceFile& file_of(const RankCollectives& rank) const {
    return out_.entities.files[out_.entities.processes[rank.process].file];
  }
  [[nodiscard]] const std::string& host_of(const RankCollectives& rank) const {
    return hosts_[out_.entities.processes[rank.process].file];
  }

  RanksOfSummaries& out_;
  std::vector<RankCollectives> ranks_;
  std::vector<const RecordingSummary*> taken_;
  std::vector<std::string> hosts_;  ///< of each file; "" for none
  std::uint32_t agents_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace

Columns<RankSummary> bound(const RankSummary* /*of*/) { return kRankSummaryFields; }
Columns<ProcessSummary> bound(const ProcessSummary* /*of*/) { return kProcessSummaryFields; }
Columns<RecordingSummary> bound(const RecordingSummary* /*of*/) { return kRecordingSummaryFields; }

Result<RecordingSummary> summary_of(const Trace& trace) {
  const TraceEntities& entities = trace.entities();
  RecordingSummary out;
  if (!entities.files.empty()) {
    out.path = entities.files.front().path;
    out.wall_clock = entities.files.front().format == TraceFormat::kineto;
  }
  out.agents = static_cast<std::int64_t>(entities.agents.size());
  out.dispatches = trace.size();
  out.modelled = trace.presence().modelled;
  if (trace.size() > 0) {
    out.first_ns = out.begin_ns = trace.start_ns(0);
    out.last_ns = trace.start_ns(trace.size() - 1);
  }
  if (trace.presence().copies) {
    const CopyTable& copies = *TRY(trace.ask({Fact::copy_places})).copies;
    if (!copies.rows.empty()) out.begin_ns = std::min(out.begin_ns, copies.rows.start_ns(0));
  }
  for (const Process& process : entities.processes)
    out.processes.push_back(
        {process.pid, process.rank, process.world_size, process.guid, process.hostname});
  std::map<std::uint32_t, std::int64_t> launches;
  for (const RankCollectives& rank : TRY(collectives_of(trace)))
    out.ranks.push_back(summary_of(rank, launches, out.kernels));
  return out;
}

Result<std::vector<RecordingSummary>> summaries_from(std::string_view json,
                                                     std::string_view where) {
  constexpr JsonLimits kLimits{.depth = 12, .bytes = std::size_t{64} << 20, .values = 8 << 20};
  auto value = parse_json(json, kLimits);
  if (!value) return Failure(std::move(value).error().in(std::string(where)));
  const Value* why_not = value->find("failed");
  if (why_not != nullptr && why_not->as<std::string>() != nullptr)
    return fail(Errc::io, "on a node: " + why_not->as<std::string>()->substr(0, kMostText),
                "the recordings have to lie where the nodes find them");
  const Value* schema = value->find("schema");
  const Value* list = value->find("recordings");
  const List* recordings = list == nullptr ? nullptr : list->as<List>();
  if (recordings == nullptr || schema == nullptr || *schema != Value(kRankSummarySchema))
    return fail(Errc::corrupt, fmt::format("{} is no summary of ranks", where),
                "'ranks reduce' writes one");
  std::vector<RecordingSummary> out;
  for (const Value& one : *recordings) {
    out.push_back(TRY(from_value(kRecordingSummaryFields, one, where)));
    if (const std::string why = why_impossible(out.back()); !why.empty())
      return fail(Errc::corrupt, fmt::format("{}: {}", where, why),
                  "the node that wrote it has another version of rpl, or the file was changed");
  }
  return out;
}

RanksOfSummaries ranks_of(const std::vector<RecordingSummary>& recordings) {
  RanksOfSummaries out;
  SummaryMerger merger(out);
  for (const RecordingSummary& one : recordings) merger.add(one);
  merger.align();
  merger.finish();
  return out;
}

}  // namespace rpl
