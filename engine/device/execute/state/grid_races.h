// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/device/execute/state/machine.h"
#include "engine/device/execute/state/races.h"
#include "engine/device/execute/state/wave_sync.h"

namespace rpl::emu {

/// Follows what the workgroups of a launch do to global memory: two accesses of different workgroups to the same byte, at least one of
/// them a write of another value, not both atomic, are a race unless one happens before the other. Order comes from atomics alone: what a
/// workgroup did before it wrote back its caches (a fence of agent scope or wider) happens before what another one does after an atomic that saw a later
/// atomic of the first. Accesses with the glc or scc bit count as atomic: compilers set one of them for atomic loads and stores. A workgroup counts as one thread here;
/// RaceFinder looks into it.
class GridRaces {
 public:
  /// `pages`: the only global memory that is followed; null: all. Borrowed like the others. `scoped`: where atomics have bits of scope, those without the scc bit count as stores, and only stores are followed.
  GridRaces(const Program& program, const Memory& memory, const PageSet* pages,
            bool scoped = false);
  /// After `op` ran.
  void note(const Wave& wave, const Op& op, const Access& access);
  /// All workgroups know what any of them had released when waves of all of them met.
  void note_meetings(const WaveSync& sync);
  [[nodiscard]] const RaceFinder::Found& found() const { return found_; }

 private:
  using Clock = std::map<std::uint32_t, std::uint32_t>;  ///< by workgroup: what of it is known
  /// What happened to a dword last; workgroups from 1.
  struct Cell {
    std::uint32_t writer = 0, write_epoch = 0, write_op = 0, value = 0;
    std::uint32_t reader = 0, read_epoch = 0, read_op = 0;
    std::uint32_t other_reader = 0, other_epoch = 0, other_op = 0;
    std::uint8_t written = 0, read = 0, other_read = 0;  ///< bytes of the dword
    bool write_atomic = false;
  };
  static constexpr std::size_t kLine = 64;
  using Line = std::array<Cell, kLine>;
  enum class Fence : std::uint8_t { none, release, acquire };
  struct Now {
    std::uint32_t op = 0, group = 0, epoch = 0;
    bool write = false, atomic = false;
  };
  struct Group {
    std::uint32_t epoch = 1;
    Clock known, released;
  };

  Line& line_at(std::uint64_t number);
  void touch(std::uint64_t dword, std::uint8_t bytes, const Now& now);
  void touch_bytes(std::uint64_t address, std::uint32_t bytes, const Now& now);
  void synchronize(std::uint64_t address, const Now& now);
  static void join(Clock& into, const Clock& from);
  void report(std::uint64_t dword, std::uint8_t bytes, const Now& now, std::uint32_t op,
              std::uint32_t group, bool wrote);
  [[nodiscard]] bool ordered(std::uint32_t group, std::uint32_t epoch, const Now& now) const;
  [[nodiscard]] std::uint32_t value_at(std::uint64_t dword);

  const Program& program_;
  const Memory& memory_;
  FollowedPages pages_;
  bool scoped_;
  std::vector<Fence> fences_;  ///< by operation
  std::unordered_map<std::uint64_t, std::unique_ptr<Line>> lines_;
  /// A line that was looked up, for the next dword that lies in it.
  struct Known {
    std::uint64_t number = ~std::uint64_t{0};
    Line* line = nullptr;
  };
  std::array<Known, 64> known_{};  ///< by the last digits of a line's number
  std::unordered_map<std::uint32_t, Group> groups_;
  std::unordered_map<std::uint64_t, Clock> told_;  ///< by address of an atomic: what it carries
  std::uint32_t meetings_ = 0;                     ///< seen so far
  const Region* region_ = nullptr;
  RaceFinder::Found found_;
};

}  // namespace rpl::emu
