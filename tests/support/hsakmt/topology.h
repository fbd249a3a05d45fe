// SPDX-License-Identifier: MIT
#pragma once

#include <hsakmt.h>

#include <vector>

#include "engine/device/hip/device.h"

/// What the driver says about its two nodes.
namespace rpl::hsakmt {

HsaNodeProperties cpu_node();
HsaNodeProperties gpu_node(const emu::hip::DeviceKind& kind);

std::vector<HsaMemoryProperties> cpu_memory();
std::vector<HsaMemoryProperties> gpu_memory(const emu::hip::DeviceKind& kind);

std::vector<HsaCacheProperties> cpu_caches();
std::vector<HsaCacheProperties> gpu_caches(const emu::hip::DeviceKind& kind);

/// The one link of `node` to the other node.
HsaIoLinkProperties link_from(HSAuint32 node);

}  // namespace rpl::hsakmt
