// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/device/cycle/cache.h"
#include "engine/device/cycle/parameters.h"
#include "engine/device/execute/launch/counts.h"
#include "engine/device/execute/state/line_log.h"

namespace rpl::emu {

/// Of the lines of one instruction, those that were followed through caches and where they were found.
struct FollowedLines {
  std::uint64_t all = 0, l1 = 0, l2 = 0;
  void add(const FollowedLines& more) { all += more.all, l1 += more.l1, l2 += more.l2; }
};

/// Divides the lines of a row as the followed ones were found; those of a row of which none was followed as `others` were, else as memory's.
void divide_lines(InstructionCounts& row, const FollowedLines& followed,
                  const FollowedLines& others);

/// The caches of a launch that is counted, without times: each compute unit has a vector L1 that stores pass by and a scalar cache, each XCD an
/// L2; cold at the start, least recently used lines leave first. Workgroups are dealt out to the compute units in turn and go through the caches one
/// after the other in the order of the grid, whichever thread ran them; the waves of a workgroup take turns, line by line. Of long launches a
/// sample of the sets of every cache is followed.
class CacheHierarchy {
 public:
  CacheHierarchy(const cycle::Parameters& parameters, std::uint32_t workgroups,
                 std::size_t operations);

  /// What a log that begins now may leave out.
  [[nodiscard]] std::uint64_t skipped() const { return skipped_.load(std::memory_order_relaxed); }
  /// The `turn`-th workgroup of the launch, `workgroup` of the grid, has ended. Each turn from 0 on comes once, in any order; the log is taken when it
  /// has to wait for others. Thread-safe.
  void take(std::uint32_t turn, std::uint32_t workgroup, LineLog& log);
  /// After the last workgroup: fills l1_lines, l2_lines and memory_lines of every row from its `lines`.
  void divide(Counts& counts) const;

 private:
  struct Unit {
    cycle::TagCache l1, scalar;
  };
  struct Waiting {
    std::uint32_t workgroup;
    LineLog log;
  };
  void follow(std::uint32_t workgroup, const LineLog& log);
  void follow(Unit& unit, cycle::TagCache& l2, const LineLog::Touch& touch, std::uint64_t weight);
  Unit& unit_of(std::uint32_t workgroup);

  const cycle::Parameters& p_;
  std::mutex mutex_;
  std::uint32_t next_ = 0;
  std::map<std::uint32_t, Waiting> waiting_;  ///< by turn
  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<cycle::TagCache> l2_;
  std::vector<FollowedLines> rows_;  ///< by operation
  std::atomic<std::uint64_t> skipped_ = 0;
  std::uint64_t followed_ = 0;
};

}  // namespace rpl::emu
