// SPDX-License-Identifier: MIT
#include "engine/graph/application/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/interrupt.h"
#include "engine/base/median.h"
#include "engine/trace/core/collectives.h"

namespace rpl {
namespace {

using Lists = std::vector<RankCollectives>;

std::string why_not(const Lists& lists) {
  if (lists.empty()) return "no collective was recorded";
  if (lists.size() < 2) return "one rank alone has collectives";
  std::vector<std::span<const std::string_view>> ranks;
  for (const RankCollectives& list : lists) ranks.emplace_back(list.names);
  if (std::string why = how_collectives_differ(ranks); !why.empty()) return why;
  if (ranks.front().size() < 2) return "a collective alone shows no step";
  return "";
}

/// After how many collectives their launches come again, three times or more; 1 where they do not.
std::size_t period_of(const std::vector<std::uint32_t>& launches) {
  constexpr std::size_t kLeastSteps = 3;
  for (std::size_t period = 1; kLeastSteps * period <= launches.size(); ++period) {
    std::size_t i = period;
    while (i < launches.size() && launches[i] == launches[i - period]) ++i;
    if (i == launches.size()) return period;
  }
  return 1;
}

/// Adds up what ranks did round by round.
class Rounds {
 public:
  Rounds(const Lists& lists, Ranks& out) : out_(out), lists_(lists), work_ns_(lists.size()) {}

  void run() {
    for (std::size_t round = 0; round < out_.collectives; ++round) {
      const bool begins = round > 0 && (round - 1) % out_.of_step == 0;
      if (begins) begin(round);
      add(round);
      if (round > 0 && round % out_.of_step == 0) end(round);
    }
  }

 private:
  [[nodiscard]] std::int64_t start(std::size_t rank, std::size_t round) const {
    return lists_[rank].starts_ns[round];
  }
  [[nodiscard]] std::int64_t end_of(std::size_t rank, std::size_t round) const {
    return start(rank, round) + std::max<std::int64_t>(0, lists_[rank].lengths_ns[round]);
  }

  void begin(std::size_t round) {
    std::ranges::fill(work_ns_, 0);
    wait_ns_ = 0;
    out_.steps.push_back({end_of(0, round - 1), 0, 0, 0, 0, 0});
  }

  void add(std::size_t round) {
    std::size_t last = 0;
    for (std::size_t i = 1; i < lists_.size(); ++i) {
      if (start(i, round) > start(last, round)) last = i;
    }
    if (out_.clocks_compare) ++out_.ranks[last].last;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      RankWork& rank = out_.ranks[i];
      const std::int64_t length_ns = end_of(i, round) - start(i, round);
      rank.collective_ns += length_ns;
      if (out_.clocks_compare) {
        const std::int64_t wait_ns = std::min(start(last, round) - start(i, round), length_ns);
        rank.wait_ns += wait_ns;
        wait_ns_ += wait_ns;
      }
      if (round == 0) continue;
      const std::int64_t work_ns =
          std::max<std::int64_t>(0, start(i, round) - end_of(i, round - 1));
      rank.work_ns += work_ns;
      work_ns_[i] += work_ns;
    }
  }

  void end(std::size_t round) {
    RankStep& step = out_.steps.back();
    const auto slowest = std::ranges::max_element(work_ns_);
    step.slowest = static_cast<std::size_t>(slowest - work_ns_.begin());
    step.most_ns = *slowest;
    std::int64_t sum_ns = 0;
    for (const std::int64_t ns : work_ns_) sum_ns += ns;
    const auto count = static_cast<std::int64_t>(work_ns_.size());
    step.mean_ns = sum_ns / count;
    step.wait_ns = wait_ns_ / count;
    step.end_ns = end_of(0, round);
    ++out_.ranks[step.slowest].slowest;
  }

  Ranks& out_;
  const Lists& lists_;
  std::vector<std::int64_t> work_ns_;  ///< of the step, by rank
  std::int64_t wait_ns_ = 0;           ///< of the step, of all ranks
};

}  // namespace

double RankStep::imbalance() const {
  return mean_ns <= 0 ? 0 : static_cast<double>(most_ns) / static_cast<double>(mean_ns) - 1;
}

RanksSummary summary_of(const Ranks& ranks) {
  RanksSummary out;
  if (!ranks.why_none.empty()) return out;
  std::vector<std::int64_t> lengths_ns;
  std::vector<double> imbalances;
  for (const RankStep& step : ranks.steps) {
    lengths_ns.push_back(step.end_ns - step.start_ns);
    imbalances.push_back(step.imbalance());
  }
  if (!ranks.steps.empty()) {
    out.step_ns = upper_median(std::move(lengths_ns));
    out.imbalance = upper_median(std::move(imbalances));
  }
  std::int64_t wait_ns = 0, all_ns = 0;
  for (const RankWork& rank : ranks.ranks) {
    wait_ns += rank.wait_ns;
    all_ns += rank.work_ns + rank.collective_ns;
  }
  if (ranks.clocks_compare)
    out.wait_share = all_ns <= 0 ? 0 : static_cast<double>(wait_ns) / static_cast<double>(all_ns);
  return out;
}

bool clocks_compare(const TraceEntities& entities) {
  std::set<std::string_view> hosts;
  bool shifted = false, wall = true;
  for (const Process& process : entities.processes) {
    if (!process.hostname.empty()) hosts.insert(process.hostname);
    wall = wall && entities.files[process.file].format == TraceFormat::kineto;
  }
  for (const TraceFile& file : entities.files) shifted = shifted || file.clock_shift_ns != 0;
  return hosts.size() < 2 || shifted || wall;
}

std::string rank_text(const TraceEntities& entities, std::uint32_t process, std::uint32_t agent) {
  const Process& of = entities.processes[process];
  const std::string place = fmt::format("process {} on a{}", of.pid, agent);
  return of.rank < 0 ? place : fmt::format("rank {}, {}", of.rank, place);
}

Result<std::map<RankKey, std::vector<std::uint32_t>>> collectives_by_rank(const Trace& trace) {
  std::vector<bool> is;
  for (const Kernel& kernel : trace.kernels()) is.push_back(is_collective(kernel.name));
  std::map<RankKey, std::vector<std::uint32_t>> out;
  for (std::uint32_t row = 0; row < trace.size(); ++row) {
    if (row % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const std::uint32_t kernel = trace.kernel_of(row);
    if (kernel < is.size() && is[kernel])
      out[{trace.lane(row).process, trace.lane(row).agent}].push_back(row);
  }
  return out;
}

Result<Lists> collectives_of(const Trace& trace) {
  Lists out;
  for (const auto& [key, rows] : TRY(collectives_by_rank(trace))) {
    RankCollectives& list = out.emplace_back();
    list.process = key.first;
    list.agent = key.second;
    for (const std::uint32_t row : rows) {
      list.names.push_back(trace.kernels()[trace.kernel_of(row)].name);
      list.launches.push_back(trace.columns().launch[row]);
      list.starts_ns.push_back(trace.start_ns(row));
      list.lengths_ns.push_back(trace.duration_ns(row));
    }
  }
  return out;
}

Ranks put_ranks_together(const Lists& lists, bool clocks_compare) {
  Ranks out;
  out.clocks_compare = clocks_compare;
  for (const RankCollectives& list : lists) out.ranks.push_back({list.process, list.agent});
  out.why_none = why_not(lists);
  if (!out.why_none.empty()) return out;
  out.collectives = lists.front().names.size();
  out.of_step = period_of(lists.front().launches);
  Rounds(lists, out).run();
  // A step that the recording does not have the end of is none.
  if (!out.steps.empty() && out.steps.back().end_ns == 0) out.steps.pop_back();
  const auto most = std::ranges::max_element(out.ranks, {}, &RankWork::slowest);
  const double share = out.steps.empty() ? 0
                                         : static_cast<double>(most->slowest) /
                                               static_cast<double>(out.steps.size());
  if (share >= kAlwaysTheSame) out.straggler = static_cast<std::size_t>(most - out.ranks.begin());
  return out;
}

Result<Ranks> find_ranks(const Trace& trace) {
  return put_ranks_together(TRY(collectives_of(trace)), clocks_compare(trace.entities()));
}

}  // namespace rpl
