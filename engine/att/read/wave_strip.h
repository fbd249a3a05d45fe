// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/att/read/wave_file.h"

namespace rpl::att {

/// The time that the waves of a trace lived in, as its list of waves says; nothing when that has no times.
struct WaveSpan {
  std::int64_t first = 0, last = 0;
};
std::optional<WaveSpan> span_of(const std::vector<WaveFile>& waves);

/// Wave states over time for traces without wstates files: in narrow bins, from the timelines in the wave files, and from what the collector
/// rebuilds of the instructions for waves without one. A wave counts only when commit() is called for it.
class WaveStrip {
 public:
  explicit WaveStrip(WaveSpan span);

  /// Forgets the wave that was being read.
  void restart();
  /// The instructions say that the wave was in `state`, which is not EXEC, from .. to.
  void rebuilt(std::size_t state, std::int64_t from, std::int64_t to);
  /// A run of the stored timeline.
  void run(std::int64_t state, std::int64_t from, std::int64_t cycles);
  /// The wave lived from .. to.
  void commit(std::int64_t from, std::int64_t to);
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
  void add(const std::vector<Piece>& pieces, StateStrip& into) const;

  StateStrip recorded_, rebuilt_;
  std::vector<Piece> runs_, pieces_;  ///< of the wave that is being read
};

/// Calls add(bin, length) for the pieces of [from, to) that fall into bins of `width`, the last of which is open.
template <class Add>
void spread_over_bins(double from, double to, double width, std::size_t bins, Add&& add) {
  auto bin = std::min(static_cast<std::size_t>(std::max(from / width, 0.0)), bins - 1);
  while (from < to) {
    const double until = bin + 1 == bins ? to : std::min(to, static_cast<double>(bin + 1) * width);
    // Rounding may put the end of the bin before `from`.
    if (until > from) {
      add(bin, until - from);
      from = until;
    }
    if (bin + 1 < bins) ++bin;
  }
}

}  // namespace rpl::att
