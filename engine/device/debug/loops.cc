// SPDX-License-Identifier: MIT
#include "engine/device/debug/loops.h"

#include <cstring>

#include "engine/device/execute/state/primitives.h"

namespace rpl::debug {
namespace {

using emu::Handler;
using emu::Machine;
using emu::Op;
using emu::Wave;

bool stop_in_front(Machine&, Wave&, const Op&) { return false; }

bool meets(std::uint64_t address, std::uint64_t bytes, const WatchedBytes& watched) {
  return bytes > 0 && address < watched.address + watched.now.size() &&
         watched.address < address + bytes;
}

/// Whether `op`, which was just executed, is what the watchpoint looks for.
bool stops(Machine& machine, const Op& op, const WatchedBytes& watched) {
  const bool changed = std::memcmp(watched.before, watched.now.data(), watched.now.size()) != 0;
  if (watched.kind == WatchedFor::change) return changed;
  if (changed && watched.kind == WatchedFor::access) return true;
  if (changed) std::memcpy(watched.before, watched.now.data(), watched.now.size());
  if (!emu::touches_memory(op.kind)) return false;
  const bool reads = !machine.access.store || machine.access.atomic;
  return (reads || watched.kind == WatchedFor::access) && went_there(machine.access, watched);
}

}  // namespace

bool went_there(emu::Access& access, const WatchedBytes& watched) {
  using Space = emu::Access::Space;
  const bool lds = watched.space == Watched::Space::lds;
  if (access.space == Space::scalar && !lds) return meets(access.first(), access.bytes, watched);
  if (access.space != (lds ? Space::lds : Space::global)) return false;
  emu::spread(access);
  for (unsigned lane = 0; lane < emu::kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    if (meets(access.address[lane], access.bytes, watched) ||
        (access.two_parts && meets(access.second_address[lane], access.bytes, watched)))
      return true;
  }
  return false;
}

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
    const Op& op = machine.program->ops[wave.pc];
    machine.access.space = emu::Access::Space::none;
    const std::uint64_t ran = run_patched(machine, wave, patches, 1, hit);
    done += ran;
    for (const WatchedBytes& bytes : watched) {
      if (!stops(machine, op, bytes)) continue;
      changed = &bytes;
      return done;
    }
    if (ran == 0 || machine.slept || wave.state != Wave::State::ready) return done;
  }
  return most;
}

}  // namespace rpl::debug
