// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "engine/device/execute/launch/cache_hierarchy.h"
#include "engine/device/execute/launch/grid.h"
#include "engine/device/execute/launch/model_recorder.h"
#include "engine/device/execute/state/grid_races.h"
#include "engine/device/execute/state/lane_races.h"
#include "engine/device/execute/state/races.h"
#include "engine/device/execute/state/wave_sync.h"

namespace rpl::emu {

/// A workgroup that has begun.
struct InFlight {
  Workgroup group;
  std::optional<RaceFinder> races;
  std::optional<LaneRaces> lanes;  ///< of a build with markers
  LineLog lines;                   ///< for the caches
  std::uint32_t turn = 0;          ///< of the launch's workgroups
};

/// What the threads of a launch share.
struct SharedRun {
  SharedRun(Memory& memory, const Prepared& prepared, const ExecuteOptions& options);

  Memory& memory;
  const Prepared& prepared;
  const ExecuteOptions& options;
  ModelRecorder* recorder = nullptr;  ///< of the cycle model
  CacheHierarchy* caches = nullptr;   ///< of counting without it
  std::uint32_t l1_line = 0;          ///< bytes
  std::uint32_t workgroups = 0;       ///< that will run: the grid, or a sample of it
  unsigned threads = 1;
  std::uint32_t on_device = 1;      ///< workgroups that the device holds at once
  std::uint32_t most_resident = 1;  ///< that are in flight at most: those, or what fits in memory
  std::atomic<std::uint32_t> next = 0, ended = 0;  ///< of `workgroups`
  std::atomic<std::uint64_t> instructions = 0;     ///< reserved; kept where there is a budget
  std::atomic<bool> stop = false;
  const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  WaveSync wave_sync;

  std::mutex mutex;
  unsigned live = 1;                 ///< threads that can still change memory
  std::vector<std::uint32_t> order;  ///< of Variation; empty: ascending
  std::vector<std::unique_ptr<InFlight>>
      handed_over;  ///< by threads whose waves all wait for others

  /// The linear number of the i-th workgroup to run: all of them in order, or a sample spread evenly.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t i) const;
  /// Of `workgroups`, those that have not begun.
  [[nodiscard]] std::uint32_t waiting() const {
    return workgroups - std::min(next.load(), workgroups);
  }
};

/// Runs workgroups in one thread. A workgroup runs from its beginning to its end, its waves one after the other from barrier to
/// barrier, as long as they get there. Waves that go on for long take turns, and when all of them do, the next workgroup is begun
/// beside them, as many as the device would hold: what they wait for may be done by another wave or another workgroup.
class Worker {
 public:
  /// `leads`: reports progress.
  Worker(SharedRun& shared, bool leads);
  /// Until nothing is left, a fault, the budget's end, a proven deadlock, or another thread's failure.
  Status run();

  Counts counts;
  bool marked_ = false;  ///< races between lanes are looked for
  RaceFinder::Found races;
  std::optional<GridRaces> grid_races;
  std::optional<PathWatch> path;
  double processor_s = 0;
  std::uint32_t failed_at = 0;  ///< the workgroup in which run() failed

 private:
  Status run_all();
  Status run_side_by_side();
  /// Workgroup `i` of those in flight has ended.
  void end_workgroup(std::size_t i);
  bool start_next();
  /// Whether it ended; false when one of its waves used up its turn.
  Result<bool> turn(InFlight& flight);
  static bool open_barrier(InFlight& flight);
  /// Whether a wave of it waits for waves of other workgroups.
  [[nodiscard]] bool waits_for_others(InFlight& flight) const;
  /// Whether every workgroup has one, and no wave that can go on.
  [[nodiscard]] bool all_wait_for_others();
  Status run_wave(InFlight& flight, Wave& wave, std::uint64_t instructions);
  std::uint64_t step(InFlight& flight, Wave& wave, std::uint64_t most);
  std::uint64_t step_plain(Wave& wave, std::uint64_t most);
  template <bool kPasses, class Note>
  std::uint64_t step_counted(Wave& wave, std::uint64_t most, const Note& note);
  std::uint64_t step_modelled(ModelRecorder& recorder, Wave& wave, std::uint64_t most);
  std::uint64_t step_on_path(Wave& wave, std::uint64_t most);
  std::uint64_t step_watched(InFlight& flight, Wave& wave, std::uint64_t most);
  [[nodiscard]] bool gives_way(const Op& op);
  /// Whether no wave in flight can go on that is not held.
  [[nodiscard]] bool all_are_held() const;
  void release_held();
  Status all_wait();
  [[nodiscard]] bool canceled() const;
  [[nodiscard]] bool take_handed_over();
  bool step_once(InFlight& flight, Wave& wave);
  [[nodiscard]] Status deadlock() const;
  [[nodiscard]] Status too_long(const Wave& wave) const;
  void report();

  Counter counter_;
  std::mt19937_64 random_;
  bool gave_way_ = false;  ///< the wave that ran last lets another one go on
  bool holds_ = false;     ///< and all others, as far as they get
  bool watched_ = false;   ///< operations run one by one, and somebody looks at each
  bool on_path_ = false;   ///< it is `path` alone, at a few of them
  SharedRun& shared_;
  bool leads_ = false;
  Machine machine_;
  std::vector<std::unique_ptr<InFlight>> active_, spare_;
  std::uint64_t slice_;          ///< wave-instructions of a turn
  bool used_up_ = false;         ///< a wave of this round its whole turn
  std::uint64_t fruitless_ = 0;  ///< rounds since a workgroup ended, with nothing left to begin
  std::chrono::steady_clock::time_point reported_;
};

/// Whether `wave` only repeats itself: running it for a while brings the same registers back at the same place without a change to memory.
/// It then goes on so until another wave changes memory; one that looks at the clock never does. `step` executes one instruction of it, as
/// any other is executed, and says whether the wave can go on.
bool only_repeats(Machine& machine, Wave& wave, const std::function<bool()>& step);

/// How long waves run before another takes its turn, in wave-instructions. emu::Worker and debug::Schedule share it, so that both run the waves
/// in the same order and show them the same clock.
inline constexpr std::uint64_t kTurn =
    std::uint64_t{1} << 16;  ///< between looks at the interrupt flag; the clock stands still in it
inline constexpr std::uint64_t kFirstSlice = std::uint64_t{1}
                                             << 20;  ///< of a wave; most end before it does
inline constexpr std::uint64_t kLeastSlice = std::uint64_t{1}
                                             << 12;  ///< what slices shrink to when nobody gets on

}  // namespace rpl::emu
