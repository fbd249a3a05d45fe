// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/device/execute/launch/worker.h"

namespace rpl::emu {
namespace {

constexpr std::uint64_t kLongestStay = 96;  ///< wave-instructions before another wave goes on

}  // namespace

// What orders two waves is what they say to each other through memory, so a change there, before anything else is done, shows what is not ordered.
bool Worker::gives_way(const Op& op) {
  if (shared_.options.variation.side_by_side == 0 || !touches_memory(op.kind)) return false;
  gave_way_ = random_() % 4 == 0;
  return gave_way_;
}

// A launch whose workgroups wait for each other may need more of them in flight than there are; its budget of instructions then ends it.
Status Worker::run_side_by_side() {
  const std::uint32_t most =
      std::min(shared_.options.variation.side_by_side, shared_.most_resident);
  while (!shared_.stop.load(std::memory_order_relaxed)) {
    while (active_.size() < most && start_next()) {
    }
    if (active_.empty()) return {};
    const std::size_t chosen = random_() % active_.size();
    InFlight& flight = *active_[chosen];
    machine_.lds = std::span<std::byte>(flight.group.lds).first(shared_.prepared.lds_bytes);
    failed_at = flight.group.number;
    std::vector<Wave*> ready;
    for (Wave& wave : flight.group.waves) {
      if (wave.state == Wave::State::ready) ready.push_back(&wave);
    }
    if (ready.empty()) {
      if (!open_barrier(flight)) end_workgroup(chosen);
      continue;
    }
    gave_way_ = false;
    TRY(run_wave(flight, *ready[random_() % ready.size()], 1 + random_() % kLongestStay));
  }
  return {};
}

}  // namespace rpl::emu
