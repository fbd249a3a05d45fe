// SPDX-License-Identifier: MIT
#include "engine/emu/coverage.h"

#include "engine/isa/plain.h"

namespace rpl::emu {

std::map<std::string, Covered> instruction_coverage() {
  std::map<std::string, Covered> all;
  for (const isa::Opcode& opcode : isa::opcodes()) {
    for (const isa::Arch arch : {isa::Arch::gfx90a, isa::Arch::gfx942}) {
      const auto instruction = isa::plain_instruction(arch, opcode);
      if (!instruction) continue;
      const auto [at, is_new] = all.try_emplace(std::string(opcode.name()));
      if (is_new || opcode.encoding < at->second.encoding) at->second.encoding = opcode.encoding;
      auto& fidelity = arch == isa::Arch::gfx90a ? at->second.gfx90a : at->second.gfx942;
      fidelity = std::max(fidelity.value_or(Fidelity::exact), fidelity_of(*instruction));
    }
  }
  return all;
}

}  // namespace rpl::emu
