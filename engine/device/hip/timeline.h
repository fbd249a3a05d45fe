// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace rpl::emu::hip {

/// A span of virtual time, ns.
struct Span {
  std::int64_t start = 0, end = 0;
  [[nodiscard]] std::int64_t duration() const { return end - start; }
};

/// Where work of one device lies in virtual time. What kernels share: each takes the share of the device that its workgroups fill, and
/// kernels of different queues run beside each other as long as the shares add up to at most the whole device; they do not slow each
/// other down further. What copies share: one engine for each direction.
class Timeline {
 public:
  enum class Engine : std::uint8_t { to_device, from_device, on_device };

  /// The first span of `duration` from `ready` on in which `share` (0 to 1) of the device is free, and takes it.
  Span place_kernel(std::int64_t ready, std::int64_t duration, double share);
  /// The same on a copy engine, which does one thing after the other.
  Span place_copy(Engine engine, std::int64_t ready, std::int64_t duration);
  /// Nothing will be placed before `time` any more.
  void forget_before(std::int64_t time);

 private:
  struct Taken {
    Span span;
    double share = 0;
  };
  [[nodiscard]] std::int64_t busy_until(const Span& wanted, double share) const;

  std::deque<Taken> kernels_;  ///< by end
  std::int64_t engines_[3] = {0, 0, 0};
};

}  // namespace rpl::emu::hip
