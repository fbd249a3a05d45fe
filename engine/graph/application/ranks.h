// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// One rank of a distributed program: what one process did on one device. Times in ns.
struct RankWork {
  std::uint32_t process = 0;    ///< index into TraceEntities::processes
  std::uint32_t agent = kNone;  ///< index into TraceEntities::agents
  std::int64_t work_ns =
      0;  ///< from the end of a collective to the beginning of the next, all together
  std::int64_t collective_ns = 0;  ///< in which its collectives ran
  std::int64_t wait_ns =
      0;  ///< of that, before the last rank had begun; 0 where clocks do not compare
  std::uint64_t last = 0;     ///< collectives that it began last; 0 where clocks do not compare
  std::uint64_t slowest = 0;  ///< steps in which it worked longest
};

/// Collectives that come again and again in one order, with the work before each of them.
struct RankStep {
  std::int64_t start_ns = 0,
               end_ns = 0;  ///< ends of its first rank's last collective before it and in it
  std::size_t slowest = 0;  ///< index into Ranks::ranks
  std::int64_t most_ns = 0, mean_ns = 0;  ///< work of the slowest rank, and of all
  std::int64_t wait_ns = 0;               ///< in its collectives, the mean over ranks
  /// Share by which the slowest rank works longer than the mean.
  [[nodiscard]] double imbalance() const;
};

struct Ranks {
  std::vector<RankWork> ranks;  ///< by process, then device
  std::size_t collectives = 0;  ///< of each rank
  std::size_t of_step = 0;
  std::vector<RankStep> steps;  ///< without the first, before which nothing is known of the work
  bool clocks_compare = false;  ///< between all ranks; otherwise no waits are known
  /// Index into ranks of the one that works longest in three fifths of the steps or more.
  std::optional<std::size_t> straggler;
  std::string why_none;  ///< why there are no steps, as a sentence; "" where there are
};

/// What they say of all ranks together.
struct RanksSummary {
  std::optional<std::int64_t> step_ns;  ///< the median step; nothing without steps
  std::optional<double>
      imbalance;  ///< by which the slowest rank works longer than the mean, the median over steps
  std::optional<double>
      wait_share;  ///< of the time of all ranks, in collectives that some rank had not begun; nothing where clocks do not compare
};
RanksSummary summary_of(const Ranks& ranks);

/// Whether times of all processes can be compared: they come from one host, or their clocks were aligned (align_clocks), or set by one time.
bool clocks_compare(const TraceEntities& entities);

/// The collectives of one rank, by start.
struct RankCollectives {
  std::uint32_t process = 0;            ///< index into TraceEntities::processes
  std::uint32_t agent = kNone;          ///< index into TraceEntities::agents
  std::vector<std::string_view> names;  ///< of the kernels; of the trace
  std::vector<std::uint32_t> launches;  ///< equal where kernel and geometry are
  std::vector<std::int64_t> starts_ns, lengths_ns;
};
/// Of each rank that has any, by process, then device. Fails with `interrupted` only.
Result<std::vector<RankCollectives>> collectives_of(const Trace& trace);
/// What find_ranks() says of a trace that has these.
Ranks put_ranks_together(const std::vector<RankCollectives>& ranks, bool clocks_compare);

/// One rank: process and device.
using RankKey = std::pair<std::uint32_t, std::uint32_t>;
/// The dispatches (rows) of each rank that are collectives, by start; ranks without any are not there. Fails with `interrupted` only.
Result<std::map<RankKey, std::vector<std::uint32_t>>> collectives_by_rank(const Trace& trace);

/// A rank that is the last, or the slowest, in such a share of cases is to blame; where it is now this one and now that, none is.
inline constexpr double kAlwaysTheSame = 0.6;

/// "rank 3, process 4242 on a0", the rank where it is known.
std::string rank_text(const TraceEntities& entities, std::uint32_t process, std::uint32_t agent);

/// What the ranks of a recording did between and in their collectives. The n-th collective of each rank is one, as long as all have the same ones
/// in the same order. Fails with `interrupted` only.
Result<Ranks> find_ranks(const Trace& trace);

}  // namespace rpl
