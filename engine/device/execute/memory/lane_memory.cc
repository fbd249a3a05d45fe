// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/lane_memory.h"

#include <fmt/format.h>

namespace rpl::emu {

bool report_lane(Machine& machine, const Wave& wave, const Op& op, unsigned lane) {
  const Access& access = machine.access;
  const std::uint64_t address = access.address[lane];
  const Region* region = machine.memory->find(address);
  const bool read_only = region != nullptr && region->contains(address, access.bytes);
  const std::string place = machine.memory->describe(
      region != nullptr && !read_only ? region->base + region->size : address);
  return machine.stop(
      wave, op, Errc::verification_failed,
      fmt::format("lane {} {} {} bytes at 0x{:x}: {}{}", lane, access.store ? "writes" : "reads",
                  access.bytes, address, place, read_only ? ", which is read-only" : ""));
}

bool each_lane_allowed(Machine& machine, Wave& wave, const Op& op) {
  const bool is_flat = op.instruction->opcode->encoding == isa::Encoding::flat;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((machine.access.active >> lane & 1) == 0) continue;
    if (is_flat && in_aperture(machine, wave, lane) != nullptr) continue;
    const std::uint64_t address = machine.access.address[lane];
    const Region* region = machine.memory->find(address);
    if (region == nullptr || !allowed(*region, machine.access, address))
      return report_lane(machine, wave, op, lane);
  }
  return true;
}

}  // namespace rpl::emu
