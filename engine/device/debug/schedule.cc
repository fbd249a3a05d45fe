// SPDX-License-Identifier: MIT
#include "engine/device/debug/schedule.h"

#include <algorithm>
#include <utility>

#include "engine/device/execute/launch/worker.h"

namespace rpl::debug {
namespace {

using emu::Wave;

using emu::kFirstSlice;
using emu::kLeastSlice;
using emu::kTurn;

}  // namespace

Schedule::Schedule(const emu::Prepared& prepared, std::uint32_t most_resident)
    : prepared_(&prepared), most_resident_(std::max(most_resident, 1U)), slice_(kFirstSlice) {
  if (start_next()) enter_group();
}

bool Schedule::start_next() {
  if (next_ >= prepared_->count() || next_ - ended_ >= most_resident_) return false;
  emu::start_workgroup(*prepared_, next_, active_.emplace_back());
  ++next_;
  return true;
}

Wave* Schedule::running() { return active_.empty() ? nullptr : &active_[group_].waves[wave_]; }

std::uint64_t Schedule::turn() const { return std::min(kTurn - since_clock_, left_); }

void Schedule::ran(std::uint64_t instructions, bool slept) {
  left_ -= instructions;
  since_clock_ += instructions;
  const bool ready = running()->state == Wave::State::ready;
  if (ready && !slept && turn() > 0) return;
  clock_ += since_clock_;
  since_clock_ = 0;
  if (ready && !slept && left_ > 0) return;
  group_cut_ = group_cut_ || ready;
  used_up_ = used_up_ || (ready && !slept);
  ++wave_;
  next_wave();
}

void Schedule::enter_group() {
  wave_ = 0;
  group_cut_ = false;
  next_wave();
}

// From wave_ on, the first that can run; over the groups and rounds until there is one or all have ended.
void Schedule::next_wave() {
  while (!active_.empty()) {
    auto& waves = active_[group_].waves;
    while (wave_ < waves.size() &&
           (wave_sync_.holds(waves[wave_]) || waves[wave_].state != Wave::State::ready))
      ++wave_;
    if (wave_ < waves.size()) {
      left_ = slice_;
      return;
    }
    if (!leave_group()) continue;
    if (group_ == active_.size() && !end_of_round()) return;
  }
}

bool Schedule::leave_group() {
  const bool cut = std::exchange(group_cut_, false) ||
                   std::ranges::any_of(active_[group_].waves, [](const Wave& wave) {
                     return wave.state == Wave::State::at_grid_barrier;
                   });
  wave_ = 0;
  if (cut) {
    ++group_;
    return true;
  }
  bool waiting = false;
  for (Wave& wave : active_[group_].waves) {
    if (wave.state != Wave::State::at_barrier) continue;
    wave.state = Wave::State::ready;
    waiting = true;
  }
  if (waiting) return false;
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(group_));
  ++ended_;
  any_ended_ = true;
  return true;
}

bool Schedule::end_of_round() {
  group_ = 0;
  if (!std::exchange(any_ended_, false)) {
    slice_ = std::max(slice_ / 4, kLeastSlice);
    const std::size_t before = active_.size();
    for (std::size_t more = used_up_ ? 1 : before; more > 0 && start_next(); --more) {
    }
    if (active_.size() == before) ++fruitless_;
  }
  used_up_ = false;
  if (active_.empty()) start_next();
  return stuck() == nullptr;
}

const Wave* Schedule::stuck() const {
  const Wave* first = nullptr;
  for (const emu::Workgroup& group : active_) {
    bool waits = false;
    for (const Wave& wave : group.waves) {
      const bool at_grid = wave.state == Wave::State::at_grid_barrier;
      if (wave.state == Wave::State::ready ||
          (at_grid && wave_sync_.met(wave.counter) != wave.met_at_counter))
        return nullptr;
      waits = waits || at_grid;
      if (at_grid && first == nullptr) first = &wave;
    }
    if (!waits) return nullptr;
  }
  return first;
}

Wave* Schedule::find(WaveId id) {
  for (emu::Workgroup& group : active_) {
    if (group.number == id.workgroup && id.wave < group.waves.size()) return &group.waves[id.wave];
  }
  return nullptr;
}

std::uint64_t Schedule::bytes() const {
  std::uint64_t sum = 0;
  for (const emu::Workgroup& group : active_) {
    sum += group.lds.size();
    for (const Wave& wave : group.waves)
      sum += sizeof(Wave) + wave.vgprs.size() * sizeof(emu::LaneRegister) + wave.scratch.size();
  }
  return sum;
}

}  // namespace rpl::debug
