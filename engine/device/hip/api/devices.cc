// SPDX-License-Identifier: MIT
// Devices, their properties, contexts, peers, versions and errors.
#include <fmt/format.h>

#include <cstring>

#include "engine/device/hip/api/call.h"
#include "engine/device/hip/api/properties.h"

using namespace rpl::emu::hip;

namespace {

bool known(const Call& call, int device) {
  return device >= 0 && static_cast<std::uint32_t>(device) < call.runtime().device_count();
}

std::string bus_id(const Call& call, int device) {
  return fmt::format("0000:{:02x}:00.0", properties_r0000(call.runtime().kind(), device).pci_bus);
}

int device_name(char* name, int bytes, int device) {
  Call call("hipDeviceGetName", kHostCosts.call_ns, {whole("device", device)});
  if (!known(call, device)) return call.end(Code::invalid_device);
  if (name == nullptr || bytes <= 0) return call.end(Code::invalid_value);
  std::strncpy(name, call.runtime().kind().name.c_str(), static_cast<std::size_t>(bytes) - 1);
  name[bytes - 1] = '\0';
  return call.end(Code::success);
}

template <class P>
int properties(const char* name, P* out, int device, P (*make)(const DeviceKind&, int)) {
  Call call(name, kHostCosts.call_ns, {whole("deviceId", device)});
  if (out == nullptr) return call.end(Code::invalid_value);
  if (!known(call, device)) return call.end(Code::invalid_device);
  *out = make(call.runtime().kind(), device);
  return call.end(Code::success);
}

int peer(const char* name, int to, bool enable) {
  Call call(name, kHostCosts.call_ns, {whole("peerDeviceId", to)});
  if (!known(call, to)) return call.end(Code::invalid_device);
  return call.end(
      call.runtime().enable_peer(call.thread().device, static_cast<std::uint32_t>(to), enable));
}

/// What a setting that changes nothing here returns.
int accepted(const char* name) {
  Call call(name, kHostCosts.call_ns);
  return call.end(Code::success);
}

int zero(const char* name, void* out, std::size_t bytes) {
  Call call(name, kHostCosts.call_ns);
  if (out == nullptr) return call.end(Code::invalid_value);
  std::memset(out, 0, bytes);
  return call.end(Code::success);
}

constexpr int version_number() { return 60'000'000; }

}  // namespace

RPL_HIP hipInit(unsigned flags) {
  Call call("hipInit", kHostCosts.call_ns, {number("flags", flags)});
  return call.end(flags == 0 ? Code::success : Code::invalid_value);
}
RPL_HIP hipGetDeviceCount(int* count) {
  Call call("hipGetDeviceCount", kHostCosts.call_ns);
  if (count == nullptr) return call.end(Code::invalid_value);
  *count = static_cast<int>(call.runtime().device_count());
  return call.end(Code::success);
}
RPL_HIP hipSetDevice(int device) {
  Call call("hipSetDevice", kHostCosts.call_ns, {whole("deviceId", device)});
  if (!known(call, device)) return call.end(Code::invalid_device);
  call.thread().device = static_cast<std::uint32_t>(device);
  return call.end(Code::success);
}
RPL_HIP hipGetDevice(int* device) {
  Call call("hipGetDevice", kHostCosts.call_ns);
  if (device == nullptr) return call.end(Code::invalid_value);
  *device = static_cast<int>(call.thread().device);
  return call.end(Code::success);
}
RPL_HIP hipDeviceGet(int* device, int ordinal) {
  Call call("hipDeviceGet", kHostCosts.call_ns, {whole("ordinal", ordinal)});
  if (device == nullptr) return call.end(Code::invalid_value);
  if (!known(call, ordinal)) return call.end(Code::invalid_device);
  *device = ordinal;
  return call.end(Code::success);
}
RPL_HIP hipDeviceGetName(char* name, int bytes, int device) {
  return device_name(name, bytes, device);
}
RPL_HIP hipDeviceTotalMem(std::size_t* bytes, int device) {
  Call call("hipDeviceTotalMem", kHostCosts.call_ns, {whole("device", device)});
  if (!known(call, device)) return call.end(Code::invalid_device);
  if (bytes == nullptr) return call.end(Code::invalid_value);
  *bytes = call.runtime().kind().memory_bytes;
  return call.end(Code::success);
}
RPL_HIP hipDeviceComputeCapability(int* major, int* minor, int device) {
  Call call("hipDeviceComputeCapability", kHostCosts.call_ns, {whole("device", device)});
  if (!known(call, device)) return call.end(Code::invalid_device);
  const auto p = properties_r0000(call.runtime().kind(), device);
  if (major != nullptr) *major = p.major;
  if (minor != nullptr) *minor = p.minor;
  return call.end(Code::success);
}
RPL_HIP hipDeviceGetPCIBusId(char* id, int bytes, int device) {
  Call call("hipDeviceGetPCIBusId", kHostCosts.call_ns, {whole("device", device)});
  if (!known(call, device)) return call.end(Code::invalid_device);
  if (id == nullptr || bytes <= 0) return call.end(Code::invalid_value);
  std::strncpy(id, bus_id(call, device).c_str(), static_cast<std::size_t>(bytes) - 1);
  id[bytes - 1] = '\0';
  return call.end(Code::success);
}
RPL_HIP hipGetDeviceProperties(abi::PropertiesR0000* out, int device) {
  return properties("hipGetDeviceProperties", out, device, properties_r0000);
}
RPL_HIP hipGetDevicePropertiesR0000(abi::PropertiesR0000* out, int device) {
  return properties("hipGetDevicePropertiesR0000", out, device, properties_r0000);
}
RPL_HIP hipGetDevicePropertiesR0600(abi::PropertiesR0600* out, int device) {
  return properties("hipGetDevicePropertiesR0600", out, device, properties_r0600);
}
RPL_HIP hipDeviceGetAttribute(int* value, int number_, int device) {
  Call call("hipDeviceGetAttribute", kHostCosts.call_ns,
            {whole("attr", number_), whole("deviceId", device)});
  if (!known(call, device)) return call.end(Code::invalid_device);
  const auto found = attribute(call.runtime().kind(), device, number_);
  if (value == nullptr || !found) return call.end(Code::invalid_value);
  *value = *found;
  return call.end(Code::success);
}

RPL_HIP hipDeviceGetUuid(void* uuid, int device) {
  Call call("hipDeviceGetUuid", kHostCosts.call_ns, {whole("device", device)});
  if (uuid == nullptr) return call.end(Code::invalid_value);
  if (!known(call, device)) return call.end(Code::invalid_device);
  const auto p = properties_r0600(call.runtime().kind(), device);
  std::memcpy(uuid, p.uuid, sizeof(p.uuid));
  return call.end(Code::success);
}
RPL_HIP hipDeviceGetByPCIBusId(int* device, const char* id) {
  Call call("hipDeviceGetByPCIBusId", kHostCosts.call_ns, {text("pciBusId", id)});
  if (device == nullptr || id == nullptr) return call.end(Code::invalid_value);
  for (std::uint32_t i = 0; i < call.runtime().device_count(); ++i) {
    const int number_ = static_cast<int>(i);
    if (bus_id(call, number_) != id) continue;
    *device = number_;
    return call.end(Code::success);
  }
  return call.end(Code::invalid_device);
}
// All devices are alike: the first one is as near to what is wanted as any.
RPL_HIP hipChooseDevice(int* device, const void* wanted) {
  Call call("hipChooseDevice", kHostCosts.call_ns);
  if (device == nullptr || wanted == nullptr) return call.end(Code::invalid_value);
  *device = 0;
  return call.end(Code::success);
}
RPL_HIP hipChooseDeviceR0000(int* device, const void* wanted) {
  return hipChooseDevice(device, wanted);
}
RPL_HIP hipChooseDeviceR0600(int* device, const void* wanted) {
  return hipChooseDevice(device, wanted);
}
RPL_HIP hipDeviceGetP2PAttribute(int* value, int attribute, int from, int to) {
  Call call("hipDeviceGetP2PAttribute", kHostCosts.call_ns,
            {whole("attr", attribute), whole("srcDevice", from), whole("dstDevice", to)});
  if (!known(call, from) || !known(call, to) || from == to) return call.end(Code::invalid_device);
  // Performance rank, access, native atomics, access to arrays.
  constexpr int kValues[] = {0, 1, 1, 0};
  if (value == nullptr || attribute < 0 || attribute >= static_cast<int>(std::size(kValues)))
    return call.end(Code::invalid_value);
  *value = kValues[attribute];
  return call.end(Code::success);
}

RPL_HIP hipDeviceSynchronize() {
  Call call("hipDeviceSynchronize", kHostCosts.call_ns);
  call.runtime().wait_until(call.runtime().device_done_ns(call.thread().device));
  return call.end_checked(Code::success);
}
RPL_HIP hipCtxSynchronize() { return hipDeviceSynchronize(); }
RPL_HIP hipDeviceReset() { return hipDeviceSynchronize(); }

RPL_HIP hipDeviceCanAccessPeer(int* can, int from, int to) {
  Call call("hipDeviceCanAccessPeer", kHostCosts.call_ns,
            {whole("deviceId", from), whole("peerDeviceId", to)});
  if (!known(call, from) || !known(call, to)) return call.end(Code::invalid_device);
  if (can == nullptr) return call.end(Code::invalid_value);
  *can = from != to ? 1 : 0;
  return call.end(Code::success);
}
RPL_HIP hipDeviceEnablePeerAccess(int to, unsigned) {
  return peer("hipDeviceEnablePeerAccess", to, true);
}
RPL_HIP hipDeviceDisablePeerAccess(int to) { return peer("hipDeviceDisablePeerAccess", to, false); }

RPL_HIP hipSetDeviceFlags(unsigned) { return accepted("hipSetDeviceFlags"); }
RPL_HIP hipGetDeviceFlags(unsigned* flags) {
  return zero("hipGetDeviceFlags", flags, sizeof(*flags));
}
RPL_HIP hipDeviceSetCacheConfig(int) { return accepted("hipDeviceSetCacheConfig"); }
RPL_HIP hipDeviceGetCacheConfig(int* config) {
  return zero("hipDeviceGetCacheConfig", config, sizeof(*config));
}
RPL_HIP hipDeviceSetSharedMemConfig(int) { return accepted("hipDeviceSetSharedMemConfig"); }
RPL_HIP hipDeviceGetSharedMemConfig(int* config) {
  return zero("hipDeviceGetSharedMemConfig", config, sizeof(*config));
}
RPL_HIP hipFuncSetCacheConfig(const void*, int) { return accepted("hipFuncSetCacheConfig"); }
RPL_HIP hipFuncSetSharedMemConfig(const void*, int) {
  return accepted("hipFuncSetSharedMemConfig");
}
RPL_HIP hipFuncSetAttribute(const void*, int, int) { return accepted("hipFuncSetAttribute"); }
RPL_HIP hipProfilerStart() { return accepted("hipProfilerStart"); }
RPL_HIP hipProfilerStop() { return accepted("hipProfilerStop"); }

// Each device has one context, whose handle is its number and one.
RPL_HIP hipCtxGetDevice(int* device) { return hipGetDevice(device); }
RPL_HIP hipCtxCreate(void** context, unsigned, int device) {
  Call call("hipCtxCreate", kHostCosts.create_ns, {whole("device", device)});
  if (!known(call, device)) return call.end(Code::invalid_device);
  if (context == nullptr) return call.end(Code::invalid_value);
  call.thread().device = static_cast<std::uint32_t>(device);
  *context = reinterpret_cast<void*>(static_cast<std::intptr_t>(device) + 1);
  return call.end(Code::success);
}
RPL_HIP hipDevicePrimaryCtxRetain(void** context, int device) {
  return hipCtxCreate(context, 0, device);
}
RPL_HIP hipDevicePrimaryCtxRelease(int) { return accepted("hipDevicePrimaryCtxRelease"); }
RPL_HIP hipCtxDestroy(void*) { return accepted("hipCtxDestroy"); }
RPL_HIP hipCtxSetCurrent(void* context) {
  const auto number_ = reinterpret_cast<std::intptr_t>(context);
  return hipSetDevice(number_ == 0 ? 0 : static_cast<int>(number_ - 1));
}
RPL_HIP hipCtxGetCurrent(void** context) {
  Call call("hipCtxGetCurrent", kHostCosts.call_ns);
  if (context == nullptr) return call.end(Code::invalid_value);
  *context = reinterpret_cast<void*>(static_cast<std::intptr_t>(call.thread().device) + 1);
  return call.end(Code::success);
}

// Under a context that was pushed lies the one that was current before.
RPL_HIP hipCtxPushCurrent(void* context) {
  Call call("hipCtxPushCurrent", kHostCosts.call_ns);
  const auto number_ = reinterpret_cast<std::intptr_t>(context);
  if (number_ <= 0 || !known(call, static_cast<int>(number_ - 1)))
    return call.end(Code::invalid_context);
  call.thread().contexts_below.push_back(call.thread().device);
  call.thread().device = static_cast<std::uint32_t>(number_ - 1);
  return call.end(Code::success);
}
RPL_HIP hipCtxPopCurrent(void** context) {
  Call call("hipCtxPopCurrent", kHostCosts.call_ns);
  ThreadState& thread = call.thread();
  if (context != nullptr)
    *context = reinterpret_cast<void*>(static_cast<std::intptr_t>(thread.device) + 1);
  if (thread.contexts_below.empty()) return call.end(Code::success);
  thread.device = thread.contexts_below.back();
  thread.contexts_below.pop_back();
  return call.end(Code::success);
}

RPL_HIP hipRuntimeGetVersion(int* version) {
  Call call("hipRuntimeGetVersion", kHostCosts.call_ns);
  if (version == nullptr) return call.end(Code::invalid_value);
  *version = interface_version() * 10'000'000;
  return call.end(Code::success);
}
RPL_HIP hipDriverGetVersion(int* version) {
  Call call("hipDriverGetVersion", kHostCosts.call_ns);
  if (version == nullptr) return call.end(Code::invalid_value);
  *version = version_number();
  return call.end(Code::success);
}

RPL_HIP hipGetLastError() {
  Call call("hipGetLastError", kHostCosts.call_ns);
  const Code last = std::exchange(call.thread().last, Code::success);
  // A kernel that failed stays failed.
  return static_cast<int>(last == Code::success ? call.runtime().failure() : last);
}
RPL_HIP hipExtGetLastError() { return hipGetLastError(); }
RPL_HIP hipPeekAtLastError() {
  Call call("hipPeekAtLastError", kHostCosts.call_ns);
  const Code last = call.thread().last;
  return static_cast<int>(last == Code::success ? call.runtime().failure() : last);
}

extern "C" {
__attribute__((visibility("default"))) const char* hipGetErrorName(int code) {
  return error_name(code);
}
__attribute__((visibility("default"))) const char* hipGetErrorString(int code) {
  return error_text(code);
}
}
RPL_HIP hipDrvGetErrorName(int code, const char** text) {
  if (text != nullptr) *text = error_name(code);
  return static_cast<int>(text != nullptr ? Code::success : Code::invalid_value);
}
RPL_HIP hipDrvGetErrorString(int code, const char** text) {
  if (text != nullptr) *text = error_text(code);
  return static_cast<int>(text != nullptr ? Code::success : Code::invalid_value);
}
