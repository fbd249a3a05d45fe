// SPDX-License-Identifier: MIT
// Pools of stream-ordered memory. What they give out is memory like any other, given back at once: they differ in nothing but what is set.
#include <array>

#include "engine/device/hip/api/call.h"

using namespace rpl::emu::hip;

namespace {

constexpr std::uint32_t kMostDevices = 8;

struct Pool {
  std::uint32_t device = 0;
  std::map<int, std::uint64_t> settings = {};  ///< by hipMemPoolAttr
};

struct Pools {
  std::array<Pool, kMostDevices> of_devices;
  std::array<Pool*, kMostDevices> current{};  ///< null: that of the device
  std::map<const void*, std::unique_ptr<Pool>> made;

  Pools() {
    for (std::uint32_t i = 0; i < kMostDevices; ++i) of_devices[i].device = i;
  }
  Pool* find(const void* handle) {
    for (Pool& pool : of_devices) {
      if (&pool == handle) return &pool;
    }
    const auto found = made.find(handle);
    return found == made.end() ? nullptr : found->second.get();
  }
};

Pools& pools() {
  static auto* const all = new Pools();
  return *all;
}

// hipMemPoolAttr: whether blocks may be used again is an int, sizes are 64 bits.
constexpr int kFirstSize = 4, kReserved = 5, kUsed = 7, kLast = 8;

}  // namespace

RPL_HIP hipDeviceGetDefaultMemPool(void** pool, int device) {
  Call call("hipDeviceGetDefaultMemPool", kHostCosts.call_ns, {whole("device", device)});
  if (pool == nullptr || !is_device(call, device))
    return call.end(pool == nullptr ? Code::invalid_value : Code::invalid_device);
  *pool = &pools().of_devices[static_cast<std::size_t>(device)];
  return call.end(Code::success);
}
RPL_HIP hipDeviceGetMemPool(void** pool, int device) {
  Call call("hipDeviceGetMemPool", kHostCosts.call_ns, {whole("device", device)});
  if (pool == nullptr || !is_device(call, device))
    return call.end(pool == nullptr ? Code::invalid_value : Code::invalid_device);
  const auto at = static_cast<std::size_t>(device);
  *pool = pools().current[at] != nullptr ? pools().current[at] : &pools().of_devices[at];
  return call.end(Code::success);
}
RPL_HIP hipDeviceSetMemPool(int device, void* pool) {
  Call call("hipDeviceSetMemPool", kHostCosts.call_ns, {whole("device", device)});
  if (!is_device(call, device)) return call.end(Code::invalid_device);
  Pool* found = pools().find(pool);
  if (found == nullptr) return call.end(Code::invalid_value);
  pools().current[static_cast<std::size_t>(device)] = found;
  return call.end(Code::success);
}
// The properties begin with the kind of allocation and of handles, then the place: kind and number of a device.
RPL_HIP hipMemPoolCreate(void** pool, const int* properties) {
  Call call("hipMemPoolCreate", kHostCosts.create_ns);
  if (pool == nullptr || properties == nullptr) return call.end(Code::invalid_value);
  constexpr int kPlaceNumber = 3;
  const int device = properties[kPlaceNumber];
  if (!is_device(call, device)) return call.end(Code::invalid_device);
  auto made = std::make_unique<Pool>(Pool{.device = static_cast<std::uint32_t>(device)});
  *pool = made.get();
  pools().made[*pool] = std::move(made);
  return call.end(Code::success);
}
RPL_HIP hipMemPoolDestroy(void* pool) {
  Call call("hipMemPoolDestroy", kHostCosts.create_ns);
  for (Pool*& current : pools().current) {
    if (current == pool) current = nullptr;
  }
  return call.end(pools().made.erase(pool) != 0 ? Code::success : Code::invalid_value);
}
RPL_HIP hipMemPoolTrimTo(void* pool, std::size_t bytes) {
  Call call("hipMemPoolTrimTo", kHostCosts.call_ns, {number("min_bytes_to_hold", bytes)});
  return call.end(pools().find(pool) != nullptr ? Code::success : Code::invalid_value);
}
RPL_HIP hipMemPoolSetAttribute(void* pool, int attribute, void* value) {
  Call call("hipMemPoolSetAttribute", kHostCosts.call_ns, {whole("attr", attribute)});
  Pool* found = pools().find(pool);
  if (found == nullptr || value == nullptr || attribute < 1 || attribute > kLast)
    return call.end(Code::invalid_value);
  found->settings[attribute] = attribute < kFirstSize
                                   ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                   : *static_cast<std::uint64_t*>(value);
  return call.end(Code::success);
}
RPL_HIP hipMemPoolGetAttribute(void* pool, int attribute, void* value) {
  Call call("hipMemPoolGetAttribute", kHostCosts.call_ns, {whole("attr", attribute)});
  Pool* found = pools().find(pool);
  if (found == nullptr || value == nullptr || attribute < 1 || attribute > kLast)
    return call.end(Code::invalid_value);
  if (attribute < kFirstSize) {
    const auto set = found->settings.find(attribute);
    *static_cast<int*>(value) = set == found->settings.end() ? 1 : static_cast<int>(set->second);
    return call.end(Code::success);
  }
  // Peaks are not followed.
  if (attribute == kReserved + 1 || attribute == kUsed + 1) {
    call.runtime().refuse("the highest use of a memory pool");
    return call.end(Code::not_supported);
  }
  *static_cast<std::uint64_t*>(value) = attribute == kReserved || attribute == kUsed
                                            ? call.runtime().space().used(found->device)
                                            : found->settings[attribute];
  return call.end(Code::success);
}
