// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "engine/device/execute/memory/atomic.h"
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
  machine.access.two_parts = false;
  machine.access.into_lds = 0;
  machine.access.shape = LaneShape::any;
}

/// Checks the active lanes against what LDS the workgroup has, though hardware would read zeros beyond it. False after a fault; with Machine::beyond_lds lanes
/// that are beyond it get addresses of zeros, or of what takes the writes that hardware drops.
bool check_lds(Machine& machine, const Wave& wave, const Op& op, LdsAddresses& address);

/// Writes the first source plus `offset` of each active lane to `address`, which is one of machine.access, and checks it. One look
/// at the highest address clears all lanes.
inline bool begin_lds(Machine& machine, Wave& wave, const Op& op, std::uint32_t offset,
                      LdsAddresses& address) {
  Access& access = machine.access;
  access.space = Access::Space::lds;
  access.shape = LaneShape::any;
  access.active = wave.exec();
  const std::uint64_t highest = primitives().offsets(
      address.data(), wave.vector(op.sources[0].number), offset, access.active);
  if (access.active == 0 || highest + access.bytes <= machine.lds.size()) return true;
  return check_lds(machine, wave, op, address);
}

/// ds_read_b64_tr_b16 and its like.
Handler find_lds_transpose_handler(std::string_view what);

/// ds_append, ds_consume and the addtid forms, whose address is in M0.
Handler find_lds_base_handler(std::string_view what);

/// apply_atomic() for memory that other threads run on as well.
std::uint64_t apply_shared_atomic(Atomic kind, unsigned dwords, std::byte* at, std::uint64_t data,
                                  std::uint64_t expected);

/// Loads whose data goes to LDS instead of registers (CDNA3 and CDNA4 ISA documents, "Memory Buffer Load to LDS"): lane i of the wave
/// writes at M0 + the instruction's offset + 4 * i, or 16 * i where it loads three or four dwords.
/// Writes where in LDS the lanes of exec put their `dwords` to `address`, which is one of machine.access. False after a fault.
inline bool begin_into_lds(Machine& machine, Wave& wave, const Op& op, LdsAddresses& address,
                           unsigned dwords = 1) {
  Access& access = machine.access;
  const std::uint64_t active = access.active;
  const std::uint32_t bytes = access.bytes;
  const bool store = access.store;
  // As many bits of M0 as the LDS has addresses.
  const std::uint32_t bits = std::bit_ceil(isa::traits(machine.program->arch).lds_bytes) - 1;
  const std::uint64_t base = (wave.sgprs[isa::kM0] & bits) +
                             static_cast<std::uint64_t>(std::int64_t{op.instruction->offset});
  const std::uint64_t step = dwords == 1 ? 4 : 16;
  for (unsigned i = 0; i < kLanes; ++i) address[i] = base + step * i;
  access.active = wave.exec();
  access.shape = LaneShape::any;
  access.bytes = 4 * dwords;
  access.store = true;
  if (!check_lds(machine, wave, op, address)) return false;
  if (&address == &access.address) return true;
  access.active = active;
  access.bytes = bytes;
  access.store = store;
  return true;
}

/// ds_gws_*; `what` is the name behind "ds_". What the device does not have is refused.
Handler find_wave_sync_handler(std::string_view what);

/// Puts the dword of one lane there, after begin_into_lds() with machine.access.second_address.
inline void put_into_lds(const Machine& machine, unsigned lane, std::uint32_t value) {
  std::memcpy(machine.lds.data() + machine.access.second_address[lane], &value, sizeof(value));
}

}  // namespace rpl::emu
