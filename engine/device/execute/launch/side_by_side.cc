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
  // Between an atomic load and the store of what was made of it all others may come.
  const Access& access = machine_.access;
  const bool reads = access.space == Access::Space::global && !access.store && !access.atomic;
  const bool atomic = op.instruction->glc || op.instruction->scc;
  if (reads && atomic && op.kind == isa::Class::vmem && random_() % 2 == 0)
    gave_way_ = holds_ = true;
  return gave_way_;
}

bool Worker::all_are_held() const {
  return std::ranges::all_of(active_, [](const auto& flight) {
    return std::ranges::all_of(flight->group.waves, [](const Wave& wave) {
      return wave.state != Wave::State::ready || wave.held;
    });
  });
}

void Worker::release_held() {
  for (const auto& flight : active_) {
    for (Wave& wave : flight->group.waves) wave.held = false;
  }
}

bool Worker::all_wait_for_others() {
  return std::ranges::all_of(active_, [&](const auto& flight) {
    return waits_for_others(*flight) &&
           std::ranges::all_of(flight->group.waves,
                               [](const Wave& wave) { return wave.state != Wave::State::ready; });
  });
}

// Workgroups that may wait for each other are in flight all at once, if they fit. Where they do without saying so, the launch's budget of instructions ends it.
Status Worker::run_side_by_side() {
  const std::uint32_t most =
      waits_for_grid(shared_.prepared)
          ? shared_.most_resident
          : std::min(shared_.options.variation.side_by_side, shared_.most_resident);
  while (!shared_.stop.load(std::memory_order_relaxed)) {
    while (active_.size() < most && start_next()) {
    }
    if (active_.empty()) return {};
    const std::size_t chosen = random_() % active_.size();
    InFlight& flight = *active_[chosen];
    machine_.lds = std::span<std::byte>(flight.group.lds).first(shared_.prepared.lds_bytes);
    failed_at = flight.group.number;
    std::vector<Wave*> ready;
    bool any_held = false;
    const bool waits = waits_for_others(flight);
    for (Wave& wave : flight.group.waves) {
      if (wave.state != Wave::State::ready) continue;
      any_held = any_held || wave.held;
      if (!wave.held) ready.push_back(&wave);
    }
    if (ready.empty() && any_held) {
      if (all_are_held()) release_held();
      continue;
    }
    if (ready.empty() && waits) {
      if (all_wait_for_others() && !start_next()) return deadlock();
      continue;
    }
    if (ready.empty()) {
      if (!open_barrier(flight)) end_workgroup(chosen);
      continue;
    }
    gave_way_ = holds_ = false;
    Wave& wave = *ready[random_() % ready.size()];
    TRY(run_wave(flight, wave, 1 + random_() % kLongestStay));
    wave.held = holds_;
  }
  return {};
}

}  // namespace rpl::emu
