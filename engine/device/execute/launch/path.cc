// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/path.h"

namespace rpl::emu {

PathWatch::PathWatch(const Program& program) : program_(program) {
  for (const Op& op : program.ops) {
    Choice choice = Choice::none;
    bool scalar = true;
    if (op.instruction != nullptr) {
      const auto name = op.instruction->opcode->mnemonic;
      scalar = name.starts_with("s_");
      if (name.starts_with("v_cndmask_b32"))
        choice = op.sources[2].kind == Source::Kind::scalar && op.sources[2].number != isa::kVccLo
                     ? Choice::by_pair
                     : Choice::by_vcc;
      if (name.starts_with("s_cselect_")) choice = Choice::by_scc;
    }
    choices_.push_back(choice);
    scalar_.push_back(scalar);
  }
  path_.ran.resize(program.ops.size());
  path_.chosen.resize(program.ops.size());
}

void PathWatch::before(const Wave& wave, std::uint32_t at) {
  const std::uint64_t exec = wave.exec();
  if (exec != 0 || scalar_[at]) path_.ran[at] = true;
  const auto side = [&](bool second) { path_.chosen[at] |= second ? 2 : 1; };
  switch (choices_[at]) {
    case Choice::none:
      return;
    case Choice::by_scc:
      return side(wave.scc);
    default: {
      const std::uint64_t mask = choices_[at] == Choice::by_vcc
                                     ? wave.vcc()
                                     : wave.pair(program_.ops[at].sources[2].number);
      if ((exec & ~mask) != 0) path_.chosen[at] |= 1;
      if ((exec & mask) != 0) path_.chosen[at] |= 2;
    }
  }
}

void PathWatch::after(const Op& op, std::uint32_t at, std::uint64_t exec, const Access& access) {
  mix(at);
  mix(exec);
  if (!touches_memory(op.kind) || access.space == Access::Space::none || access.active == 0) return;
  const bool writes = access.store && access.space == Access::Space::global;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    mix(access.address[lane]);
    if (writes) path_.written_pages.insert(access.address[lane] / kPageBytes);
  }
  // The last byte may lie on the next page.
  if (!writes) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) != 0)
      path_.written_pages.insert((access.address[lane] + access.bytes - 1) / kPageBytes);
  }
}

}  // namespace rpl::emu
