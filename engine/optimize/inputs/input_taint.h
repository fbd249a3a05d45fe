// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "engine/device/execute/launch/launch.h"

namespace rpl {

/// Which conditions of a kernel depend on its inputs (memory, arguments, which workgroup it is and of how many), and which on the workgroup alone: its size, the numbers of
/// its work-items, constants. Found by following the inputs through registers, masks and ways of control, until nothing changes; what is in doubt counts as dependent. Code
/// behind a condition of the workgroup alone runs on every input or on none.
class InputTaint {
 public:
  /// The program needs its code object.
  explicit InputTaint(const emu::Program& program);

  /// Whether the condition of a branch depends on inputs: which of both ways it goes.
  [[nodiscard]] bool of_branch(std::size_t at) const;
  /// Whether that of a choice does, branches included (see emu::Path).
  [[nodiscard]] bool of_choice(std::size_t at) const;
  /// Whether one of the two masks that an instruction combines does, 0 or 1.
  [[nodiscard]] bool of_mask(std::size_t at, unsigned which) const;
  /// Whether the condition does by which lanes were last switched off before an instruction.
  [[nodiscard]] bool of_lanes(std::size_t at) const;

 private:
  static constexpr unsigned kVectors = 1024, kScalars = 128;
  enum Extra : unsigned {
    kScc = kVectors + kScalars,
    kExec,           ///< the mask of lanes
    kLastCondition,  ///< what was last taken from it
    kBits
  };
  using Pointers = std::array<std::int16_t, kScalars>;
  static constexpr std::size_t kMostLevels = 24;
  /// Lanes that were switched off, and are to be switched on again from a mask that is kept.
  struct Level {
    unsigned mask = kScalars;            ///< the first of the SGPRs that hold that mask
    bool depends = false;                ///< which lanes are off depends on inputs
    std::bitset<kVectors> written = {};  ///< since then: the lanes that are off have other values
    [[nodiscard]] bool operator==(const Level&) const = default;
  };
  struct State {
    std::bitset<kBits> tainted;
    std::bitset<kVectors>
        off_tainted;            ///< what lanes hold that were off when a register was written
    std::vector<Level> levels;  ///< never empty once reached: the first are all lanes of the wave
    /// By SGPR: how many bytes into the argument segment it points, or from kPacket on into the dispatch packet; kHigh: the high half of such a pointer; -1: neither.
    Pointers pointer{};
    bool reached = false;
  };
  static constexpr std::int16_t kPacket = 16384, kHigh = -2;
  struct Span {
    std::size_t begin, end;
  };

  [[nodiscard]] State at_entry() const;
  void solve();
  void step(std::size_t at, State& state) const;
  void step_exec(const emu::Op& op, State& state) const;
  static void switch_on(std::size_t level, State& state);
  static void follow_lanes(const emu::Op& op, bool condition, State& state);
  static bool merge_levels(const std::vector<Level>& from, std::vector<Level>& into);
  void write(const emu::Op& op, bool tainted, State& state) const;
  [[nodiscard]] bool reads_tainted(const emu::Op& op, const State& state) const;
  void follow_pointer(const emu::Op& op, const Pointers& before, State& state) const;
  [[nodiscard]] bool loads_size(const emu::Op& op, const State& state) const;
  [[nodiscard]] bool condition(std::size_t at, const State& state) const;
  bool flow(std::size_t from, std::size_t to, State state);
  void add_written(Span span, State& state) const;
  [[nodiscard]] std::vector<std::size_t> between(std::size_t branch) const;

  const std::vector<emu::Op>& ops_;
  const isa::Kernel* kernel_ = nullptr;
  std::size_t entry_;
  std::vector<State> before_;
  std::vector<bool> tainted_branch_;
  std::vector<std::size_t> join_;                        ///< by operation, see joins()
  std::vector<std::vector<std::size_t>> on_either_way_;  ///< by branch that depends on inputs
};

}  // namespace rpl
