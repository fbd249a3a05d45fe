// SPDX-License-Identifier: MIT
// Launches in all their forms.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/device/hip/api/call.h"

namespace rpl::emu::hip {
namespace {

std::string text_of(abi::Dim3 dim) { return fmt::format("{{{}, {}, {}}}", dim.x, dim.y, dim.z); }

/// What a grid counts.
enum class Count : std::uint8_t { workgroups, items };

/// The grid in work-items. False for what HIP refuses.
bool set_sizes(LaunchRequest& request, abi::Dim3 grid, abi::Dim3 block, Count count) {
  const Size3 given{grid.x, grid.y, grid.z};
  request.workgroup = {block.x, block.y, block.z};
  for (std::size_t i = 0; i < 3; ++i) {
    if (request.workgroup[i] == 0) return false;
    const std::uint64_t items =
        std::uint64_t{given[i]} * (count == Count::items ? 1 : request.workgroup[i]);
    if (items == 0 || items > std::numeric_limits<std::uint32_t>::max()) return false;
    request.grid[i] = static_cast<std::uint32_t>(items);
  }
  return true;
}

Event* checked_event(Call& call, void* handle) {
  auto* event = static_cast<Event*>(handle);
  return call.runtime().is_event(event) ? event : nullptr;
}

Code start(Call& call, LaunchRequest request, abi::Dim3 grid, abi::Dim3 block, std::size_t shared,
           void* stream, Count count = Count::workgroups) {
  if (request.function == nullptr) return Code::invalid_device_function;
  call.show({"const void*", "kernel", request.function->kernel->name});
  call.show({"dim3", count == Count::items ? "globalWorkSize" : "gridDim", text_of(grid)});
  call.show({"dim3", "blockDim", text_of(block)});
  call.show({"size_t", "sharedMemBytes", fmt::format("{}", shared)});
  const std::uint64_t items = std::uint64_t{block.x} * block.y * block.z;
  if (!set_sizes(request, grid, block, count) || items > request.function->kernel->max_workgroup)
    return Code::invalid_configuration;
  if (shared > call.runtime().kind().lds_bytes)
    return request.cooperative ? Code::cooperative_launch_too_large : Code::invalid_configuration;
  request.dynamic_lds_bytes = static_cast<std::uint32_t>(shared);
  request.stream = call.stream(stream);
  if (request.cooperative && !call.runtime().fits_at_once(request))
    return Code::cooperative_launch_too_large;
  return call.runtime().launch(call.thread(), std::move(request));
}

/// What null means for the calls of programs whose threads have null streams of their own.
void* own_stream(void* stream) { return stream == nullptr ? reinterpret_cast<void*>(2) : stream; }

/// The `extra` form: a buffer laid out as the kernel expects it.
bool buffer_of(void** extra, std::vector<std::byte>& out) {
  const void* bytes = nullptr;
  std::size_t size = 0;
  constexpr int kMost = 8;
  for (int i = 0; i < kMost && extra[i] != abi::kBufferEnd; i += 2) {
    if (extra[i] == abi::kBufferPointer) bytes = extra[i + 1];
    if (extra[i] == abi::kBufferSize) size = *static_cast<std::size_t*>(extra[i + 1]);
  }
  if (bytes == nullptr && size != 0) return false;
  out.resize(size);
  if (size != 0) std::memcpy(out.data(), bytes, size);
  return true;
}

/// What some forms of a launch ask for beside the rest.
struct More {
  void *before = nullptr, *after = nullptr;  ///< events that get the times of the kernel alone
  bool cooperative = false;
};

bool asks_for_cooperative(const abi::LaunchAttribute* attributes, unsigned count) {
  constexpr unsigned kCooperative = 2;
  return std::any_of(attributes, attributes + (attributes == nullptr ? 0 : count),
                     [](const abi::LaunchAttribute& attribute) {
                       return attribute.id == kCooperative && attribute.number != 0;
                     });
}

/// A kernel of a module.
int module_launch(Call& call, void* function, abi::Dim3 grid, abi::Dim3 block, unsigned shared,
                  void* stream, void** arguments, void** extra, Count count = Count::workgroups,
                  More more = {}) {
  if (function == nullptr) return call.end(Code::invalid_handle);
  LaunchRequest request{.function = static_cast<Function*>(function),
                        .before = checked_event(call, more.before),
                        .after = checked_event(call, more.after),
                        .cooperative = more.cooperative};
  if (arguments != nullptr || extra == nullptr) {
    if (arguments == nullptr && !request.function->arguments.empty())
      return call.end(Code::invalid_value);
    request.arguments = packed_arguments(*request.function, arguments);
    return call.end(start(call, std::move(request), grid, block, shared, stream, count));
  }
  if (!buffer_of(extra, request.arguments)) return call.end(Code::invalid_value);
  // Callers may hand over padding behind the last argument.
  const std::size_t most = request.function->kernel->kernarg_bytes;
  if (request.arguments.size() > most) request.arguments.resize(most);
  return call.end(start(call, std::move(request), grid, block, shared, stream, count));
}

}  // namespace

std::vector<std::byte> packed_arguments(const Function& function, void** arguments) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; arguments != nullptr && i < function.arguments.size(); ++i) {
    const isa::KernelArgument& argument = function.arguments[i];
    bytes.resize(std::max<std::size_t>(bytes.size(), std::size_t{argument.offset} + argument.size));
    std::memcpy(bytes.data() + argument.offset, arguments[i], argument.size);
  }
  return bytes;
}

bool set_launch(LaunchRequest& request, const abi::KernelNode& wanted) {
  if (!set_sizes(request, wanted.grid, wanted.block, Count::workgroups)) return false;
  request.dynamic_lds_bytes = wanted.dynamic_shared;
  if (wanted.arguments != nullptr) {
    request.arguments = packed_arguments(*request.function, wanted.arguments);
    return true;
  }
  if (wanted.extra != nullptr) return buffer_of(wanted.extra, request.arguments);
  return request.function->arguments.empty();
}

Code launch_with_pointers(Call& call, Function* function, abi::Dim3 grid, abi::Dim3 block,
                          void** arguments, std::size_t shared, void* stream, void* before,
                          void* after, bool cooperative) {
  LaunchRequest request{.function = function,
                        .before = checked_event(call, before),
                        .after = checked_event(call, after),
                        .cooperative = cooperative};
  if (function != nullptr) {
    if (arguments == nullptr && !function->arguments.empty()) return Code::invalid_value;
    request.arguments = packed_arguments(*function, arguments);
  }
  return start(call, std::move(request), grid, block, shared, stream);
}

}  // namespace rpl::emu::hip

using namespace rpl::emu::hip;

RPL_HIP hipLaunchKernel(const void* stub, abi::Dim3 grid, abi::Dim3 block, void** arguments,
                        std::size_t shared, void* stream) {
  Call call("hipLaunchKernel", kHostCosts.enqueue_ns, {on(stream)});
  return call.end(
      launch_with_pointers(call, function_of(call, stub), grid, block, arguments, shared, stream));
}

RPL_HIP hipLaunchKernel_spt(const void* stub, abi::Dim3 grid, abi::Dim3 block, void** arguments,
                            std::size_t shared, void* stream) {
  void* own = own_stream(stream);
  Call call("hipLaunchKernel_spt", kHostCosts.enqueue_ns, {on(own)});
  return call.end(
      launch_with_pointers(call, function_of(call, stub), grid, block, arguments, shared, own));
}

RPL_HIP hipExtLaunchKernel(const void* stub, abi::Dim3 grid, abi::Dim3 block, void** arguments,
                           std::size_t shared, void* stream, void* before, void* after, int) {
  Call call("hipExtLaunchKernel", kHostCosts.enqueue_ns, {on(stream)});
  return call.end(launch_with_pointers(call, function_of(call, stub), grid, block, arguments,
                                       shared, stream, before, after));
}

RPL_HIP hipLaunchKernelExC(const abi::LaunchConfig* config, const void* stub, void** arguments) {
  Call call("hipLaunchKernelExC", kHostCosts.enqueue_ns,
            {on(config == nullptr ? nullptr : config->stream)});
  if (config == nullptr) return call.end(Code::invalid_configuration);
  return call.end(
      launch_with_pointers(call, function_of(call, stub), config->grid, config->block, arguments,
                           config->dynamic_shared, config->stream, nullptr, nullptr,
                           asks_for_cooperative(config->attributes, config->attribute_count)));
}

RPL_HIP hipLaunchCooperativeKernel(const void* stub, abi::Dim3 grid, abi::Dim3 block,
                                   void** arguments, unsigned shared, void* stream) {
  Call call("hipLaunchCooperativeKernel", kHostCosts.enqueue_ns, {on(stream)});
  return call.end(launch_with_pointers(call, function_of(call, stub), grid, block, arguments,
                                       shared, stream, nullptr, nullptr, true));
}

RPL_HIP hipLaunchCooperativeKernel_spt(const void* stub, abi::Dim3 grid, abi::Dim3 block,
                                       void** arguments, unsigned shared, void* stream) {
  void* own = own_stream(stream);
  Call call("hipLaunchCooperativeKernel_spt", kHostCosts.enqueue_ns, {on(own)});
  return call.end(launch_with_pointers(call, function_of(call, stub), grid, block, arguments,
                                       shared, own, nullptr, nullptr, true));
}

RPL_HIP hipModuleLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz,
                                         unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                         void* stream, void** arguments) {
  Call call("hipModuleLaunchCooperativeKernel", kHostCosts.enqueue_ns, {on(stream)});
  return module_launch(call, function, {gx, gy, gz}, {bx, by, bz}, shared, stream, arguments,
                       nullptr, Count::workgroups, {.cooperative = true});
}

RPL_HIP hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned shared, void* stream,
                              void** arguments, void** extra) {
  Call call("hipModuleLaunchKernel", kHostCosts.enqueue_ns, {on(stream)});
  return module_launch(call, function, {gx, gy, gz}, {bx, by, bz}, shared, stream, arguments,
                       extra);
}

RPL_HIP hipDrvLaunchKernelEx(const abi::DriverLaunchConfig* config, void* function,
                             void** arguments, void** extra) {
  Call call("hipDrvLaunchKernelEx", kHostCosts.enqueue_ns,
            {on(config == nullptr ? nullptr : config->stream)});
  if (config == nullptr) return call.end(Code::invalid_configuration);
  const auto *g = config->grid, *b = config->block;
  return module_launch(
      call, function, {g[0], g[1], g[2]}, {b[0], b[1], b[2]}, config->dynamic_shared,
      config->stream, arguments, extra, Count::workgroups,
      {.cooperative = asks_for_cooperative(config->attributes, config->attribute_count)});
}

// The grid of this one is in work-items, and its last workgroups may be smaller than the others.
RPL_HIP hipExtModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, std::size_t shared, void* stream,
                                 void** arguments, void** extra, void* before, void* after,
                                 unsigned) {
  Call call("hipExtModuleLaunchKernel", kHostCosts.enqueue_ns, {on(stream)});
  return module_launch(call, function, {gx, gy, gz}, {bx, by, bz}, static_cast<unsigned>(shared),
                       stream, arguments, extra, Count::items, {.before = before, .after = after});
}

// hip_ext.h of HIP up to 5 declares it and its older name without extern "C".
struct ihipModuleSymbol_t;
struct ihipStream_t;
struct ihipEvent_t;
__attribute__((visibility("default"))) int hipExtModuleLaunchKernel(
    ihipModuleSymbol_t* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
    unsigned bz, std::size_t shared, ihipStream_t* stream, void** arguments, void** extra,
    ihipEvent_t* before, ihipEvent_t* after, unsigned flags) {
  return hipExtModuleLaunchKernel(static_cast<void*>(function), gx, gy, gz, bx, by, bz, shared,
                                  static_cast<void*>(stream), arguments, extra,
                                  static_cast<void*>(before), static_cast<void*>(after), flags);
}
__attribute__((visibility("default"))) int hipHccModuleLaunchKernel(
    ihipModuleSymbol_t* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
    unsigned bz, std::size_t shared, ihipStream_t* stream, void** arguments, void** extra,
    ihipEvent_t* before, ihipEvent_t* after) {
  return hipExtModuleLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, arguments,
                                  extra, before, after, 0);
}
