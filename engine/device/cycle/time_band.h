// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rpl::cycle {

/// What a modelled time mostly is. How far the model is off differs between these, so each has a band of its own.
enum class TimeClass : std::uint8_t {
  launch,   ///< beginning and end of the dispatch
  memory,   ///< bandwidth of device memory, or of one of its channels
  mall,     ///< bandwidth of the Infinity Cache
  l2,       ///< bandwidth of the L2
  vl1d,     ///< the compute unit's path for vector memory: addresses, lines, L1
  lds,      ///< bandwidth of the LDS, conflicts among it
  compute,  ///< vector, scalar and matrix units, or the instructions of few waves
  atomics,  ///< atomics that meet in one line
  latency,  ///< waves that wait, with every unit and bandwidth to spare
  mixed,    ///< none of these
};
inline constexpr std::size_t kTimeClasses = 10;
/// As the keys band.low.NAME, band.high.NAME and band.ratio.NAME of the architecture files end.
std::string_view to_string(TimeClass one);
std::optional<TimeClass> time_class(std::string_view name);

/// What keeps a launch, cycles each: the longest says its class.
struct TimeParts {
  double total = 0;                         ///< launch and drain among it
  double launch = 0;                        ///< launch and drain
  std::array<double, kTimeClasses> busy{};  ///< by class, of what has a bandwidth or a rate
  double waiting = 0;                       ///< share of the lives of waves spent at s_waitcnt
};
TimeClass class_of(const TimeParts& parts);

/// What a launch takes, over its whole time, of the bandwidths that all compute units share: 0 to 1.
struct SharedBandwidth {
  double l2 = 0, mall = 0, memory = 0;
};

/// Bands in which nine of ten real values lie, by class of the modelled time: a real time lies between modelled * low and modelled * high, the real ratio of two
/// variants' times, whose errors have much in common, between modelled / (1 + ratio) and modelled * (1 + ratio).
/// From the architecture files (band.low.*, band.high.*, band.ratio.*); docs/cycle-model.md says how they were found. 0: not known.
struct Bands {
  std::array<double, kTimeClasses> low{}, high{}, ratio{};

  /// The ends of the band of a modelled time; nothing where the band is not known.
  [[nodiscard]] std::optional<double> low_of(TimeClass one, double modelled) const;
  [[nodiscard]] std::optional<double> high_of(TimeClass one, double modelled) const;
  /// Of two variants, of these classes: the wider one.
  [[nodiscard]] double ratio_of(TimeClass one, TimeClass other) const;
};

}  // namespace rpl::cycle
