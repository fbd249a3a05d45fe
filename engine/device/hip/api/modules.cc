// SPDX-License-Identifier: MIT
// Modules, attributes of kernels, occupancy.
#include <cstring>

#include "engine/base/files.h"
#include "engine/device/hip/api/call.h"

using namespace rpl::emu::hip;

namespace {

Code code_of_load(const rpl::Error& error) {
  return error.code == rpl::Errc::not_found ? Code::no_binary_for_gpu : Code::invalid_image;
}

int load(Call& call, void** module, std::span<const std::byte> image) {
  if (module == nullptr || image.empty()) return call.end(Code::invalid_value);
  call.loads({reinterpret_cast<const char*>(image.data()), image.size()});
  auto made = call.runtime().add_module(image);
  if (!made) {
    call.runtime().refuse(std::string(made.error().message));
    return call.end(code_of_load(made.error()));
  }
  *module = *made;
  return call.end(Code::success);
}

int load_data(const char* name, void** module, const void* image) {
  Call call(name, kHostCosts.load_ns, {out("module", module)});
  if (image == nullptr) return call.end(Code::invalid_value);
  return load(call, module, {static_cast<const std::byte*>(image), image_bytes(image)});
}

Module* checked_module(const Call& call, void* handle) {
  auto* module = static_cast<Module*>(handle);
  return call.runtime().is_module(module) ? module : nullptr;
}

/// How many workgroups fit on a compute unit; nothing when none does.
rpl::Result<rpl::arch::Occupancy> occupancy_of(Call& call, const Function& function, int block,
                                               std::size_t shared) {
  return call.runtime().occupancy(function, static_cast<std::uint32_t>(block),
                                  static_cast<std::uint32_t>(shared));
}

int active_blocks(Call& call, int* blocks, const Function* function, int block,
                  std::size_t shared) {
  if (blocks == nullptr || block <= 0) return call.end(Code::invalid_value);
  if (function == nullptr) return call.end(Code::invalid_device_function);
  *blocks = 0;
  if (static_cast<std::uint32_t>(block) > function->kernel->max_workgroup)
    return call.end(Code::success);
  const auto found = occupancy_of(call, *function, block, shared);
  if (found) *blocks = static_cast<int>(found->workgroups);
  return call.end(Code::success);
}

/// The workgroup with the most waves on a compute unit; of several the largest.
int best_block(Call& call, int* grid, int* block, const Function* function, std::size_t shared,
               int limit) {
  if (grid == nullptr || block == nullptr) return call.end(Code::invalid_value);
  if (function == nullptr) return call.end(Code::invalid_device_function);
  const int wave = static_cast<int>(call.runtime().kind().wave_size);
  int most = static_cast<int>(function->kernel->max_workgroup);
  if (limit > 0) most = std::min(most, limit);
  std::uint32_t best = 0, groups = 0;
  for (int size = wave; size <= most; size += wave) {
    const auto found = occupancy_of(call, *function, size, shared);
    if (!found || found->waves < best) continue;
    best = found->waves;
    groups = found->workgroups;
    *block = size;
  }
  if (best == 0) return call.end(Code::invalid_value);
  *grid = static_cast<int>(groups * call.runtime().kind().compute_units);
  return call.end(Code::success);
}

}  // namespace

RPL_HIP hipModuleLoad(void** module, const char* path) {
  Call call("hipModuleLoad", kHostCosts.load_ns, {out("module", module), text("fname", path)});
  if (path == nullptr) return call.end(Code::invalid_value);
  const auto bytes = rpl::read_binary_file(path);
  if (!bytes) return call.end(Code::file_not_found);
  return load(call, module, *bytes);
}
RPL_HIP hipModuleLoadData(void** module, const void* image) {
  return load_data("hipModuleLoadData", module, image);
}
RPL_HIP hipModuleLoadDataEx(void** module, const void* image, unsigned, void*, void**) {
  return load_data("hipModuleLoadDataEx", module, image);
}
RPL_HIP hipModuleUnload(void* module) {
  Call call("hipModuleUnload", kHostCosts.create_ns);
  return call.end(call.runtime().unload(static_cast<Module*>(module)));
}
RPL_HIP hipModuleGetFunction(void** function, void* module, const char* name) {
  Call call("hipModuleGetFunction", kHostCosts.call_ns, {text("kname", name)});
  if (function == nullptr || name == nullptr) return call.end(Code::invalid_value);
  Module* known = checked_module(call, module);
  if (known == nullptr) return call.end(Code::invalid_handle);
  *function = known->function(name);
  return call.end(*function == nullptr ? Code::not_found : Code::success);
}
RPL_HIP hipModuleGetGlobal(void** address, std::size_t* bytes, void* module, const char* name) {
  Call call("hipModuleGetGlobal", kHostCosts.call_ns, {text("name", name)});
  if (name == nullptr) return call.end(Code::invalid_value);
  Module* known = checked_module(call, module);
  if (known == nullptr) return call.end(Code::invalid_handle);
  std::uint64_t size = 0;
  const Code code = call.runtime().variable(call.thread(), *known, name, address, &size);
  if (code == Code::success && bytes != nullptr) *bytes = size;
  return call.end(code == Code::invalid_symbol ? Code::not_found : code);
}
RPL_HIP hipGetFuncBySymbol(void** function, const void* stub) {
  Call call("hipGetFuncBySymbol", kHostCosts.call_ns);
  if (function == nullptr) return call.end(Code::invalid_value);
  *function = function_of(call, stub);
  return call.end(*function == nullptr ? Code::invalid_device_function : Code::success);
}

RPL_HIP hipFuncGetAttributes(abi::FunctionAttributes* attributes, const void* stub) {
  Call call("hipFuncGetAttributes", kHostCosts.call_ns);
  if (attributes == nullptr) return call.end(Code::invalid_value);
  const Function* function = function_of(call, stub);
  if (function == nullptr) return call.end(Code::invalid_device_function);
  const rpl::isa::Kernel& kernel = *function->kernel;
  *attributes = {};
  attributes->binary_version = binary_version(call.runtime().kind());
  attributes->ptx_version = attributes->binary_version;
  attributes->local_bytes = kernel.scratch_bytes;
  attributes->shared_bytes = kernel.lds_bytes;
  attributes->max_dynamic_shared =
      static_cast<int>(call.runtime().kind().lds_bytes - kernel.lds_bytes);
  attributes->max_threads_per_block = static_cast<int>(kernel.max_workgroup);
  attributes->registers = static_cast<int>(kernel.vgprs);
  return call.end(Code::success);
}
RPL_HIP hipFuncGetAttribute(int* value, int attribute, void* handle) {
  Call call("hipFuncGetAttribute", kHostCosts.call_ns, {whole("attrib", attribute)});
  if (value == nullptr) return call.end(Code::invalid_value);
  if (handle == nullptr) return call.end(Code::invalid_device_function);
  const rpl::isa::Kernel& kernel = *static_cast<const Function*>(handle)->kernel;
  const int lds = static_cast<int>(call.runtime().kind().lds_bytes);
  const int version = binary_version(call.runtime().kind());
  const int values[] = {static_cast<int>(kernel.max_workgroup),
                        static_cast<int>(kernel.lds_bytes),
                        0,
                        static_cast<int>(kernel.scratch_bytes),
                        static_cast<int>(kernel.vgprs),
                        version,
                        version,
                        0,
                        lds - static_cast<int>(kernel.lds_bytes),
                        0};
  if (attribute < 0 || static_cast<std::size_t>(attribute) >= std::size(values))
    return call.end(Code::invalid_value);
  *value = values[attribute];
  return call.end(Code::success);
}

RPL_HIP hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int block,
                                                     std::size_t shared) {
  Call call("hipOccupancyMaxActiveBlocksPerMultiprocessor", kHostCosts.call_ns,
            {whole("blockSize", block), number("dynamicSMemSize", shared)});
  return active_blocks(call, blocks, function_of(call, stub), block, shared);
}
RPL_HIP hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                              int block, std::size_t shared,
                                                              unsigned) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, block, shared);
}
RPL_HIP hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* stub,
                                          std::size_t shared, int limit) {
  Call call("hipOccupancyMaxPotentialBlockSize", kHostCosts.call_ns,
            {number("dynSharedMemPerBlk", shared), whole("blockSizeLimit", limit)});
  return best_block(call, grid, block, function_of(call, stub), shared, limit);
}
RPL_HIP hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int block,
                                                           std::size_t shared) {
  Call call("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", kHostCosts.call_ns,
            {whole("blockSize", block)});
  return active_blocks(call, blocks, static_cast<Function*>(function), block, shared);
}
RPL_HIP hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void* function,
                                                                    int block, std::size_t shared,
                                                                    unsigned) {
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared);
}
RPL_HIP hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function,
                                                std::size_t shared, int limit) {
  Call call("hipModuleOccupancyMaxPotentialBlockSize", kHostCosts.call_ns,
            {whole("blockSizeLimit", limit)});
  return best_block(call, grid, block, static_cast<Function*>(function), shared, limit);
}
