// SPDX-License-Identifier: MIT
// Allocation, and what is known of a pointer.
#include <cstring>

#include "engine/device/hip/api/call.h"

using namespace rpl::emu::hip;

namespace {

constexpr std::size_t kPitchAlignment = 256;

int allocate(Call& call, Allocation::Kind kind, std::size_t bytes, unsigned flags, void** where) {
  return call.end(call.runtime().allocate(call.thread(), kind, bytes, flags, where));
}

int allocate_rows(Call& call, void** where, std::size_t* pitch, std::size_t width,
                  std::size_t height) {
  if (where == nullptr || pitch == nullptr) return call.end(Code::invalid_value);
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  return allocate(call, Allocation::Kind::device, *pitch * height, 0, where);
}

int from_pool(const char* name, void** where, std::size_t bytes, void* stream) {
  Call call(name, kHostCosts.pool_ns, {out("dev_ptr", where), number("size", bytes), on(stream)});
  if (call.stream(stream) == nullptr) return call.end(kNoStream);
  return allocate(call, Allocation::Kind::device, bytes, 0, where);
}

/// What of memory is of the device: hipMalloc's, managed and its own; of the host: pinned and registered.
bool on_host(const Allocation& allocation) {
  return allocation.kind == Allocation::Kind::host ||
         allocation.kind == Allocation::Kind::registered;
}

// hipMemoryType changed its numbers with HIP 6.
int type_of(const Allocation& allocation) {
  constexpr int kHost5 = 0, kDevice5 = 1, kManaged5 = 4, kHost6 = 1, kDevice6 = 2, kManaged6 = 3;
  const bool old = interface_version() == 5;
  if (allocation.kind == Allocation::Kind::managed) return old ? kManaged5 : kManaged6;
  if (on_host(allocation)) return old ? kHost5 : kHost6;
  return old ? kDevice5 : kDevice6;
}

}  // namespace

RPL_HIP hipMalloc(void** where, std::size_t bytes) {
  Call call("hipMalloc", kHostCosts.allocate_ns, {out("ptr", where), number("size", bytes)});
  return allocate(call, Allocation::Kind::device, bytes, 0, where);
}

RPL_HIP hipExtMallocWithFlags(void** where, std::size_t bytes, unsigned flags) {
  Call call("hipExtMallocWithFlags", kHostCosts.allocate_ns,
            {out("ptr", where), number("sizeBytes", bytes), number("flags", flags)});
  return allocate(call, Allocation::Kind::device, bytes, flags, where);
}

RPL_HIP hipMallocManaged(void** where, std::size_t bytes, unsigned flags) {
  Call call("hipMallocManaged", kHostCosts.allocate_ns,
            {out("dev_ptr", where), number("size", bytes), number("flags", flags)});
  return allocate(call, Allocation::Kind::managed, bytes, flags, where);
}

RPL_HIP hipHostMalloc(void** where, std::size_t bytes, unsigned flags) {
  Call call("hipHostMalloc", kHostCosts.allocate_ns,
            {out("ptr", where), number("size", bytes), number("flags", flags)});
  return allocate(call, Allocation::Kind::host, bytes, flags, where);
}
RPL_HIP hipHostAlloc(void** where, std::size_t bytes, unsigned flags) {
  return hipHostMalloc(where, bytes, flags);
}
RPL_HIP hipMallocHost(void** where, std::size_t bytes) { return hipHostMalloc(where, bytes, 0); }
RPL_HIP hipMemAllocHost(void** where, std::size_t bytes) { return hipHostMalloc(where, bytes, 0); }

RPL_HIP hipMallocPitch(void** where, std::size_t* pitch, std::size_t width, std::size_t height) {
  Call call("hipMallocPitch", kHostCosts.allocate_ns,
            {out("ptr", where), number("width", width), number("height", height)});
  return allocate_rows(call, where, pitch, width, height);
}
RPL_HIP hipMemAllocPitch(void** where, std::size_t* pitch, std::size_t width, std::size_t height,
                         unsigned element) {
  Call call("hipMemAllocPitch", kHostCosts.allocate_ns,
            {out("dptr", where), number("widthInBytes", width), number("height", height),
             number("elementSizeBytes", element)});
  return allocate_rows(call, where, pitch, width, height);
}

RPL_HIP hipMalloc3D(abi::PitchedPointer* where, abi::Extent extent) {
  Call call("hipMalloc3D", kHostCosts.allocate_ns,
            {number("width", extent.width), number("height", extent.height),
             number("depth", extent.depth)});
  if (where == nullptr) return call.end(Code::invalid_value);
  where->width = extent.width;
  where->height = extent.height;
  return allocate_rows(call, &where->pointer, &where->pitch, extent.width,
                       extent.height * extent.depth);
}

RPL_HIP hipFree(void* pointer_) {
  Call call("hipFree", kHostCosts.free_ns, {pointer("ptr", pointer_)});
  // Freeing waits for the device, as hipFree does.
  call.runtime().wait_until(call.runtime().device_done_ns(call.thread().device));
  return call.end_checked(call.runtime().release(call.thread(), pointer_, false));
}
RPL_HIP hipHostFree(void* pointer_) {
  Call call("hipHostFree", kHostCosts.free_ns, {pointer("ptr", pointer_)});
  call.runtime().wait_until(call.runtime().device_done_ns(call.thread().device));
  return call.end(call.runtime().release(call.thread(), pointer_, true));
}
RPL_HIP hipFreeHost(void* pointer_) { return hipHostFree(pointer_); }

RPL_HIP hipMallocAsync(void** where, std::size_t bytes, void* stream) {
  return from_pool("hipMallocAsync", where, bytes, stream);
}
RPL_HIP hipMallocFromPoolAsync(void** where, std::size_t bytes, void*, void* stream) {
  return from_pool("hipMallocFromPoolAsync", where, bytes, stream);
}
RPL_HIP hipFreeAsync(void* pointer_, void* stream) {
  Call call("hipFreeAsync", kHostCosts.pool_ns, {pointer("dev_ptr", pointer_), on(stream)});
  if (call.stream(stream) == nullptr) return call.end(kNoStream);
  return call.end(call.runtime().release(call.thread(), pointer_, false));
}

RPL_HIP hipHostRegister(void* host, std::size_t bytes, unsigned flags) {
  Call call("hipHostRegister", kHostCosts.allocate_ns,
            {pointer("hostPtr", host), number("sizeBytes", bytes), number("flags", flags)});
  return call.end(call.runtime().register_host(host, bytes, flags));
}
RPL_HIP hipHostUnregister(void* host) {
  Call call("hipHostUnregister", kHostCosts.free_ns, {pointer("hostPtr", host)});
  return call.end(call.runtime().unregister_host(host));
}
RPL_HIP hipHostGetDevicePointer(void** where, void* host, unsigned flags) {
  Call call("hipHostGetDevicePointer", kHostCosts.call_ns,
            {out("devPtr", where), pointer("hstPtr", host), number("flags", flags)});
  if (where == nullptr ||
      call.runtime().space().find(reinterpret_cast<std::uint64_t>(host)) == nullptr)
    return call.end(Code::invalid_value);
  *where = host;
  return call.end(Code::success);
}
RPL_HIP hipHostGetFlags(unsigned* flags, void* host) {
  Call call("hipHostGetFlags", kHostCosts.call_ns, {pointer("hostPtr", host)});
  const Allocation* found = call.runtime().space().find(reinterpret_cast<std::uint64_t>(host));
  if (flags == nullptr || found == nullptr || !on_host(*found))
    return call.end(Code::invalid_value);
  *flags = found->flags;
  return call.end(Code::success);
}

RPL_HIP hipMemGetInfo(std::size_t* free, std::size_t* total) {
  Call call("hipMemGetInfo", kHostCosts.call_ns);
  if (free != nullptr) *free = call.runtime().free_bytes(call.thread().device);
  if (total != nullptr) *total = call.runtime().kind().memory_bytes;
  return call.end(Code::success);
}

RPL_HIP hipMemGetAddressRange(void** base, std::size_t* bytes, void* address) {
  Call call("hipMemGetAddressRange", kHostCosts.call_ns, {pointer("dptr", address)});
  const Allocation* found = call.runtime().space().find(reinterpret_cast<std::uint64_t>(address));
  if (found == nullptr) return call.end(Code::invalid_value);
  if (base != nullptr) *base = reinterpret_cast<void*>(found->base);
  if (bytes != nullptr) *bytes = found->bytes;
  return call.end(Code::success);
}
RPL_HIP hipMemPtrGetInfo(void* address, std::size_t* bytes) {
  return hipMemGetAddressRange(nullptr, bytes, address);
}

RPL_HIP hipPointerGetAttributes(abi::PointerAttributes* attributes, const void* address) {
  Call call("hipPointerGetAttributes", kHostCosts.call_ns, {pointer("ptr", address)});
  if (attributes == nullptr) return call.end(Code::invalid_value);
  const Allocation* found = call.runtime().space().find(reinterpret_cast<std::uint64_t>(address));
  *attributes = {};
  if (found == nullptr) {
    // Up to HIP 5 unknown memory is an error; since 6 it is "unregistered".
    if (interface_version() == 5) return call.end(Code::invalid_value);
    attributes->device = -2;
    return call.end(Code::success);
  }
  attributes->type = type_of(*found);
  attributes->device = static_cast<int>(found->device);
  attributes->device_pointer = const_cast<void*>(address);
  if (found->kind != Allocation::Kind::device)
    attributes->host_pointer = const_cast<void*>(address);
  attributes->is_managed = found->kind == Allocation::Kind::managed ? 1 : 0;
  attributes->flags = found->flags;
  return call.end(Code::success);
}

// Managed memory is the same for host and devices at all times: where its pages are is not modelled, and advice changes nothing.
RPL_HIP hipMemAdvise(const void* address, std::size_t bytes, int, int device) {
  Call call("hipMemAdvise", kHostCosts.call_ns,
            {pointer("dev_ptr", address), number("count", bytes), whole("device", device)});
  return call.end(Code::success);
}
RPL_HIP hipMemPrefetchAsync(const void* address, std::size_t bytes, int device, void* stream) {
  Call call(
      "hipMemPrefetchAsync", kHostCosts.enqueue_ns,
      {pointer("dev_ptr", address), number("count", bytes), whole("device", device), on(stream)});
  return call.end(call.stream(stream) == nullptr ? kNoStream : Code::success);
}
