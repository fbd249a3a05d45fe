// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/device/execute/launch/bounded.h"
#include "engine/device/execute/state/grid_races.h"
#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// Which way a launch took through its program.
struct Path {
  /// By operation: it ran with at least one lane.
  std::vector<bool> ran;
  /// By operation, of v_cndmask, s_cselect, s_and_saveexec and branches by scc and vcc: bit 0, the condition was false for an active lane; bit 1, it was true for one. Where two masks
  /// are combined, the same of the second one in bits 2 and 3. Of what keeps a number within a constant: bit 0, it was within; bit 1, it was beyond.
  std::vector<std::uint8_t> chosen;
  /// Of every operation, its lanes and the addresses that it went to, in the order in which they ran; 0 where nobody asked.
  std::uint64_t trace = 0;
  PageSet written_pages;  ///< of global memory
  /// A barrier at which lanes of a wave were off that went on behind it: an operation of the program.
  std::optional<std::uint32_t> split_barrier;
};

/// Notes the path of a launch on one thread.
class PathWatch {
 public:
  PathWatch(const Program& program, bool traces);
  /// Whether before() has anything to note of an operation, as it always has the first time.
  [[nodiscard]] bool looks_at(std::uint32_t at) const { return !settled_[at] || !left_.empty(); }
  /// Before an operation runs.
  void before(const Wave& wave, std::uint32_t at);
  /// Whether after() has.
  [[nodiscard]] bool looks_behind(std::uint32_t at) const { return traces_ || stores_[at]; }
  /// After it ran with these lanes; of one that touches memory, `access` says where.
  void after(const Op& op, std::uint32_t at, std::uint64_t exec, const Access& access);

  [[nodiscard]] const Path& path() const { return path_; }

 private:
  enum class Choice : std::uint8_t {
    none,
    by_vcc,
    by_pair,
    by_scc,
    branch_by_vcc,
    lanes,
    both_masks,
    bounded
  };
  /// What an operation makes of all lanes: on, or again as a register has them.
  enum class Exec : std::uint8_t { other, whole, kept };
  void mix(std::uint64_t value) {
    path_.trace = (path_.trace ^ value) * kOdd;
    path_.trace ^= path_.trace >> 29;
  }
  void mix_addresses(const Access& access);
  static Exec exec_of(const Op& op);
  void look_for_split(const Wave& wave, std::uint32_t at);
  void add_page(std::uint64_t page) {
    if (page == last_page_) return;
    last_page_ = page;
    path_.written_pages.insert(page);
  }
  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;

  const Program& program_;
  const bool traces_;
  std::vector<Choice> choices_;
  std::vector<bool> scalar_;
  std::vector<char> settled_;  ///< it ran, and chooses nothing
  std::vector<char> stores_;   ///< it may write to global memory
  std::vector<Exec> exec_;
  std::unordered_map<std::uint32_t, Bound> bounds_;  ///< by operation
  /// What was off at the last barrier of a wave, by workgroup and number.
  struct Left {
    std::uint32_t barrier = 0;
    std::uint64_t lanes = 0;
    std::uint64_t pending = 0;  ///< those that may be on again at the next vector instruction
    bool whole = false;         ///< the compiler has all lanes on for a while, whoever has left
  };
  std::unordered_map<std::uint64_t, Left> left_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  Path path_;
};

}  // namespace rpl::emu
