// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/base/monitor.h"

/// Which cycles of the waves were hidden behind work of the same SIMD: while a wave stalls, another may issue.
namespace rpl::att {

/// Wave-cycles, and those of them in which a pipe of the same or a higher rank was busy on the SIMD.
struct HiddenCycles {
  std::uint64_t all = 0, hidden = 0;
  [[nodiscard]] std::uint64_t exposed() const { return all - hidden; }
};

struct HiddenFacts {
  HiddenCycles stall, idle, issue;
  std::vector<HiddenCycles> rows;  ///< stall and idle by row of the listing
  std::uint64_t waves = 0;
  std::vector<std::string> notes;
};

/// By the rule of ROCprof Compute Viewer 0.2. Pipes by rank: matrix; VALU, and three quarters of each matrix instruction; vector memory and LDS; SALU and SMEM.
/// A pipe is busy from issue to the end of the duration (on gfx9 the end of issue). A wave's stall or idle time is hidden while a pipe of the rank of its
/// instruction or above is busy, its issue while one above is; of other instructions (waits, branches) while any is. Reads all wave files twice, one
/// SIMD after the other. Fails with interrupted.
Result<HiddenFacts> hidden_cycles(const ThreadTrace& trace, const Monitor& monitor = {});

/// Times in which something was the case, as intervals that do not touch.
class BusyTimes {
 public:
  void add(std::int64_t from, std::int64_t to);
  void add(const BusyTimes& other);
  /// To be called between add() and within().
  void settle();
  /// How much of [from, to) is busy.
  [[nodiscard]] std::int64_t within(std::int64_t from, std::int64_t to) const;

 private:
  [[nodiscard]] std::int64_t before(std::int64_t time) const;
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals_;
  std::vector<std::int64_t> sums_;  ///< busy cycles before each interval
  std::size_t settled_ = 0;         ///< intervals when they were last merged
};

}  // namespace rpl::att
