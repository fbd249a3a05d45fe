// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/debug/memory_history.h"
#include "engine/device/debug/schedule.h"

namespace rpl::debug {

/// States of a launch that it can go back to. There are at most kMost of them, evenly spread: when there are more, every second is forgotten and
/// they are kept half as often. Time counts the wave-instructions executed.
class Snapshots {
 public:
  static constexpr std::size_t kMost = 128;
  static constexpr std::uint64_t kFirstInterval = std::uint64_t{1} << 18;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;

  /// The state at time 0.
  Snapshots(const emu::Memory& memory, const Schedule& schedule);

  /// When the next one should be kept.
  [[nodiscard]] std::uint64_t due() const { return moments_.back().time + interval_; }
  /// Keeps the state at `time`, which is after all that are kept; nothing happens when it is the last one's.
  void keep(std::uint64_t time, const Schedule& schedule);

  [[nodiscard]] std::size_t count() const { return moments_.size(); }
  [[nodiscard]] std::uint64_t time(std::size_t number) const { return moments_[number].time; }
  [[nodiscard]] const Schedule& schedule(std::size_t number) const {
    return moments_[number].schedule;
  }
  /// The number of the last one before `time`, or of the first one.
  [[nodiscard]] std::size_t last_before(std::uint64_t time) const;
  /// Brings memory back to a kept state and forgets the later ones; returns what the schedule was.
  const Schedule& restore(std::size_t number);

 private:
  struct Moment {
    std::uint64_t time = 0;
    Schedule schedule;
  };
  void thin();
  [[nodiscard]] std::uint64_t bytes() const;

  MemoryHistory memory_;
  std::vector<Moment> moments_;
  std::uint64_t interval_;
};

}  // namespace rpl::debug
