// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "engine/att/wave_file.h"

namespace rpl::att {

/// The time that the waves of a trace lived in, as its list of waves says; nothing when that has no times.
struct WaveSpan {
  std::int64_t first = 0, last = 0;
};
std::optional<WaveSpan> span_of(const std::vector<WaveFile>& waves);

/// Wave states over time for traces without wstates files: in narrow bins, from the timelines in the wave files, and from the instructions for
/// waves without one (by the rules of docs/thread-traces.md). A wave counts only when commit() is called for it.
class WaveStrip {
 public:
  explicit WaveStrip(WaveSpan span);

  void restart(const WaveHead& head);
  void instructions(std::span<const WaveInstruction> some);
  /// A run of the stored timeline.
  void run(std::int64_t state, std::int64_t from, std::int64_t cycles);
  void commit();
  void merge(const WaveStrip& other);

  /// Wave-cycles by state and bin.
  [[nodiscard]] const StateStrip& from_timelines() const { return recorded_; }
  /// EXEC is what is left of the waves' lives.
  [[nodiscard]] StateStrip from_instructions() const;

 private:
  struct Piece {
    std::size_t state = 0;
    std::int64_t from = 0, to = 0;
  };
  /// Cycles of one state in one bin.
  struct Share {
    std::size_t state = 0, bin = 0;
    double cycles = 0;
  };
  /// Of one wave. A piece goes into the last share of its state where that is of the same bin: nearly always, because time goes on.
  struct Shares {
    std::vector<Share> all;
    std::array<std::size_t, kWaveStates>
        last{};  ///< by state: index into `all`, plus one; 0 = none
  };
  void add(const Piece& piece, Shares& into) const;
  static void pour(const Shares& shares, StateStrip& into);

  StateStrip recorded_, rebuilt_;
  WaveHead head_;
  bool began_ = false;
  std::int64_t busy_until_ = 0;
  Shares runs_, pieces_;  ///< of the wave that is being read
};

}  // namespace rpl::att
