// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/device/execute/launch/launch.h"
#include "engine/device/hip/address_space.h"

/// The memory of a program as a dispatch finds it.
namespace rpl::emu::hip {

/// Memory before a dispatch, named `name`; without bytes where the host does not find it whole.
CapturedRegion region_at(const AddressSpace& space, std::uint64_t base, std::uint64_t bytes,
                         std::string name);

/// The variables of the loaded code object of a launch, those that the host finds, as regions with their bytes.
std::vector<CapturedRegion> variables_at(const AddressSpace& space, const Launch& launch);

/// Where the allocations begin that a launch can reach, found by looking at every aligned eight bytes that could be an address (conservatively): of the explicit
/// arguments, of `variables`, then of the memory found.
std::set<std::uint64_t> reached_from(const AddressSpace& space, const Launch& launch,
                                     const std::vector<CapturedRegion>& variables);

/// The dispatch of a launch without memory: kernel, sizes, code and kernel arguments. Fails as kernarg_of() does.
Result<Capture> dispatch_of(const Launch& launch);

}  // namespace rpl::emu::hip
