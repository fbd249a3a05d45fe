// SPDX-License-Identifier: MIT
// What the code that clang puts into every HIP host program calls before and after main().
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "engine/device/hip/api/call.h"

namespace rpl::emu::hip {
namespace {

/// A __managed__ variable is a pointer on both sides: the host's points into managed memory, and so must the device's.
void set_managed(Process& process, ThreadState& thread, FatBinary& binary) {
  for (const void* address : process.managed[&binary]) {
    const RegisteredVariable& variable = process.variables[address];
    for (std::uint32_t device = 0; device < process.runtime.device_count(); ++device) {
      ThreadState other{.id = thread.id, .device = device};
      void* where = nullptr;
      if (process.runtime.variable(other, *binary.module, variable.name, &where, nullptr) !=
          Code::success)
        continue;
      std::byte* host =
          process.runtime.space().host_of(reinterpret_cast<std::uint64_t>(where), sizeof(void*));
      if (host != nullptr) std::memcpy(host, variable.managed, sizeof(void*));
    }
  }
  process.managed.erase(&binary);
}

}  // namespace

Module* module_of(Process& process, ThreadState& thread, FatBinary& binary) {
  if (binary.tried) return binary.module;
  binary.tried = true;
  const std::span<const std::byte> image(static_cast<const std::byte*>(binary.image),
                                         image_bytes(binary.image));
  auto module = process.runtime.add_module(image);
  if (!module) {
    const Error& error = module.error();
    std::fputs(fmt::format("rpl: emulated device: {}{}\n", error.message,
                           error.hint.empty() ? "" : "; " + error.hint)
                   .c_str(),
               stderr);
    return nullptr;
  }
  binary.module = *module;
  process.runtime.spend(process.runtime.costs().load_ns);
  set_managed(process, thread, binary);
  return binary.module;
}

Function* function_of(Call& call, const void* stub) {
  const auto found = call.process().kernels.find(stub);
  if (found == call.process().kernels.end()) return nullptr;
  Module* module = module_of(call.process(), call.thread(), *found->second.binary);
  return module == nullptr ? nullptr : module->function(found->second.name);
}

}  // namespace rpl::emu::hip

using namespace rpl::emu::hip;

namespace {

FatBinary* binary_of(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

/// A launch between __hipPushCallConfiguration and the stub of the kernel.
struct Configuration {
  abi::Dim3 grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
};
thread_local std::vector<Configuration> t_configurations;

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void** __hipRegisterFatBinary(const void* data) {
  Process& process = rpl::emu::hip::process();
  const std::lock_guard lock(process.mutex);
  const auto* wrapper = static_cast<const abi::FatBinaryWrapper*>(data);
  auto binary = std::make_unique<FatBinary>();
  if (wrapper->magic == abi::kFatBinaryMagic) binary->image = wrapper->binary;
  binary->tried = binary->image == nullptr;
  return reinterpret_cast<void**>(process.binaries.emplace_back(std::move(binary)).get());
}

__attribute__((visibility("default"))) void __hipRegisterFunction(void** handle, const void* stub,
                                                                  char*, const char* name, unsigned,
                                                                  void*, void*, void*, void*,
                                                                  int*) {
  Process& process = rpl::emu::hip::process();
  const std::lock_guard lock(process.mutex);
  process.kernels[stub] = {binary_of(handle), name};
}

__attribute__((visibility("default"))) void __hipRegisterVar(void** handle, void* shadow, char*,
                                                             char* name, int, std::size_t bytes,
                                                             int, int) {
  Process& process = rpl::emu::hip::process();
  const std::lock_guard lock(process.mutex);
  process.variables[shadow] = {.binary = binary_of(handle), .name = name, .bytes = bytes};
}

__attribute__((visibility("default"))) void __hipRegisterManagedVar(void* handle,
                                                                    void** host_pointer,
                                                                    void* initial, const char* name,
                                                                    std::size_t bytes, unsigned) {
  Process& process = rpl::emu::hip::process();
  const std::lock_guard lock(process.mutex);
  void* memory = nullptr;
  process.runtime.allocate(this_thread(), Allocation::Kind::managed, bytes, 0, &memory);
  if (memory == nullptr) return;
  if (initial != nullptr) std::memcpy(memory, initial, bytes);
  *host_pointer = memory;
  auto* binary = binary_of(static_cast<void**>(handle));
  process.variables[host_pointer] = {
      .binary = binary, .name = name, .managed = host_pointer, .initial = initial, .bytes = bytes};
  process.managed[binary].push_back(host_pointer);
}

__attribute__((visibility("default"))) void __hipRegisterTexture(void**, const void*, char*,
                                                                 char* name, int, int, int) {
  Process& process = rpl::emu::hip::process();
  const std::lock_guard lock(process.mutex);
  process.runtime.refuse(fmt::format("the texture reference {}", name));
}

__attribute__((visibility("default"))) void __hipRegisterSurface(void**, const void*, char*,
                                                                 char* name, int, int) {
  Process& process = rpl::emu::hip::process();
  const std::lock_guard lock(process.mutex);
  process.runtime.refuse(fmt::format("the surface reference {}", name));
}

// The process is about to end; what it did is written down after this.
__attribute__((visibility("default"))) void __hipUnregisterFatBinary(void**) {}
}

RPL_HIP __hipPushCallConfiguration(abi::Dim3 grid, abi::Dim3 block, std::size_t shared,
                                   void* stream) {
  t_configurations.push_back({grid, block, shared, stream});
  return 0;
}

RPL_HIP __hipPopCallConfiguration(abi::Dim3* grid, abi::Dim3* block, std::size_t* shared,
                                  void** stream) {
  if (t_configurations.empty()) return static_cast<int>(Code::missing_configuration);
  const Configuration top = t_configurations.back();
  t_configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *stream = top.stream;
  return 0;
}
