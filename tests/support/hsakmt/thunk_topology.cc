// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "tests/support/hsakmt/node_numbers.h"
#include "tests/support/hsakmt/thunk.h"
#include "tests/support/hsakmt/topology.h"

namespace {

using rpl::hsakmt::Driver;
using rpl::hsakmt::kNodes;

template <class T>
HSAKMT_STATUS give(const std::vector<T>& all, HSAuint32 wanted, T* out) {
  if (out == nullptr || wanted == 0) return HSAKMT_STATUS_INVALID_PARAMETER;
  std::copy_n(all.begin(), std::min<std::size_t>(wanted, all.size()), out);
  return HSAKMT_STATUS_SUCCESS;
}

const rpl::emu::hip::DeviceKind& gpu() { return Driver::get().machine.kind; }

}  // namespace

extern "C" {

HSAKMT_STATUS hsaKmtOpenKFD() {
  return Driver::get().open() ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_KERNEL_ALREADY_OPENED;
}

HSAKMT_STATUS hsaKmtCloseKFD() {
  return Driver::get().close() ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED;
}

// The interface of the kernels of that time, before the one with a debugger inside.
HSAKMT_STATUS hsaKmtGetVersion(HsaVersionInfo* version) {
  RPL_NEEDS_OPEN();
  if (version == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  *version = {1, 8};
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtAcquireSystemProperties(HsaSystemProperties* properties) {
  RPL_NEEDS_OPEN();
  if (properties == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  *properties = {};
  properties->NumNodes = kNodes;
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtReleaseSystemProperties() {
  RPL_NEEDS_OPEN();
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeProperties(HSAuint32 node, HsaNodeProperties* properties) {
  RPL_NEEDS_OPEN();
  if (properties == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  if (node >= kNodes) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  *properties = node == 0 ? rpl::hsakmt::cpu_node() : rpl::hsakmt::gpu_node(gpu());
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeMemoryProperties(HSAuint32 node, HSAuint32 banks,
                                            HsaMemoryProperties* properties) {
  RPL_NEEDS_OPEN();
  if (node >= kNodes) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  return give(node == 0 ? rpl::hsakmt::cpu_memory() : rpl::hsakmt::gpu_memory(gpu()), banks,
              properties);
}

HSAKMT_STATUS hsaKmtGetNodeCacheProperties(HSAuint32 node, HSAuint32, HSAuint32 caches,
                                           HsaCacheProperties* properties) {
  RPL_NEEDS_OPEN();
  if (node >= kNodes) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  return give(node == 0 ? rpl::hsakmt::cpu_caches() : rpl::hsakmt::gpu_caches(gpu()), caches,
              properties);
}

HSAKMT_STATUS hsaKmtGetNodeIoLinkProperties(HSAuint32 node, HSAuint32 links,
                                            HsaIoLinkProperties* properties) {
  RPL_NEEDS_OPEN();
  if (node >= kNodes) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  return give(std::vector{rpl::hsakmt::link_from(node)}, links, properties);
}

HSAKMT_STATUS hsaKmtGetClockCounters(HSAuint32 node, HsaClockCounters* counters) {
  RPL_NEEDS_OPEN();
  if (counters == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  if (node >= kNodes) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  constexpr HSAuint64 kNsPerS = 1'000'000'000;
  counters->SystemClockCounter = rpl::hsakmt::system_ns();
  counters->CPUClockCounter = counters->SystemClockCounter;
  counters->GPUClockCounter = node == 0 ? 0 : rpl::hsakmt::device_ticks(gpu());
  counters->SystemClockFrequencyHz = kNsPerS;
  return HSAKMT_STATUS_SUCCESS;
}

// GFX9 has no tables of tile modes; the arrays of the caller stay as they are.
HSAKMT_STATUS hsaKmtGetTileConfig(HSAuint32 node, HsaGpuTileConfig* config) {
  RPL_NEEDS_OPEN();
  if (config == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  if (node != 1) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  config->NumTileConfigs = config->NumMacroTileConfigs = 0;
  config->GbAddrConfig = rpl::hsakmt::node_numbers(gpu()).address_config;
  config->NumBanks = config->NumRanks = 0;
  return HSAKMT_STATUS_SUCCESS;
}

}  // extern "C"
