// SPDX-License-Identifier: MIT
// Copies and fills, between memory and with device variables.
#include "engine/device/hip/api/call.h"

namespace rpl::emu::hip {

/// The device address of what host code knows by its shadow; `bytes` gets its size.
Code symbol_address(Call& call, const void* shadow, void** address, std::uint64_t* bytes) {
  const auto found = call.process().variables.find(shadow);
  if (found == call.process().variables.end()) return Code::invalid_symbol;
  Module* module = module_of(call.process(), call.thread(), *found->second.binary);
  if (module == nullptr) return Code::no_binary_for_gpu;
  if (found->second.managed != nullptr) {
    *address = *found->second.managed;
    *bytes = found->second.bytes;
    return Code::success;
  }
  return call.runtime().variable(call.thread(), *module, found->second.name, address, bytes);
}

bool box_of(const abi::Copy3d& wanted, CopyWork& out) {
  if (wanted.from_array != nullptr || wanted.to_array != nullptr) return false;
  const auto place = [](const abi::PitchedPointer& memory, const abi::Position& at) {
    return static_cast<char*>(memory.pointer) + at.x + at.y * memory.pitch +
           at.z * memory.pitch * memory.height;
  };
  out.to = place(wanted.to, wanted.to_position);
  out.from = place(wanted.from, wanted.from_position);
  out.rows = {.to_pitch = wanted.to.pitch,
              .from_pitch = wanted.from.pitch,
              .width = wanted.extent.width,
              .count = wanted.extent.height};
  out.slices = wanted.extent.depth;
  out.to_slice = wanted.to.pitch * wanted.to.height;
  out.from_slice = wanted.from.pitch * wanted.from.height;
  out.kind = wanted.kind;
  return true;
}

}  // namespace rpl::emu::hip

using namespace rpl::emu::hip;

namespace {

void* const kPerThread = reinterpret_cast<void*>(2);
constexpr int kToDevice = 1, kFromDevice = 2, kWithin = 3, kAny = 4;

/// The host hands copies within a device over to it and goes on.
std::int64_t host_cost(int kind, bool wait) {
  return wait && kind != kWithin ? kHostCosts.copy_ns : kHostCosts.enqueue_ns;
}

int copy(const char* name, void* to, const void* from, std::size_t bytes, int kind, void* stream,
         bool wait) {
  Call call(name, host_cost(kind, wait),
            {pointer("dst", to), pointer("src", from), number("sizeBytes", bytes),
             whole("kind", kind), on(stream)});
  return call.end(
      call.runtime().copy(call.thread(), to, from, bytes, kind, call.stream(stream), wait));
}

int copy_rows(const char* name, void* to, const void* from, const Runtime::Rows& rows, int kind,
              void* stream, bool wait) {
  Call call(name, host_cost(kind, wait),
            {pointer("dst", to), number("dpitch", rows.to_pitch), pointer("src", from),
             number("spitch", rows.from_pitch), number("width", rows.width),
             number("height", rows.count), whole("kind", kind), on(stream)});
  return call.end(
      call.runtime().copy_rows(call.thread(), to, from, rows, kind, call.stream(stream), wait));
}

int fill(const char* name, void* to, std::uint32_t value, std::uint32_t size, std::size_t count,
         void* stream, bool wait) {
  Call call(name, kHostCosts.enqueue_ns,
            {pointer("dst", to), whole("value", static_cast<int>(value)), number("count", count),
             on(stream)});
  return call.end(
      call.runtime().fill(call.thread(), to, value, size, count, call.stream(stream), wait));
}

int fill_rows(const char* name, void* to, std::size_t pitch, int value, std::size_t width,
              std::size_t height, void* stream) {
  Call call(name, kHostCosts.enqueue_ns,
            {pointer("dst", to), number("pitch", pitch), whole("value", value),
             number("width", width), number("height", height), on(stream)});
  const FillWork work{.to = to,
                      .value = static_cast<std::uint32_t>(value),
                      .pitch = pitch,
                      .width = width,
                      .height = height};
  return call.end(call.runtime().fill_box(call.thread(), work, call.stream(stream)));
}

/// A box between pitched memory; arrays are refused.
int copy_box(const char* name, const abi::Copy3d* wanted, void* stream, bool wait) {
  Call call(name, wait ? kHostCosts.copy_ns : kHostCosts.enqueue_ns, {on(stream)});
  if (wanted == nullptr) return call.end(Code::invalid_value);
  CopyWork work;
  if (!box_of(*wanted, work)) {
    call.runtime().refuse(std::string(name) + " of an array");
    return call.end(Code::not_supported);
  }
  return call.end(call.runtime().copy_box(call.thread(), work, call.stream(stream), wait));
}

int fill_box(const char* name, abi::PitchedPointer to, int value, abi::Extent extent,
             void* stream) {
  Call call(name, kHostCosts.enqueue_ns,
            {pointer("pitchedDevPtr", to.pointer), whole("value", value), on(stream)});
  Code code = Code::success;
  for (std::size_t slice = 0; slice < extent.depth && code == Code::success; ++slice) {
    const FillWork work{.to = static_cast<char*>(to.pointer) + slice * to.pitch * to.height,
                        .value = static_cast<std::uint32_t>(value) & 0xffU,
                        .pitch = to.pitch,
                        .width = extent.width,
                        .height = extent.height};
    code = call.runtime().fill_box(call.thread(), work, call.stream(stream));
  }
  return call.end(code);
}

int with_symbol(const char* name, const void* shadow, void* other, std::size_t bytes,
                std::size_t offset, int kind, void* stream, bool wait, bool to_symbol) {
  Call call(
      name, wait ? kHostCosts.copy_ns : kHostCosts.enqueue_ns,
      {number("sizeBytes", bytes), number("offset", offset), whole("kind", kind), on(stream)});
  void* address = nullptr;
  std::uint64_t size = 0;
  const Code code = symbol_address(call, shadow, &address, &size);
  if (code != Code::success) return call.end(code);
  if (offset > size || bytes > size - offset) return call.end(Code::invalid_value);
  void* variable = static_cast<char*>(address) + offset;
  return call.end(call.runtime().copy(call.thread(), to_symbol ? variable : other,
                                      to_symbol ? other : variable, bytes, kAny,
                                      call.stream(stream), wait));
}

}  // namespace

RPL_HIP hipMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return copy("hipMemcpy", to, from, bytes, kind, nullptr, true);
}
RPL_HIP hipMemcpy_spt(void* to, const void* from, std::size_t bytes, int kind) {
  return copy("hipMemcpy_spt", to, from, bytes, kind, kPerThread, true);
}
RPL_HIP hipMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  return copy("hipMemcpyAsync", to, from, bytes, kind, stream, false);
}
RPL_HIP hipMemcpyAsync_spt(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  return copy("hipMemcpyAsync_spt", to, from, bytes, kind, stream == nullptr ? kPerThread : stream,
              false);
}
RPL_HIP hipMemcpyWithStream(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  return copy("hipMemcpyWithStream", to, from, bytes, kind, stream, true);
}
RPL_HIP hipMemcpyHtoD(void* to, void* from, std::size_t bytes) {
  return copy("hipMemcpyHtoD", to, from, bytes, kToDevice, nullptr, true);
}
RPL_HIP hipMemcpyDtoH(void* to, void* from, std::size_t bytes) {
  return copy("hipMemcpyDtoH", to, from, bytes, kFromDevice, nullptr, true);
}
RPL_HIP hipMemcpyDtoD(void* to, void* from, std::size_t bytes) {
  return copy("hipMemcpyDtoD", to, from, bytes, kWithin, nullptr, true);
}
RPL_HIP hipMemcpyHtoDAsync(void* to, void* from, std::size_t bytes, void* stream) {
  return copy("hipMemcpyHtoDAsync", to, from, bytes, kToDevice, stream, false);
}
RPL_HIP hipMemcpyDtoHAsync(void* to, void* from, std::size_t bytes, void* stream) {
  return copy("hipMemcpyDtoHAsync", to, from, bytes, kFromDevice, stream, false);
}
RPL_HIP hipMemcpyDtoDAsync(void* to, void* from, std::size_t bytes, void* stream) {
  return copy("hipMemcpyDtoDAsync", to, from, bytes, kWithin, stream, false);
}
RPL_HIP hipMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return copy("hipMemcpyPeer", to, from, bytes, kWithin, nullptr, true);
}
RPL_HIP hipMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, void* stream) {
  return copy("hipMemcpyPeerAsync", to, from, bytes, kWithin, stream, false);
}
RPL_HIP hipMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    std::size_t width, std::size_t height, int kind) {
  return copy_rows("hipMemcpy2D", to, from, {to_pitch, from_pitch, width, height}, kind, nullptr,
                   true);
}
RPL_HIP hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, int kind, void* stream) {
  return copy_rows("hipMemcpy2DAsync", to, from, {to_pitch, from_pitch, width, height}, kind,
                   stream, false);
}

RPL_HIP hipMemset(void* to, int value, std::size_t bytes) {
  return fill("hipMemset", to, static_cast<std::uint32_t>(value), 1, bytes, nullptr, false);
}
RPL_HIP hipMemset_spt(void* to, int value, std::size_t bytes) {
  return fill("hipMemset_spt", to, static_cast<std::uint32_t>(value), 1, bytes, kPerThread, false);
}
RPL_HIP hipMemsetAsync(void* to, int value, std::size_t bytes, void* stream) {
  return fill("hipMemsetAsync", to, static_cast<std::uint32_t>(value), 1, bytes, stream, false);
}
RPL_HIP hipMemsetD8(void* to, unsigned char value, std::size_t count) {
  return fill("hipMemsetD8", to, value, 1, count, nullptr, false);
}
RPL_HIP hipMemsetD8Async(void* to, unsigned char value, std::size_t count, void* stream) {
  return fill("hipMemsetD8Async", to, value, 1, count, stream, false);
}
RPL_HIP hipMemsetD16(void* to, unsigned short value, std::size_t count) {
  return fill("hipMemsetD16", to, value, 2, count, nullptr, false);
}
RPL_HIP hipMemsetD16Async(void* to, unsigned short value, std::size_t count, void* stream) {
  return fill("hipMemsetD16Async", to, value, 2, count, stream, false);
}
RPL_HIP hipMemsetD32(void* to, int value, std::size_t count) {
  return fill("hipMemsetD32", to, static_cast<std::uint32_t>(value), 4, count, nullptr, false);
}
RPL_HIP hipMemsetD32Async(void* to, int value, std::size_t count, void* stream) {
  return fill("hipMemsetD32Async", to, static_cast<std::uint32_t>(value), 4, count, stream, false);
}
RPL_HIP hipMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_rows("hipMemset2D", to, pitch, value, width, height, nullptr);
}
RPL_HIP hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                         std::size_t height, void* stream) {
  return fill_rows("hipMemset2DAsync", to, pitch, value, width, height, stream);
}

RPL_HIP hipMemcpy3D(const abi::Copy3d* wanted) {
  return copy_box("hipMemcpy3D", wanted, nullptr, true);
}
RPL_HIP hipMemcpy3DAsync(const abi::Copy3d* wanted, void* stream) {
  return copy_box("hipMemcpy3DAsync", wanted, stream, false);
}
RPL_HIP hipMemset3D(abi::PitchedPointer to, int value, abi::Extent extent) {
  return fill_box("hipMemset3D", to, value, extent, nullptr);
}
RPL_HIP hipMemset3DAsync(abi::PitchedPointer to, int value, abi::Extent extent, void* stream) {
  return fill_box("hipMemset3DAsync", to, value, extent, stream);
}

RPL_HIP hipMemcpyToSymbol(const void* shadow, const void* from, std::size_t bytes,
                          std::size_t offset, int kind) {
  return with_symbol("hipMemcpyToSymbol", shadow, const_cast<void*>(from), bytes, offset, kind,
                     nullptr, true, true);
}
RPL_HIP hipMemcpyToSymbolAsync(const void* shadow, const void* from, std::size_t bytes,
                               std::size_t offset, int kind, void* stream) {
  return with_symbol("hipMemcpyToSymbolAsync", shadow, const_cast<void*>(from), bytes, offset, kind,
                     stream, false, true);
}
RPL_HIP hipMemcpyFromSymbol(void* to, const void* shadow, std::size_t bytes, std::size_t offset,
                            int kind) {
  return with_symbol("hipMemcpyFromSymbol", shadow, to, bytes, offset, kind, nullptr, true, false);
}
RPL_HIP hipMemcpyFromSymbolAsync(void* to, const void* shadow, std::size_t bytes,
                                 std::size_t offset, int kind, void* stream) {
  return with_symbol("hipMemcpyFromSymbolAsync", shadow, to, bytes, offset, kind, stream, false,
                     false);
}
RPL_HIP hipGetSymbolAddress(void** where, const void* shadow) {
  Call call("hipGetSymbolAddress", kHostCosts.call_ns, {out("devPtr", where)});
  std::uint64_t bytes = 0;
  if (where == nullptr) return call.end(Code::invalid_value);
  return call.end(symbol_address(call, shadow, where, &bytes));
}
RPL_HIP hipGetSymbolSize(std::size_t* bytes, const void* shadow) {
  Call call("hipGetSymbolSize", kHostCosts.call_ns);
  void* address = nullptr;
  std::uint64_t size = 0;
  if (bytes == nullptr) return call.end(Code::invalid_value);
  const Code code = symbol_address(call, shadow, &address, &size);
  if (code == Code::success) *bytes = size;
  return call.end(code);
}
