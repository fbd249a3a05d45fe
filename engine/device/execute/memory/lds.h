// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/machine.h"
#include "engine/device/execute/state/primitives.h"

/// What the families of LDS instructions share.
namespace rpl::emu {

using LdsAddresses = std::array<std::uint64_t, kLanes>;

/// Notes in machine.access what kind of access begins; `bytes` of each lane.
inline void set_lds_kind(Machine& machine, bool store, bool atomic, std::uint32_t bytes) {
  machine.access.store = store;
  machine.access.atomic = atomic;
  machine.access.bytes = bytes;
  machine.access.two_parts = machine.access.into_lds = false;
}

/// Checks the active lanes against what LDS the workgroup has, though hardware would read zeros beyond it. False after a fault.
bool check_lds(Machine& machine, const Wave& wave, const Op& op, const LdsAddresses& address);

/// Writes the first source plus `offset` of each active lane to `address`, which is one of machine.access, and checks it. One look
/// at the highest address clears all lanes.
inline bool begin_lds(Machine& machine, Wave& wave, const Op& op, std::uint32_t offset,
                      LdsAddresses& address) {
  Access& access = machine.access;
  access.space = Access::Space::lds;
  access.active = wave.exec();
  const std::uint64_t highest = primitives().offsets(
      address.data(), wave.vector(op.sources[0].number), offset, access.active);
  if (access.active == 0 || highest + access.bytes <= machine.lds.size()) return true;
  return check_lds(machine, wave, op, address);
}

/// ds_append, ds_consume and the addtid forms, whose address is in M0.
Handler find_lds_base_handler(std::string_view what);

}  // namespace rpl::emu
