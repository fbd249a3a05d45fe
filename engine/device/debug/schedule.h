// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/execute/launch/grid.h"
#include "engine/device/execute/state/wave_sync.h"

namespace rpl::debug {

/// Names a wave of a launch.
struct WaveId {
  std::uint32_t workgroup = 0;  ///< linear number in the grid
  std::uint32_t wave = 0;       ///< within the workgroup
  friend bool operator==(const WaveId&, const WaveId&) = default;
};

inline WaveId id_of(const emu::Wave& wave) { return {wave.workgroup, wave.id}; }

/// Which wave of a launch executes the next instruction. The order is that of emu::execute() on one thread, as a value that can be copied and
/// continued: workgroups one after the other, their waves from barrier to barrier, turns for those that go on for long.
class Schedule {
 public:
  /// `most_resident`: workgroups in flight at most.
  Schedule(const emu::Prepared& prepared, std::uint32_t most_resident);

  /// The wave whose turn it is; null when every wave has ended.
  [[nodiscard]] emu::Wave* running();
  [[nodiscard]] const emu::Wave* running() const { return const_cast<Schedule*>(this)->running(); }
  /// The workgroup of that wave. Only while there is one.
  [[nodiscard]] emu::Workgroup& group() { return active_[group_]; }
  /// Instructions that it may execute before ran() must be called.
  [[nodiscard]] std::uint64_t turn() const;
  /// What s_memtime reads during this turn.
  [[nodiscard]] std::uint64_t clock() const { return clock_; }
  /// The running wave executed `instructions`, at most turn(), and `slept` at the last. Goes on to the next wave when its turn is over, or when it ended,
  /// waits or slept.
  void ran(std::uint64_t instructions, bool slept);

  /// Workgroups that have begun and not ended.
  [[nodiscard]] const std::vector<emu::Workgroup>& active() const { return active_; }
  [[nodiscard]] std::vector<emu::Workgroup>& active() { return active_; }
  /// Null for a wave that has not begun, or whose workgroup has ended.
  [[nodiscard]] emu::Wave* find(WaveId id);
  [[nodiscard]] const emu::Wave* find(WaveId id) const {
    return const_cast<Schedule*>(this)->find(id);
  }
  [[nodiscard]] std::uint32_t begun() const { return next_; }
  [[nodiscard]] std::uint32_t ended() const { return ended_; }
  /// How often nobody got to an end or a barrier, and nothing was left to begin: a sign of a deadlock.
  [[nodiscard]] std::uint64_t fruitless_rounds() const { return fruitless_; }
  /// Where waves of different workgroups wait for each other.
  [[nodiscard]] emu::WaveSync& wave_sync() { return wave_sync_; }
  /// No wave can go on: a wave that waits for waves of other workgroups which never come. Null while any can.
  [[nodiscard]] const emu::Wave* stuck() const;
  /// Bytes that a copy takes.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  bool start_next();
  void enter_group();
  void next_wave();
  /// Moves on from the group at the end of a pass over its waves; false when it goes on with another pass.
  bool leave_group();
  /// False when no wave can go on.
  bool end_of_round();

  const emu::Prepared* prepared_;
  std::uint32_t most_resident_;
  std::uint32_t next_ = 0, ended_ = 0;  ///< workgroups
  std::vector<emu::Workgroup> active_;
  std::size_t group_ = 0, wave_ = 0;  ///< whose turn it is
  bool group_cut_ = false;            ///< a wave of this pass used up its turn
  bool any_ended_ = false;            ///< a workgroup of this round ended
  bool used_up_ = false;              ///< a wave of this round used up its turn
  std::uint64_t slice_;               ///< instructions of a turn
  std::uint64_t left_ = 0;            ///< of this turn
  std::uint64_t since_clock_ = 0;     ///< instructions since the clock was set
  std::uint64_t clock_ = 0;
  std::uint64_t fruitless_ = 0;
  emu::WaveSync wave_sync_;
};

}  // namespace rpl::debug
