// SPDX-License-Identifier: MIT
// Forks: a wave whose lanes part goes one way and notes the other on a stack in its own scalar registers, four for each entry; join takes the
// other way, or goes on when both were taken. What is pushed and in which order is what the MI200 and Vega ISA documents say of S_CBRANCH_G_FORK,
// S_CBRANCH_I_FORK and S_CBRANCH_JOIN. No compiler makes them.
#include <bit>

#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

constexpr unsigned kDepthShift = 29, kMostDepth = 7, kEntryRegisters = 4;  ///< MODE.CSP

unsigned fork_depth(const Wave& wave) { return wave.mode >> kDepthShift; }
void set_fork_depth(Wave& wave, unsigned depth) {
  wave.mode = (wave.mode & ((1U << kDepthShift) - 1)) | depth << kDepthShift;
}

std::uint64_t after_fork(const Machine& machine, const Op& op) {
  return machine.load_base + op.address + op.instruction->bytes;
}

/// The lanes in `mask` want to go to `target`, the others on. Those that are fewer go first.
bool fork(Machine& machine, Wave& wave, const Op& op, std::uint64_t mask, std::uint64_t target) {
  const std::uint64_t pass = mask & wave.exec(), rest = ~mask & wave.exec();
  if (pass == wave.exec()) return jump_to(machine, wave, op, target);
  if (rest == wave.exec()) return true;
  const unsigned depth = fork_depth(wave);
  if (depth == kMostDepth)
    return machine.stop(wave, op, Errc::verification_failed,
                        "forks more than seven times without a join");
  const bool stays = std::popcount(rest) < std::popcount(pass);
  const unsigned entry = depth * kEntryRegisters;
  wave.set_pair(entry, stays ? pass : rest);
  wave.set_pair(entry + 2, stays ? target : after_fork(machine, op));
  set_fork_depth(wave, depth + 1);
  wave.set_pair(isa::kExecLo, stays ? rest : pass);
  return stays || jump_to(machine, wave, op, target);
}

bool fork_to_register(Machine& machine, Wave& wave, const Op& op) {
  return fork(machine, wave, op, scalar64(machine, wave, op.sources[0]),
              scalar64(machine, wave, op.sources[1]));
}

bool fork_by_distance(Machine& machine, Wave& wave, const Op& op) {
  const std::int64_t distance =
      std::int64_t{static_cast<std::int16_t>(op.instruction->immediate)} * 4;
  return fork(machine, wave, op, wave.pair(op.destination),
              after_fork(machine, op) + static_cast<std::uint64_t>(distance));
}

// The source is the depth from before the fork.
bool join(Machine& machine, Wave& wave, const Op& op) {
  const unsigned depth = fork_depth(wave);
  if (depth == (scalar32(machine, wave, op.sources[0]) & kMostDepth)) return true;
  if (depth == 0)
    return machine.stop(wave, op, Errc::verification_failed, "joins what was not forked");
  set_fork_depth(wave, depth - 1);
  const unsigned entry = (depth - 1) * kEntryRegisters;
  const std::uint64_t target = wave.pair(entry + 2);
  wave.set_pair(isa::kExecLo, wave.pair(entry));
  return jump_to(machine, wave, op, target);
}

}  // namespace

Handler find_fork_handler(const std::string& name) {
  if (name == "s_cbranch_g_fork") return fork_to_register;
  if (name == "s_cbranch_i_fork") return fork_by_distance;
  return name == "s_cbranch_join" ? join : nullptr;
}

}  // namespace rpl::emu
