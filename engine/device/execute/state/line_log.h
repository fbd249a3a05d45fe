// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/cycle/cache.h"

namespace rpl::emu {

/// Multiplied into a line number so that the bits from kHashShift on are those of cycle::line_hash().
inline constexpr std::uint64_t kLineFactor = 0x9E3779B97F4A7C15;
inline constexpr unsigned kHashShift = 20;

/// The lines that the waves of one workgroup touched, in the order of each wave: of long ones a sample of the sets of a cache. Sampling
/// depends on nothing but the workgroup's accesses, so that it is the same in every run however threads share the workgroups out.
class LineLog {
 public:
  enum class Kind : std::uint8_t { load, write, scalar };
  struct Touch {
    std::uint64_t line;
    std::uint32_t operation;
    Kind kind;
  };
  static constexpr std::uint64_t kMostSkipped =
      15;  ///< a vector L1 has as many sets and one; of a scalar cache with half of them, every second line is lost
  static constexpr std::size_t kMost = std::size_t{1}
                                       << 16;  ///< touches of a workgroup that are kept

  /// For the next workgroup. Lines whose hash has one of the bits of `skipped` are not wanted.
  void begin(std::uint64_t skipped);
  /// The touches that follow are of this wave of the workgroup.
  void enter(std::uint32_t wave) {
    if (wave >= waves_.size()) make_room(wave);
    wave_ = wave;
  }
  /// Lines first + line[i]; `spread` holds line[i] * kLineFactor.
  void note(std::uint32_t operation, Kind kind, std::uint64_t first,
            std::span<const std::uint64_t> line, const std::uint64_t* spread) {
    const std::uint64_t begin = first * kLineFactor, skipped = skipped_ << kHashShift;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (((begin + spread[i]) & skipped) == 0) keep({first + line[i], operation, kind});
    }
  }

  /// One line whose hash has none of the bits of skipped().
  void keep(const Touch& touch) {
    if (full_) return;
    waves_[wave_].push_back(touch);
    if (++size_ > kMost) thin_out();
  }

  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
  /// By wave.
  [[nodiscard]] const std::vector<std::vector<Touch>>& waves() const { return waves_; }

 private:
  void make_room(std::uint32_t wave);
  void thin_out();

  std::vector<std::vector<Touch>> waves_;
  std::uint64_t skipped_ = 0;
  std::size_t size_ = 0;
  std::uint32_t wave_ = 0;
  bool full_ = false;  ///< what follows is not kept
};

}  // namespace rpl::emu
