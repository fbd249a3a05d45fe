// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// Pages of global memory by address / kPageBytes.
using PageSet = std::unordered_set<std::uint64_t>;
inline constexpr std::uint64_t kPageBytes = 4096;

/// Says of pages whether they are in a set, quickly of one that was asked about before. Borrows the set; null: every page is.
class FollowedPages {
 public:
  explicit FollowedPages(const PageSet* pages) : pages_(pages) {}
  [[nodiscard]] bool contains(std::uint64_t address) {
    if (pages_ == nullptr) return true;
    const std::uint64_t page = address / kPageBytes;
    if (page != last_) {
      last_ = page;
      last_is_in_ = pages_->contains(page);
    }
    return last_is_in_;
  }

 private:
  const PageSet* pages_;
  std::uint64_t last_ = ~std::uint64_t{0};
  bool last_is_in_ = false;
};

/// Two accesses of different waves of one workgroup to the same byte, at least one of them a write, not both atomic, with no barrier
/// between them; or of different workgroups, with nothing that orders them. Each pair of instructions is told once,
/// in whichever order they were seen first.
struct Race {
  bool lds = false;           ///< in LDS, else in global memory
  bool across = false;        ///< of two workgroups: the waves below are numbers of workgroups
  std::uint64_t address = 0;  ///< of the first such byte
  std::uint32_t first = 0,
                second = 0;  ///< operations of the program, in the order in which they ran
  std::uint32_t first_wave = 0, second_wave = 0;  ///< within the workgroup
  bool first_writes = false, second_writes = false;
  std::uint32_t workgroup = 0;  ///< the first that was seen
  std::uint64_t times = 0;      ///< bytes and lanes at which it happened
  std::string place =
      {};  ///< "LDS byte 256", "byte 512 of argument 2 (1024 bytes at 0x7f0000000000)"
  /// Whose operations these are, where a run has several programs. Null: those of the launch.
  std::shared_ptr<const Program> program = nullptr;
};

/// Follows what the waves of one workgroup do between two barriers. Waves that order their accesses by flags in memory instead of a
/// barrier are reported as well; what lanes of one wave do is in order. Accesses with the glc or scc bit count as atomic: compilers
/// set one of them for atomic loads.
class RaceFinder {
 public:
  /// `pages`: the only global memory of which reads are followed; null: all. Borrowed like the program.
  RaceFinder(const Program& program, std::uint32_t workgroup, std::size_t lds_bytes,
             const PageSet* pages = nullptr);

  /// Every wave has come to the barrier: what they did before is ordered with what they do next.
  void barrier() { ++interval_; }
  /// After `op` ran.
  void note(const Wave& wave, const Op& op, const Access& access);

  using Found = std::map<std::pair<std::uint32_t, std::uint32_t>,
                         Race>;  ///< by the two operations, the lower one first
  [[nodiscard]] const Found& found() const { return found_; }

 private:
  /// What happened to a dword, or to a byte of one that is not used as a whole, last. Intervals count from 1.
  struct Cell {
    std::uint32_t write_interval = 0, read_interval = 0;
    std::uint32_t write_op = 0, read_op = 0;
    std::uint16_t writer = 0, reader = 0, other_reader = 0;
    bool write_atomic = false, several_readers = false;
  };
  static constexpr std::size_t kLine = 64;  ///< bytes
  struct Line {
    std::array<Cell, kLine / 4> dwords;
    std::unique_ptr<std::array<Cell, kLine>> bytes;  ///< in place of them, once a part was used
  };
  struct Now {
    std::uint32_t op = 0;
    std::uint16_t wave = 0;
    bool write = false, atomic = false;
  };
  /// A line that was looked up, for the next one that looks.
  struct Known {
    std::uint64_t number = ~std::uint64_t{0};
    Line* line = nullptr;
  };

  Line* line_at(std::uint64_t number, bool lds);
  void forget_global();
  void touch_bytes(std::uint64_t address, std::uint32_t bytes, bool lds, const Now& now);
  void touch(Cell& cell, std::uint64_t address, std::uint32_t bytes, bool lds, const Now& now);
  void report(std::uint64_t address, std::uint32_t bytes, bool lds, const Now& now,
              std::uint32_t op, std::uint32_t wave, bool wrote);

  const Program& program_;
  std::uint32_t workgroup_ = 0;
  std::uint32_t interval_ = 1;
  std::size_t lds_bytes_ = 0;
  std::vector<Line> lds_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Line>> global_;
  std::array<Known, 256> known_{};  ///< by the last digits of a line's number
  FollowedPages pages_;
  Found found_;
};

/// Adds the races that another thread found, each pair once.
void merge(RaceFinder::Found& races, const RaceFinder::Found& others);

/// Counts `race`, which was seen at so many bytes, for its pair of operations, of which the first that was seen says where. At most `most` pairs are kept.
void count_race(RaceFinder::Found& races, std::size_t most, const Race& race,
                std::uint32_t times = 1);

/// A sentence: "wave 1 reads LDS byte 256 at 0x1950 (reduce.hip:31:5), which wave 0 wrote at 0x1904 (reduce.hip:28:5) with no barrier between".
/// `of_launch`: whose operations they are where the race names no program itself.
std::string sentence_of(const Race& race, const Program& of_launch);

}  // namespace rpl::emu
