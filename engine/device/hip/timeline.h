// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <ranges>
#include <vector>

namespace rpl::emu::hip {

/// A span of virtual time, ns.
struct Span {
  std::int64_t start = 0, end = 0;
  [[nodiscard]] std::int64_t duration() const { return end - start; }
};

/// What a kernel takes of its device, each 0 to 1: of the places for workgroups, and of the bandwidth of the L2, the Infinity Cache and the memory.
struct DeviceLoad {
  double places = 1;
  std::array<double, 3> bandwidths{};
};

/// Where work of one device lies in virtual time. Kernels of different queues run beside each other as long as their workgroups fit on the device together. Where they
/// want more of a bandwidth than there is, the one that is placed later gets what is left and takes longer; what was placed keeps its time, so that together they take as
/// long as if they had shared evenly. What copies share: one engine for each direction.
class Timeline {
 public:
  enum class Engine : std::uint8_t { to_device, from_device, on_device };

  /// The first span from `ready` on in which the places are free, and takes it; `duration`: with the device for itself.
  Span place_kernel(std::int64_t ready, std::int64_t duration, const DeviceLoad& load);
  /// The same on a copy engine, which does one thing after the other.
  Span place_copy(Engine engine, std::int64_t ready, std::int64_t duration);
  /// Nothing will be placed before `time` any more.
  void forget_before(std::int64_t time);

 private:
  struct Taken {
    Span span;
    DeviceLoad load;
  };
  using Kernels = std::deque<Taken>;
  /// Those that end after `time`: what ended before it changes nothing from then on.
  [[nodiscard]] std::ranges::subrange<Kernels::const_iterator> after(std::int64_t time) const;
  [[nodiscard]] std::int64_t busy_until(const Span& wanted, double places) const;
  [[nodiscard]] std::int64_t end_of(std::int64_t start, std::int64_t duration,
                                    const DeviceLoad& load) const;
  [[nodiscard]] double speed_at(std::int64_t time, const DeviceLoad& load) const;

  Kernels kernels_;  ///< by end
  std::int64_t engines_[3] = {0, 0, 0};
};

}  // namespace rpl::emu::hip
