// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {

bool check_lds(Machine& machine, const Wave& wave, const Op& op, LdsAddresses& address) {
  const Access& access = machine.access;
  const std::uint64_t size = machine.lds.size();
  if (machine.beyond_lds && access.bytes <= kBeyondLdsBytes / 2) {
    std::byte* const dropped = machine.lds.data() + size + kBeyondLdsBytes / 2;
    std::fill_n(dropped, kBeyondLdsBytes / 2, std::byte{0});
    for (std::uint64_t& each : address) {
      if (each > size || access.bytes > size - each)
        each = size + (access.store ? kBeyondLdsBytes / 2 : 0);
    }
    return true;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0 || address[lane] + access.bytes <= machine.lds.size())
      continue;
    return machine.stop(
        wave, op, Errc::verification_failed,
        fmt::format("lane {} {} {} bytes at LDS address {}, but the workgroup has {} bytes", lane,
                    access.store ? "writes" : "reads", access.bytes, address[lane],
                    machine.lds.size()));
  }
  return true;
}

namespace {

std::uint64_t base_of(const Wave& wave, const Op& op) {
  return (wave.sgprs[isa::kM0] & 0xffffU) + static_cast<std::uint32_t>(op.instruction->offset);
}

// Lane i of the wave has dword i behind the address in M0.
template <bool kWrite>
bool by_lane_number(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, kWrite, false, 4);
  Access& access = machine.access;
  access.space = Access::Space::lds;
  access.shape = LaneShape::any;
  access.active = wave.exec();
  for (unsigned i = 0; i < kLanes; ++i)
    access.address[i] = base_of(wave, op) + std::uint64_t{4} * i;
  if (!check_lds(machine, wave, op, access.address)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    std::byte* at = machine.lds.data() + access.address[i];
    if constexpr (kWrite) {
      std::memcpy(at, &wave.vector(op.data)[i], 4);
    } else {
      std::memcpy(&wave.vector(op.destination)[i], at, 4);
    }
  }
  return true;
}

// The number of active lanes is added to a dword or taken from it, once for the wave; every lane gets what was there.
template <bool kAppend>
bool count_lanes(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, true, true, 4);
  Access& access = machine.access;
  access.space = Access::Space::lds;
  const std::uint64_t exec = wave.exec();
  access.active = exec & (0 - exec);
  access.address.fill(base_of(wave, op));
  if (exec == 0) return true;
  if (!check_lds(machine, wave, op, access.address)) return false;
  std::byte* at = machine.lds.data() + access.address[0];
  std::uint32_t before;
  std::memcpy(&before, at, 4);
  const auto lanes = static_cast<std::uint32_t>(std::popcount(exec));
  const std::uint32_t after = kAppend ? before + lanes : before - lanes;
  std::memcpy(at, &after, 4);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((exec >> i & 1) != 0) wave.vector(op.destination)[i] = before;
  }
  return true;
}

}  // namespace

Handler find_lds_base_handler(std::string_view what) {
  if (what == "read_addtid_b32") return by_lane_number<false>;
  if (what == "write_addtid_b32") return by_lane_number<true>;
  if (what == "append") return count_lanes<true>;
  return what == "consume" ? count_lanes<false> : nullptr;
}

}  // namespace rpl::emu
