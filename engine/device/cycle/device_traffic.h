// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/cycle/line_sharers.h"
#include "engine/device/cycle/memory_side.h"
#include "engine/device/cycle/memory_state.h"

namespace rpl::cycle {

/// What the lines of all workgroups of a launch met on their way to the memory of the device.
struct TrafficCounts {
  /// Of the lines that one operation touched. Lines that were sampled count for those that were not.
  struct Row {
    std::uint64_t first = 0,
                  in_l2 = 0;  ///< touched by a workgroup for the first time; those that the L2 had
    std::uint64_t all = 0, missing = 0;  ///< and those that the L2 did not have
    std::uint64_t beyond = 0,
                  in_mall =
                      0;  ///< of loads among the latter, looked up in the Infinity Cache; found
    /// Of loads among the missing: lines that the L2 of another die had, as far as fewer dies had wanted them with neighbouring workgroups on one die.
    std::uint64_t elsewhere = 0;
    bool stores = false;
  };
  std::vector<Row> rows;                            ///< by operation
  std::uint32_t line = 0;                           ///< bytes
  std::uint64_t read_lines = 0, written_lines = 0;  ///< between the L2 and what lies behind it
  std::uint64_t reads_looked_up = 0,
                reads_in_mall =
                    0;  ///< of the first, the sample that was looked up in the Infinity Cache
  std::uint64_t written_back = 0;  ///< lines that the Infinity Cache gave to memory for others
  /// Lanes of atomics, and the most requests for one 64-byte line: lanes of an instruction on different words of it are one, those on one word
  /// as many as they are.
  std::uint64_t atomic_lanes = 0, hottest_line = 0;
  /// Lines on the busiest channel of the memory side, summed over windows of as many lines as the L2s hold back together.
  std::uint64_t busiest_channel = 0;
  /// Lines on the busiest channel of the L2 of a die, summed over what waves that run at the same time ask for at the same time, and the mean of
  /// the dies.
  std::uint64_t busiest_l2_channel = 0;

  /// Of an operation: the share of first touches that other workgroups have brought to the L2, and of the rest that the Infinity Cache had.
  [[nodiscard]] FirstTouch first_touch(std::size_t operation) const;
  /// Of the lines that an operation touched, the share that the L2 did not have; 0 when none was followed.
  [[nodiscard]] double missing_share(std::size_t operation) const {
    const Row& row = rows[operation];
    return row.all == 0 ? 0 : static_cast<double>(row.missing) / static_cast<double>(row.all);
  }
  /// Of what the L2 asks of what lies behind it, the share that the Infinity Cache has; and of what it gives to it, what stays there.
  [[nodiscard]] double read_mall_share() const {
    return reads_looked_up == 0
               ? 0
               : static_cast<double>(reads_in_mall) / static_cast<double>(reads_looked_up);
  }
  [[nodiscard]] double write_mall_share() const {
    return written_lines == 0 ? 0
                              : 1 - std::min(1.0, static_cast<double>(written_back) /
                                                      static_cast<double>(written_lines));
  }
  /// Bytes that the L2 asks of what lies behind it, and gives to it.
  [[nodiscard]] std::uint64_t read_bytes() const { return read_lines * line; }
  [[nodiscard]] std::uint64_t written_bytes() const { return written_lines * line; }
  /// What the memory itself reads, and writes.
  [[nodiscard]] double memory_read_bytes() const {
    return static_cast<double>(read_bytes()) * (1 - read_mall_share());
  }
  [[nodiscard]] double memory_written_bytes() const {
    return static_cast<double>(written_bytes()) * (1 - write_mall_share());
  }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return static_cast<std::uint64_t>(memory_read_bytes() + memory_written_bytes());
  }
};

/// Lines of all workgroups of a launch on their way to the memory of the device, in the order in which the workgroups run: what one finds
/// in the L2 because another was there, and what goes on to memory. Of long launches a sample of the sets of each cache is followed.
class DeviceTraffic {
 public:
  /// `active`: compute units that work. `state`: of the device, from launches before; null: nothing was there.
  DeviceTraffic(const Parameters& parameters, std::uint32_t active, std::size_t operations,
                std::shared_ptr<MemoryState> state = nullptr);

  void touch(std::uint32_t operation, std::span<const std::uint64_t> lines, std::uint32_t workgroup,
             bool store);
  /// What follows is of a wave that begins, or goes on after a barrier. Waves are taken to ask for their first lines at the same time, then for their
  /// next ones.
  void enter_wave() { wave_lines_ = 0; }
  /// The lanes of an atomic, by address; those beyond the first on a line wait for it.
  void touch_atomic(std::span<const std::uint64_t> addresses);

  /// So far.
  [[nodiscard]] TrafficCounts counts() const;
  /// Whether only a sample of the lines was followed.
  [[nodiscard]] bool sampled() const { return skipped_ != 0; }

 private:
  struct Touch {
    std::uint32_t operation = 0, workgroup = 0;
    bool store = false, in_mall = false;  ///< the latter of a load
  };
  void touch(const Touch& touch, std::uint64_t line);
  void follow(const Touch& touch, std::uint64_t line, std::uint64_t hash);
  /// Its place in the Infinity Cache; null where it is not followed.
  [[nodiscard]] MemoryState::Block* block_of(std::uint64_t number) const {
    return state_->has_mall() && MemoryState::is_followed(number) ? &state_->block(number)
                                                                  : nullptr;
  }
  [[nodiscard]] bool others_have(std::size_t xcd, std::uint64_t line, std::uint64_t hash);
  void end_window();
  void count_l2_channel(std::uint32_t workgroup, std::uint64_t line);
  void note_die(const Touch& touch, std::uint64_t line, std::uint64_t hash);
  [[nodiscard]] std::vector<double> placeable() const;
  [[nodiscard]] std::uint64_t busiest_of_round() const;

  TagCache own_;  ///< what the same workgroup had before
  std::shared_ptr<MemoryState> state_;
  bool warm_;                             ///< a launch before this one went over the device
  unsigned block_shift_, channel_shift_;  ///< of line numbers
  std::uint64_t block_number_ = ~std::uint64_t{0};  ///< of the last line
  MemoryState::Block* block_ =
      nullptr;  ///< of it, in the Infinity Cache; null when it is not followed
  std::uint64_t written_back_before_;
  /// Lines by channel since the window began: as many as the L2s hold back together.
  static constexpr std::size_t kChannels = 128;
  std::array<std::uint64_t, kChannels> channels_{};
  std::uint64_t window_lines_, window_ = 0;
  /// Lines that the workgroups of a round asked an L2 for, one workgroup for each unit: by die, by when their wave asked, by channel.
  static constexpr std::uint64_t kPhases = 64, kPhaseLines = 32;
  std::vector<std::uint32_t> l2_round_;
  static constexpr std::size_t kSeen = 1024;
  std::vector<std::uint64_t>
      seen_in_round_;  ///< by die and line, spread over places: line and round
  std::uint64_t round_ = 0, wave_lines_ = 0;
  std::uint32_t active_, l2_channels_;
  TrafficCounts counts_;
  std::uint64_t skipped_ = 0, weight_ = 1, followed_ = 0;
  LineSharers sharers_;  ///< of lines that are followed
  std::uint32_t last_workgroup_ = 0;
  static constexpr std::size_t kBuckets = 4096;
  std::vector<std::uint64_t> hot_;  ///< lanes of atomics by 64-byte line, spread over buckets
};

}  // namespace rpl::cycle
