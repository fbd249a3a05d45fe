// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/cycle/memory_side.h"
#include "engine/device/cycle/stream.h"

namespace rpl::cycle {

/// Completion times of the outstanding operations that one counter counts, oldest first. They return in order.
class Outstanding {
 public:
  /// When something is done, and the operation that it was waited for; cycle 0: it is done already.
  struct Done {
    std::uint64_t at = 0;
    std::uint32_t operation = 0;
  };
  void add(Done done) {
    done_.push_back(done_.empty() || done.at > done_.back().at ? done : done_.back());
  }
  /// When at most `left` are outstanding.
  Done wait(std::size_t left) {
    Done until;
    for (; done_.size() > left; done_.pop_front()) until = done_.front();
    return until;
  }
  [[nodiscard]] bool empty() const { return done_.empty(); }

 private:
  std::deque<Done> done_;
};

/// A unit that takes instructions into a queue and serves them one after the other.
class ServiceQueue {
 public:
  explicit ServiceQueue(std::size_t depth) : ended_(depth, 0) {}
  /// From this cycle on there is room for one more.
  [[nodiscard]] const std::uint64_t& room() const { return room_; }
  /// Cycles of service so far.
  [[nodiscard]] double busy() const { return busy_; }
  /// When the service of one that is taken at `at` would begin.
  [[nodiscard]] double next_begin(std::uint64_t at) const {
    return std::max(static_cast<double>(at), free_);
  }
  /// Takes one at cycle `at` for `cycles`; the cycle at which its service begins.
  double take(std::uint64_t at, double cycles) {
    const double begin = std::max(static_cast<double>(at), free_);
    free_ = begin + cycles;
    busy_ += cycles;
    ended_[next_] = static_cast<std::uint64_t>(free_);
    next_ = (next_ + 1) % ended_.size();
    room_ = ended_[next_];
    return begin;
  }

 private:
  std::vector<std::uint64_t> ended_;  ///< the last ones, in a ring
  std::size_t next_ = 0;
  std::uint64_t room_ = 0;
  double free_ = 0, busy_ = 0;
};

/// One wave to run: what it executes, and where and when it begins.
struct WaveStart {
  const WaveStream* stream = nullptr;
  std::uint32_t workgroup = 0;  ///< waves of equal number meet at barriers
  std::uint32_t wave = 0;       ///< in its workgroup
  std::uint32_t simd = 0;
  std::uint64_t begin = 0;
};

/// Times the instructions of waves on one compute unit: waves issue in the order in which they can, the oldest first; each SIMD has a vector,
/// a scalar and a matrix unit, all share LDS, vector memory and scalar memory; waves go on after memory instructions until s_waitcnt.
class ComputeUnit {
 public:
  /// `memory` may be null for streams without addresses. All must outlive the object.
  ComputeUnit(const Parameters& parameters, std::span<const Operation> operations,
              MemorySide* memory);

  /// Waves may be added in any order, also by `workgroup_ended`.
  void add(const WaveStart& start) {
    waiting_.push_back(start);
    ++group_of(start.workgroup).live;
  }
  /// Called when the last wave of a workgroup has ended, with the cycle.
  std::function<void(std::uint32_t workgroup, std::uint64_t cycle)> workgroup_ended;
  bool keep_times = false;  ///< of every step

  /// Until all waves have ended. Fails with interrupted.
  Status run();

  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] std::uint64_t executed() const { return executed_; }
  [[nodiscard]] const std::array<UnitCycles, kUnits>& units() const { return units_; }
  /// Cycles that its units were busy, those of its SIMDs together: matrix instructions keep theirs longer than they issue.
  [[nodiscard]] double matrix_busy() const { return matrix_busy_; }
  [[nodiscard]] double vector_memory_busy() const { return vmem_.busy(); }
  [[nodiscard]] double lds_busy() const { return lds_.busy(); }
  /// Cycles at s_waitcnt for vector memory, and for LDS and scalar memory.
  [[nodiscard]] std::uint64_t vmem_wait() const { return vmem_wait_; }
  [[nodiscard]] std::uint64_t lds_wait() const { return lds_wait_; }
  /// By operation.
  [[nodiscard]] const std::vector<StallCycles>& stalls() const { return stalls_; }
  /// In the order of their begin.
  [[nodiscard]] std::vector<WaveTimes>& waves() { return done_; }

 private:
  struct Pending {
    RegisterRange range;
    std::uint64_t done = 0, forwarded = 0;
  };
  struct Wave {
    const WaveStream* stream = nullptr;
    std::size_t at = 0;  ///< of the next step
    const Operation* next = nullptr;
    const std::uint64_t* port = nullptr;
    std::uint64_t attempt = 0,
                  ready = 0;  ///< first attempt at the next step; no issue before `ready`
    std::uint32_t workgroup = 0, simd = 0, slot = 0, record = 0;
    bool at_barrier = false, after_vector = false, after_scalar = false, wrote_scalar = false;
    std::uint64_t longest = 0;     ///< stall since the last barrier
    std::uint32_t longest_of = 0;  ///< the operation that caused it
    Outstanding vm, lgkm, exp;
    std::vector<Pending> matrix;
  };
  struct Group {
    std::uint32_t id = 0, live = 0, at_barrier = 0;  ///< waves that have not ended, waves that wait
    std::uint64_t last = 0, end = 0;                 ///< arrival at the barrier, end of a wave
    std::uint32_t late_by = 0;  ///< the operation that held up the wave that came last
  };

  void begin_waves(std::uint64_t until);
  void begin(const WaveStart& start);
  [[nodiscard]] std::size_t pick() const;
  void issue(std::size_t which);
  void prepare(Wave& wave, std::uint64_t end, bool taken);
  void execute(Wave& wave, const Operation& op, const Step& step, std::uint64_t start);
  void note(Wave& wave, const Operation& op, std::uint64_t stall, std::uint64_t duration,
            std::uint32_t cause);
  /// Until when, and for what.
  Outstanding::Done waited(Wave& wave, const Operation& op);
  [[nodiscard]] std::uint32_t number_of(const Operation& op) const {
    return static_cast<std::uint32_t>(&op - operations_.data());
  }
  void vector_memory(Wave& wave, const Operation& op, const Step& step, std::uint64_t start);
  [[nodiscard]] double store_wait(const AccessHead& head, std::span<const std::uint64_t> lines,
                                  std::uint64_t start);
  void local(Wave& wave, const Operation& op, const Step& step, std::uint64_t start);
  void scalar_memory(Wave& wave, const Operation& op, const Step& step, std::uint64_t start);
  [[nodiscard]] std::span<const std::uint64_t> lines_of(const Wave& wave, const Step& step,
                                                        AccessHead& head) const;
  [[nodiscard]] std::uint64_t matrix_ready(Wave& wave, const Operation& op) const;
  void arrive(std::size_t which);
  void release(Group& group);
  void finish(std::size_t which, std::uint64_t end);
  Group& group_of(std::uint32_t workgroup);

  const Parameters& p_;
  std::span<const Operation> operations_;
  MemorySide* memory_;
  std::vector<WaveStart> waiting_;
  std::vector<std::unique_ptr<Wave>> waves_;
  std::vector<Group> groups_;
  std::vector<std::uint64_t> vector_, scalar_, matrix_;  ///< by SIMD: free from this cycle on
  std::vector<std::uint64_t> slots_;  ///< by SIMD: a bit for each wave slot in use
  std::uint64_t free_port_ = 0;
  /// Lines that the last stores wrote in part, in a ring, and when the unit took them up.
  struct PartialStore {
    std::uint64_t line_1 = 0;  ///< line + 1; 0: none
    double at = 0;
  };
  std::array<PartialStore, 64> partial_{};
  std::size_t next_partial_ = 0;
  ServiceQueue vmem_, lds_;
  double matrix_busy_ = 0;
  std::uint64_t end_ = 0, executed_ = 0, vmem_wait_ = 0, lds_wait_ = 0;
  std::array<UnitCycles, kUnits> units_{};
  std::vector<StallCycles> stalls_;
  std::vector<WaveTimes> done_;
};

}  // namespace rpl::cycle
