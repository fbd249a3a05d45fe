// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/device/execute/launch/worker.h"

namespace rpl::emu {
namespace {

constexpr unsigned kLongestLoop = 4096;  ///< wave-instructions
constexpr unsigned kMostComparisons =
    64;  ///< a loop may come by the same place with other registers
constexpr unsigned kApertureShift = 32;

bool same_state(const Wave& a, const Wave& b) {
  return a.pc == b.pc && a.scc == b.scc && a.sgprs == b.sgprs && a.scratch == b.scratch &&
         std::equal(a.vgprs.begin(), a.vgprs.end(), b.vgprs.begin(), b.vgprs.end(),
                    [](const LaneRegister& x, const LaneRegister& y) { return x.lane == y.lane; });
}

/// What the atomics of a loop go to.
struct Word {
  const std::byte* host = nullptr;
  std::uint32_t bytes = 0;
  std::uint64_t value = 0;
};

std::uint64_t read(const Word& word) {
  std::uint64_t value = 0;
  std::memcpy(&value, word.host, std::min<std::size_t>(word.bytes, sizeof(value)));
  return value;
}

const std::byte* host_of(const Machine& machine, std::uint64_t address, bool lds) {
  const bool aperture = !lds && address >> kApertureShift == kSharedBaseHigh;
  const std::uint64_t offset = aperture ? address & 0xffffffffU : address;
  if (lds || aperture) return offset < machine.lds.size() ? machine.lds.data() + offset : nullptr;
  const Region* region = machine.memory->find(address);
  return region == nullptr ? nullptr : region->host + (address - region->base);
}

enum class Effect { none, atomic, store };

Effect effect_of(const Op& op, const Access& access) {
  const bool memory = touches_memory(op.kind);
  if (memory && access.into_lds != 0 && access.active != 0) return Effect::store;
  if (!memory || !access.store || access.active == 0) return Effect::none;
  if (access.space == Access::Space::scratch) return Effect::none;
  return access.atomic ? Effect::atomic : Effect::store;
}

bool remember(const Machine& machine, std::vector<Word>& words) {
  const Access& access = machine.access;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const std::byte* host =
        host_of(machine, access.address[lane], access.space == Access::Space::lds);
    if (host == nullptr) return false;
    words.push_back({.host = host, .bytes = access.bytes});
  }
  return true;
}

/// Runs until the wave is again as in `start`. The number of instructions, or 0 when it did not come back or stored something.
unsigned come_back(Machine& machine, Wave& wave, const std::function<bool()>& step,
                   const Wave& start, std::vector<Word>& atomics) {
  const Op* ops = machine.program->ops.data();
  unsigned compared = 0;
  for (unsigned done = 1; done <= kLongestLoop && compared < kMostComparisons; ++done) {
    const Op& op = ops[wave.pc];
    machine.access.active = 0;
    if (!step()) return 0;
    const Effect effect = effect_of(op, machine.access);
    // A store of what was there already changes nothing, but that is not looked at.
    if (effect == Effect::store) return 0;
    if (effect == Effect::atomic && !remember(machine, atomics)) return 0;
    if (wave.pc != start.pc) continue;
    if (same_state(wave, start)) return done;
    ++compared;
  }
  return 0;
}

}  // namespace

// The first round finds the loop and where its atomics go; the second one sees whether they leave what they find, as one that waits
// for a lock does.
bool only_repeats(Machine& machine, Wave& wave, const std::function<bool()>& step) {
  const Wave start = wave;
  std::vector<Word> atomics, again;
  const unsigned length = come_back(machine, wave, step, start, atomics);
  if (length == 0) return false;
  for (Word& word : atomics) word.value = read(word);
  if (come_back(machine, wave, step, start, again) != length) return false;
  return std::ranges::all_of(atomics, [](const Word& word) { return read(word) == word.value; });
}

}  // namespace rpl::emu
