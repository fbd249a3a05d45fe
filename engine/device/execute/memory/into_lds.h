// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/memory/lds.h"

/// Loads whose data goes to LDS instead of registers (CDNA3 ISA document, "Memory Buffer Load to LDS"): lane i of the wave writes the
/// dword at M0[15:0] + the instruction's offset + 4 * i, whatever the size of the load.
namespace rpl::emu {

/// Writes where in LDS the lanes of exec put their dwords to `address`, which is one of machine.access. False after a fault.
inline bool begin_into_lds(Machine& machine, Wave& wave, const Op& op, LdsAddresses& address) {
  Access& access = machine.access;
  const std::uint64_t active = access.active;
  const std::uint32_t bytes = access.bytes;
  const bool store = access.store;
  const std::uint64_t base = (wave.sgprs[isa::kM0] & 0xffffU) +
                             static_cast<std::uint64_t>(std::int64_t{op.instruction->offset});
  for (unsigned i = 0; i < kLanes; ++i) address[i] = base + std::uint64_t{4} * i;
  access.active = wave.exec();
  access.bytes = 4;
  access.store = true;
  if (!check_lds(machine, wave, op, address)) return false;
  if (&address == &access.address) return true;
  access.active = active;
  access.bytes = bytes;
  access.store = store;
  return true;
}

/// Puts the dword of one lane there, after begin_into_lds() with machine.access.second_address.
inline void put_into_lds(const Machine& machine, unsigned lane, std::uint32_t value) {
  std::memcpy(machine.lds.data() + machine.access.second_address[lane], &value, sizeof(value));
}

}  // namespace rpl::emu
