// SPDX-License-Identifier: MIT
#include "engine/capture/hidden_pointers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace rpl {
namespace {

// LLVM's AMDGPU usage, "Code object metadata": the hidden arguments whose value is an address of something that the runtime made.
constexpr std::string_view kHiddenPrefix = "hidden_";
constexpr std::array<std::string_view, 7> kHiddenPointers = {
    "hostcall_buffer", "printf_buffer",     "multigrid_sync_arg", "heap_v1",
    "default_queue",   "completion_action", "queue_ptr"};

}  // namespace

std::vector<HiddenPointer> hidden_pointers(const isa::Kernel& kernel,
                                           std::span<const std::byte> kernarg) {
  std::vector<HiddenPointer> out;
  for (const isa::KernelArgument& argument : kernel.arguments) {
    std::string_view kind = argument.value_kind;
    if (!kind.starts_with(kHiddenPrefix)) continue;
    kind.remove_prefix(kHiddenPrefix.size());
    if (std::ranges::find(kHiddenPointers, kind) == kHiddenPointers.end()) continue;
    HiddenPointer pointer{.name = std::string(kind), .offset = argument.offset};
    if (std::uint64_t{argument.offset} + sizeof(pointer.value) <= kernarg.size()) {
      std::memcpy(&pointer.value, kernarg.data() + argument.offset, sizeof(pointer.value));
    }
    out.push_back(std::move(pointer));
  }
  return out;
}

std::vector<HiddenPointer> dead_pointers(const Capture& capture) {
  const auto object = object_of(capture);
  if (!object) return {};
  const auto& kernels = (*object)->kernels();
  const auto kernel = std::ranges::find(kernels, capture.kernel, &isa::Kernel::name);
  if (kernel == kernels.end()) return {};
  auto out = hidden_pointers(*kernel, capture.kernarg);
  std::erase_if(out, [](const HiddenPointer& pointer) { return pointer.value == 0; });
  return out;
}

std::string names_of(const std::vector<HiddenPointer>& pointers) {
  std::string out;
  for (const HiddenPointer& pointer : pointers) out += (out.empty() ? "" : ", ") + pointer.name;
  return out;
}

}  // namespace rpl
