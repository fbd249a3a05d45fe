// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/execute/state/races.h"

namespace rpl::emu {

/// "s_nop 13": what a build has at every barrier and fence of the source that is to be looked at by LaneRaces; compilers put no such instruction anywhere.
bool is_marker(const Op& op);

/// Follows what the lanes of each wave of a workgroup do to LDS between two markers. Lanes of a wave go in step, so that they need no instruction to wait for each other; the source
/// does need a barrier or a fence, else the next compiler may move what they hand each other. Two accesses by two instructions of different lanes to the same dword, at least one of them a
/// write, not both atomic, with no marker between, are a race.
class LaneRaces {
 public:
  /// The program is borrowed.
  LaneRaces(const Program& program, std::uint32_t workgroup, std::size_t lds_bytes,
            std::size_t waves);
  /// After `op` ran; markers too.
  void note(const Wave& wave, const Op& op, const Access& access);
  [[nodiscard]] const RaceFinder::Found& found() const { return found_; }

 private:
  /// What happened to a dword last, by lanes from 0.
  struct Cell {
    std::uint32_t write_interval = 0, read_interval = 0;
    std::uint32_t write_op = 0, read_op = 0;
    std::uint16_t write_wave = 0, read_wave = 0;
    std::uint8_t writer = 0, reader = 0;
    bool write_atomic = false, several_readers = false;
  };
  struct Now {
    std::uint32_t op = 0, interval = 0;
    std::uint16_t wave = 0;
    std::uint8_t lane = 0;
    bool write = false, atomic = false;
  };
  void touch(std::uint64_t dword, const Now& now);
  void report(std::uint64_t dword, const Now& now, std::uint32_t op, bool wrote);

  const Program& program_;
  std::uint32_t workgroup_;
  std::vector<std::uint32_t> intervals_;  ///< by wave, from 1
  std::vector<Cell> cells_;               ///< by dword
  RaceFinder::Found found_;
};

}  // namespace rpl::emu
