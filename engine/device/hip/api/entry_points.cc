// SPDX-License-Identifier: MIT
// Functions by name, and what is known of a pointer one attribute at a time: what runtimes ask that open this library themselves.
#include <dlfcn.h>

#include <string>

#include "engine/device/hip/api/call.h"

using namespace rpl::emu::hip;

namespace {

/// hipDriverProcAddressQueryResult.
enum AddressResult { kAddressFound, kAddressNotFound };
/// HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.
constexpr std::uint64_t kPerThreadStream = 2;

/// A function that this library exports; null for none.
void* exported(const std::string& name) {
  static void* const self = [] {
    Dl_info info{};
    const bool found = dladdr(reinterpret_cast<const void*>(&this_thread), &info) != 0;
    return found ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  }();
  return self == nullptr ? nullptr : dlsym(self, name.c_str());
}

/// Of functions whose structures changed with HIP 6 there are two; versions are 100 * major + minor, or as hipRuntimeGetVersion has them.
void* entry_point(const std::string& name, int version, std::uint64_t flags) {
  constexpr int kChanged = 600, kChangedInFull = 60'000'000, kInFull = 10'000'000;
  const bool later = version >= (version < kInFull ? kChanged : kChangedInFull);
  if (later && (name == "hipGetDeviceProperties" || name == "hipChooseDevice"))
    return exported(name + "R0600");
  void* per_thread = flags == kPerThreadStream ? exported(name + "_spt") : nullptr;
  return per_thread != nullptr ? per_thread : exported(name);
}

/// hipPointer_attribute; those that are not here are refused.
enum PointerAttribute {
  kMemoryType = 2,
  kDevicePointer,
  kHostPointer,
  kBufferId = 7,
  kIsManaged,
  kDeviceOrdinal,
  kRangeStart = 11,
  kRangeSize,
  kMapped
};

template <class T>
void put(void* where, T value) {
  *static_cast<T*>(where) = value;
}

Code attribute_of(const Allocation& found, int attribute, void* address, void* where) {
  const bool device = found.kind == Allocation::Kind::device;
  switch (attribute) {
    case kMemoryType: {
      // hipMemoryTypeHost and hipMemoryTypeDevice, with the numbers of the interface.
      const unsigned host = interface_version() == 5 ? 0 : 1;
      const bool on_host =
          found.kind == Allocation::Kind::host || found.kind == Allocation::Kind::registered;
      put<unsigned>(where, on_host ? host : host + 1);
      return Code::success;
    }
    case kDevicePointer:
      put(where, address);
      return Code::success;
    case kHostPointer:
      put(where, device ? nullptr : address);
      return device ? Code::invalid_value : Code::success;
    case kBufferId:
      put<unsigned>(where, static_cast<unsigned>(found.base >> 12));
      return Code::success;
    case kIsManaged:
      put(where, found.kind == Allocation::Kind::managed);
      return Code::success;
    case kDeviceOrdinal:
      put(where, static_cast<int>(found.device));
      return Code::success;
    case kRangeStart:
      put(where, reinterpret_cast<void*>(found.base));
      return Code::success;
    case kRangeSize:
      put<std::size_t>(where, found.bytes);
      return Code::success;
    case kMapped:
      put(where, true);
      return Code::success;
    default:
      return Code::not_supported;
  }
}

}  // namespace

RPL_HIP hipGetProcAddress(const char* symbol, void** function, int version, std::uint64_t flags,
                          int* result) {
  Call call("hipGetProcAddress", kHostCosts.call_ns,
            {text("symbol", symbol), whole("hipVersion", version), number("flags", flags)});
  if (symbol == nullptr || *symbol == '\0' || function == nullptr)
    return call.end(Code::invalid_value);
  *function = entry_point(symbol, version, flags);
  if (result != nullptr) *result = *function != nullptr ? kAddressFound : kAddressNotFound;
  return call.end(*function != nullptr ? Code::success : Code::invalid_value);
}

RPL_HIP hipPointerGetAttribute(void* data, int attribute, void* address) {
  Call call("hipPointerGetAttribute", kHostCosts.call_ns,
            {whole("attribute", attribute), pointer("ptr", address)});
  const Allocation* found = call.runtime().space().find(reinterpret_cast<std::uint64_t>(address));
  if (data == nullptr || found == nullptr) return call.end(Code::invalid_value);
  return call.end(attribute_of(*found, attribute, address, data));
}

// What is not known of a pointer is zero, and no error.
RPL_HIP hipDrvPointerGetAttributes(unsigned count, const int* attributes, void** data,
                                   void* address) {
  Call call("hipDrvPointerGetAttributes", kHostCosts.call_ns,
            {number("numAttributes", count), pointer("ptr", address)});
  if (count == 0 || attributes == nullptr || data == nullptr) return call.end(Code::invalid_value);
  const Allocation* found = call.runtime().space().find(reinterpret_cast<std::uint64_t>(address));
  for (unsigned i = 0; i < count; ++i) {
    if (data[i] == nullptr) return call.end(Code::invalid_value);
    if (found != nullptr)
      (void)attribute_of(*found, attributes[i], address, data[i]);
    else
      put<int>(data[i], 0);
  }
  return call.end(Code::success);
}
