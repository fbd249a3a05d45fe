// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/cycle/memory_side.h"

namespace rpl::cycle {

/// Lines of all workgroups of a launch on their way to the memory of the device, in the order in which the workgroups run: what one finds
/// in the L2 because another was there, and what goes on to memory. Of long launches a sample of the sets of each cache is followed.
class DeviceTraffic {
 public:
  /// `active`: compute units that work.
  DeviceTraffic(const Parameters& parameters, std::uint32_t active, std::size_t operations);

  void touch(std::uint32_t operation, std::span<const std::uint64_t> lines, std::uint32_t workgroup,
             bool store) {
    for (const std::uint64_t line : lines) {
      const std::uint64_t hash = line_hash(line);
      if ((hash & skipped_) == 0) follow(operation, line, hash, workgroup, store);
    }
  }

  [[nodiscard]] std::vector<FirstTouch> first_touches() const;
  /// Of the lines that an operation touched, the share that the L2 did not have; 0 when none was followed.
  [[nodiscard]] double missing_share(std::size_t operation) const {
    const Row& row = rows_[operation];
    return row.all == 0 ? 0 : static_cast<double>(row.missing) / static_cast<double>(row.all);
  }
  /// Bytes that the L2 asks of what lies behind it, and gives to it.
  [[nodiscard]] std::uint64_t read_bytes() const { return read_lines_ * line_; }
  [[nodiscard]] std::uint64_t written_bytes() const { return written_lines_ * line_; }
  /// Of both, what the Infinity Cache does not have.
  [[nodiscard]] std::uint64_t memory_bytes() const { return memory_lines_ * line_; }
  [[nodiscard]] std::uint64_t l2_misses() const { return read_lines_ + written_lines_; }
  /// Whether only a sample of the lines was followed.
  [[nodiscard]] bool sampled() const { return skipped_ != 0; }

 private:
  struct Row {
    std::uint64_t first = 0, in_l2 = 0,
                  in_mall = 0;  ///< of lines that a workgroup touches for the first time
    std::uint64_t all = 0, missing = 0;
  };
  void follow(std::uint32_t operation, std::uint64_t line, std::uint64_t hash,
              std::uint32_t workgroup, bool store);

  std::uint32_t line_;
  std::vector<TagCache> l2_;  ///< by XCD
  std::vector<TagCache> mall_;
  TagCache own_;  ///< what the same workgroup had before
  std::vector<Row> rows_;
  std::uint64_t skipped_ = 0, weight_ = 1, followed_ = 0;
  std::uint64_t read_lines_ = 0, written_lines_ = 0, memory_lines_ = 0;
};

}  // namespace rpl::cycle
