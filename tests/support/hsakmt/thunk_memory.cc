// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/thunk.h"

namespace {

using rpl::hsakmt::AddressMap;
using rpl::hsakmt::Driver;
using rpl::hsakmt::kNodes;
using rpl::hsakmt::Range;

std::uint64_t number_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

AddressMap& memory_map() { return Driver::get().machine.map; }

// Large allocations begin at large pages.
std::uint64_t alignment_for(HSAuint64 bytes) {
  constexpr std::uint64_t kSmall = 4096, kMiddle = 65536, kLarge = std::uint64_t{2} << 20;
  return bytes >= kLarge ? kLarge : bytes >= kMiddle ? kMiddle : kSmall;
}

constexpr HSAuint32 kBothNodes[] = {0, 1};

}  // namespace

extern "C" {

HSAKMT_STATUS hsaKmtSetMemoryPolicy(HSAuint32 node, HSAuint32, HSAuint32, void*, HSAuint64) {
  RPL_NEEDS_OPEN();
  return node < kNodes ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_INVALID_NODE_UNIT;
}

HSAKMT_STATUS hsaKmtAllocMemory(HSAuint32 node, HSAuint64 bytes, HsaMemFlags flags,
                                void** address) {
  RPL_NEEDS_OPEN();
  if (address == nullptr || bytes == 0 || bytes % rpl::emu::PageArea::kPage != 0)
    return HSAKMT_STATUS_INVALID_PARAMETER;
  if (node >= kNodes) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  if (flags.ui32.GDSMemory != 0) return HSAKMT_STATUS_NOT_SUPPORTED;
  const std::uint64_t at = flags.ui32.FixedAddress != 0 ? number_of(*address) : 0;
  const std::uint64_t base =
      memory_map().allocate(bytes, node, flags.Value, at, alignment_for(bytes));
  if (base == 0) return HSAKMT_STATUS_NO_MEMORY;
  *address = reinterpret_cast<void*>(base);
  return HSAKMT_STATUS_SUCCESS;
}

// The size is not looked at, as by the real one.
HSAKMT_STATUS hsaKmtFreeMemory(void* address, HSAuint64) {
  RPL_NEEDS_OPEN();
  if (address == nullptr) return HSAKMT_STATUS_ERROR;
  return memory_map().free(number_of(address)) == AddressMap::Outcome::done
             ? HSAKMT_STATUS_SUCCESS
             : HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
}

HSAKMT_STATUS hsaKmtRegisterMemoryWithFlags(void* address, HSAuint64 bytes, HsaMemFlags flags) {
  RPL_NEEDS_OPEN();
  return memory_map().enroll(number_of(address), bytes, flags.Value) == AddressMap::Outcome::done
             ? HSAKMT_STATUS_SUCCESS
             : HSAKMT_STATUS_INVALID_PARAMETER;
}

HSAKMT_STATUS hsaKmtRegisterMemory(void* address, HSAuint64 bytes) {
  return hsaKmtRegisterMemoryWithFlags(address, bytes, HsaMemFlags{});
}

HSAKMT_STATUS hsaKmtRegisterMemoryToNodes(void* address, HSAuint64 bytes, HSAuint64, HSAuint32*) {
  return hsaKmtRegisterMemoryWithFlags(address, bytes, HsaMemFlags{});
}

HSAKMT_STATUS hsaKmtDeregisterMemory(void* address) {
  RPL_NEEDS_OPEN();
  return memory_map().withdraw(number_of(address)) == AddressMap::Outcome::done
             ? HSAKMT_STATUS_SUCCESS
             : HSAKMT_STATUS_MEMORY_NOT_REGISTERED;
}

HSAKMT_STATUS hsaKmtMapMemoryToGPU(void* address, HSAuint64 bytes, HSAuint64* device_address) {
  RPL_NEEDS_OPEN();
  if (address == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  if (device_address != nullptr) *device_address = 0;
  if (memory_map().map(number_of(address), bytes) != AddressMap::Outcome::done)
    return HSAKMT_STATUS_ERROR;
  // Of several pieces that begin there the last one is meant, which is also the one that was just mapped.
  const auto range = memory_map().find(number_of(address));
  if (device_address != nullptr && range)
    *device_address = number_of(address) - range->base + range->device_base;
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtMapMemoryToGPUNodes(void* address, HSAuint64 bytes, HSAuint64* device_address,
                                        HsaMemMapFlags, HSAuint64 count, HSAuint32* nodes) {
  RPL_NEEDS_OPEN();
  if (address == nullptr || (nodes == nullptr && count != 0))
    return HSAKMT_STATUS_INVALID_PARAMETER;
  for (HSAuint64 i = 0; i < count; ++i) {
    if (nodes[i] >= kNodes) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  }
  return hsaKmtMapMemoryToGPU(address, bytes, device_address);
}

HSAKMT_STATUS hsaKmtUnmapMemoryToGPU(void* address) {
  RPL_NEEDS_OPEN();
  if (address == nullptr) return HSAKMT_STATUS_SUCCESS;
  return memory_map().unmap(number_of(address)) == AddressMap::Outcome::done ? HSAKMT_STATUS_SUCCESS
                                                                             : HSAKMT_STATUS_ERROR;
}

HSAKMT_STATUS hsaKmtQueryPointerInfo(const void* address, HsaPointerInfo* info) {
  RPL_NEEDS_OPEN();
  if (address == nullptr || info == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  *info = {};
  const auto range = memory_map().find(number_of(address));
  if (!range) return HSAKMT_STATUS_ERROR;
  info->Type =
      range->kind == Range::Kind::allocated ? HSA_POINTER_ALLOCATED : HSA_POINTER_REGISTERED_USER;
  info->Node = range->node;
  info->MemFlags.Value = range->flags;
  info->CPUAddress = reinterpret_cast<void*>(range->base);
  info->GPUAddress = range->device_base;
  info->SizeInBytes = range->bytes;
  info->UserData = range->user_data;
  info->NMappedNodes = range->mapped ? 1 : 0;
  info->MappedNodes = range->mapped ? kBothNodes + 1 : nullptr;
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtSetMemoryUserData(const void* address, void* data) {
  RPL_NEEDS_OPEN();
  return memory_map().set_user_data(number_of(address), data) == AddressMap::Outcome::done
             ? HSAKMT_STATUS_SUCCESS
             : HSAKMT_STATUS_ERROR;
}

}  // extern "C"
