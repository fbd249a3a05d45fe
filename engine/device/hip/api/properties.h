// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/device/hip/api/abi.h"
#include "engine/device/hip/device.h"

namespace rpl::emu::hip {

/// What hipGetDeviceProperties says of the `ordinal`-th device, in both layouts. Values that the emulated device has no equivalent of
/// (textures, PCI links) are 0.
abi::PropertiesR0000 properties_r0000(const DeviceKind& kind, int ordinal);
abi::PropertiesR0600 properties_r0600(const DeviceKind& kind, int ordinal);

/// hipDeviceAttribute_t by number; HIP 5 to 7 agree on those that are known here. Nothing for numbers that none of them defines.
std::optional<int> attribute(const DeviceKind& kind, int ordinal, int number);

}  // namespace rpl::emu::hip
