// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// Counters at which waves of different workgroups wait for each other: global wave sync (CDNA ISA documents, DS_GWS_BARRIER). A launch has all of them to
/// itself. A value that can be copied while no thread arrives.
class WaveSync {
 public:
  static constexpr unsigned kCounters = 64;

  /// A wave arrives at a counter where it meets `others` waves. True for the last one, which lets the others go on; false when it waits.
  bool arrive(unsigned counter, std::uint32_t others) {
    const std::atomic_ref<std::uint64_t> state(states_[counter]);
    std::uint64_t seen = state.load();
    for (;;) {
      const bool last = static_cast<std::uint32_t>(seen) >= others;
      const std::uint64_t next = last ? ((seen >> kMeeting) + 1) << kMeeting : seen + 1;
      if (!state.compare_exchange_weak(seen, next)) continue;
      if (last) ++std::atomic_ref(meetings_);
      return last;
    }
  }
  /// Of all counters.
  [[nodiscard]] std::uint32_t meetings() const {
    return std::atomic_ref(const_cast<std::uint32_t&>(meetings_)).load(std::memory_order_relaxed);
  }
  /// How often all that meet there have met.
  [[nodiscard]] std::uint32_t met(unsigned counter) const {
    const std::atomic_ref<std::uint64_t> state(const_cast<std::uint64_t&>(states_[counter]));
    return static_cast<std::uint32_t>(state.load() >> kMeeting);
  }
  /// Whether the wave waits here; one whose others have arrived becomes ready.
  bool holds(Wave& wave) const {
    if (wave.state != Wave::State::at_grid_barrier) return false;
    if (met(wave.counter) == wave.met_at_counter) return true;
    wave.state = Wave::State::ready;
    return false;
  }

 private:
  static constexpr unsigned kMeeting = 32;
  std::uint32_t meetings_ = 0;
  alignas(
      64) std::array<std::uint64_t, kCounters> states_{};  ///< waves that wait; above them meetings
};

}  // namespace rpl::emu
