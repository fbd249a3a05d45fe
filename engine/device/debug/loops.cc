// SPDX-License-Identifier: MIT
#include "engine/device/debug/loops.h"

#include <cstring>

namespace rpl::debug {
namespace {

using emu::Handler;
using emu::Machine;
using emu::Op;
using emu::Wave;

bool stop_in_front(Machine&, Wave&, const Op&) { return false; }

}  // namespace

Patches::Patches(const emu::Program& program) : program_(program) { clear(); }

void Patches::clear() {
  handlers_.clear();
  for (const Op& op : program_.ops) handlers_.push_back(op.handler);
}

void Patches::set(std::uint32_t op) { handlers_[op] = stop_in_front; }

bool Patches::is_set(std::uint32_t op) const { return handlers_[op] == stop_in_front; }

// A breakpoint costs nothing where there is none: what is executed at each place is looked up in a table anyway.
std::uint64_t run_patched(Machine& machine, Wave& wave, const Patches& patches, std::uint64_t most,
                          bool& hit) {
  const Op* ops = machine.program->ops.data();
  const Handler* handlers = patches.handlers();
  for (std::uint64_t done = 0; done < most; ++done) {
    const std::uint32_t pc = wave.pc;
    wave.pc = pc + 1;
    if (handlers[pc](machine, wave, ops[pc])) continue;
    hit = handlers[pc] == stop_in_front;
    // A wave that has ended stays at its s_endpgm, which may be the last operation there is.
    if (wave.state == Wave::State::ended) wave.pc = pc;
    if (!hit && !machine.fault) return done + 1;
    wave.pc = pc;
    return done;
  }
  return most;
}

std::uint64_t run_watched(Machine& machine, Wave& wave, const Patches& patches,
                          std::span<const WatchedBytes> watched, std::uint64_t most, bool& hit,
                          const WatchedBytes*& changed) {
  for (std::uint64_t done = 0; done < most;) {
    const std::uint64_t ran = run_patched(machine, wave, patches, 1, hit);
    done += ran;
    for (const WatchedBytes& bytes : watched) {
      if (std::memcmp(bytes.before, bytes.now.data(), bytes.now.size()) == 0) continue;
      changed = &bytes;
      return done;
    }
    if (ran == 0 || wave.state != Wave::State::ready) return done;
  }
  return most;
}

}  // namespace rpl::debug
