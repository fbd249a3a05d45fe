// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/coverage.h"

#include "engine/isa/code/plain.h"

namespace rpl::emu {

namespace {

struct Reason {
  std::string_view prefix, why;
};
constexpr Reason kReasons[] = {
    {"ds_gws_",
     "global wave sync, by counters of the whole device that a driver hands out; the emulated "
     "device has no driver that does"},
    {"s_endpgm_ordered_ps_done", "for graphics, the end of a pixel shader that writes in order"},
    {"s_rfe_", "the end of a trap handler; on the emulated device a trap ends the run"},
    {"s_scratch_",
     "scalar access to the memory behind scratch, where the lanes of a wave lie interleaved; the "
     "emulator keeps lane after lane"},
    {"s_sendmsghalt", "halts a wave until the driver lets it go on, and there is none"},
    {"s_setkill",
     "a bit by which a debugger ends waves; what it does to a running wave is not documented"},
    {"v_screen_partition_4se_b32",
     "for graphics, which shader engine a part of the screen belongs to"},
};

}  // namespace

std::string_view why_unsupported(std::string_view name) {
  for (const Reason& reason : kReasons) {
    if (name.starts_with(reason.prefix)) return reason.why;
  }
  return {};
}

std::map<std::string, Covered> instruction_coverage() {
  std::map<std::string, Covered> all;
  for (const isa::Opcode& opcode : isa::opcodes()) {
    for (const isa::Arch arch : isa::architectures()) {
      const auto instruction = isa::plain_instruction(arch, opcode);
      if (!instruction) continue;
      const auto [at, is_new] = all.try_emplace(std::string(opcode.name()));
      if (is_new || opcode.encoding < at->second.encoding) at->second.encoding = opcode.encoding;
      auto& fidelity = at->second.fidelity[static_cast<std::size_t>(arch)];
      fidelity = std::max(fidelity.value_or(Fidelity::exact), fidelity_of(*instruction));
    }
  }
  return all;
}

}  // namespace rpl::emu
