// SPDX-License-Identifier: MIT
#include "engine/device/hip/frozen_memory.h"

#include "engine/capture/reach.h"

namespace rpl::emu::hip {
namespace {

/// From what lies at `address`, and on from what is found.
void follow(const AddressSpace& space, Reach& reach, std::set<std::uint64_t>& found,
            std::uint64_t address, std::span<const std::byte> bytes) {
  reach.look_at(address, bytes);
  while (const auto next = reach.next()) {
    found.insert(*next);
    const Allocation* held = space.find(*next);
    const std::byte* host = space.host_of(held->base, held->bytes);
    if (host != nullptr) reach.look_at(held->base, {host, held->bytes});
  }
}

}  // namespace

CapturedRegion region_at(const AddressSpace& space, std::uint64_t base, std::uint64_t bytes,
                         std::string name) {
  CapturedRegion out{
      .base = base, .size = bytes, .name = std::move(name), .before = {}, .after = std::nullopt};
  if (const std::byte* host = space.host_of(base, bytes)) out.before.assign(host, host + bytes);
  return out;
}

std::vector<CapturedRegion> variables_at(const AddressSpace& space, const Launch& launch) {
  std::vector<CapturedRegion> out;
  for (const isa::Symbol* variable : variables_of(*launch.object)) {
    CapturedRegion region = region_at(space, *launch.load_base + variable->address, variable->size,
                                      "variable " + variable->name);
    if (region.before.size() != region.size) continue;
    region.variable = variable->name;
    region.kind = RegionKind::variable;
    out.push_back(std::move(region));
  }
  return out;
}

std::set<std::uint64_t> reached_from(const AddressSpace& space, const Launch& launch,
                                     const std::vector<CapturedRegion>& variables) {
  std::set<std::uint64_t> out;
  Reach reach([&space](std::uint64_t address) -> std::optional<std::uint64_t> {
    const Allocation* found = space.find(address);
    if (found == nullptr) return std::nullopt;
    return found->base;
  });
  follow(space, reach, out, 0, launch.arguments);
  for (const CapturedRegion& variable : variables)
    follow(space, reach, out, variable.base, variable.before);
  return out;
}

Result<Capture> dispatch_of(const Launch& launch) {
  Capture out;
  out.kernel = launch.kernel->name;
  out.architecture = isa::to_string(launch.object->arch());
  out.grid = launch.grid;
  out.workgroup = launch.workgroup;
  out.dynamic_lds_bytes = launch.dynamic_lds_bytes;
  out.kernarg = TRY(kernarg_of(launch));
  const auto code = launch.object->bytes();
  out.code_object.assign(code.begin(), code.end());
  out.load_base = launch.load_base;
  out.target = "emu";
  return out;
}

}  // namespace rpl::emu::hip
