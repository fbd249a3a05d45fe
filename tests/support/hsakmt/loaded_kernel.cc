// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/loaded_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/execute/launch/program.h"

namespace rpl::hsakmt {
namespace {

std::vector<std::byte> bytes_at(const DeviceView& view, std::uint64_t address,
                                std::uint64_t count) {
  const std::byte* at = view.at(address, count);
  if (at == nullptr) return {};
  return {at, at + count};
}

// Code without an ELF around it ends nobody knows where; what runtimes put into memory so are a few KiB.
std::uint64_t bytes_of_bare_code(const DeviceView& view, std::uint64_t entry) {
  constexpr std::uint64_t kMost = std::uint64_t{16} << 10;
  const emu::Region* region = view.memory.find(entry);
  if (region == nullptr) return 0;
  return std::min(kMost, region->size - (entry - region->base)) / sizeof(std::uint32_t) *
         sizeof(std::uint32_t);
}

bool is_unchanged(const DeviceView& view, const LoadedKernel& kernel) {
  const auto bytes = kernel.object->bytes();
  const std::byte* now = view.at(kernel.object->elf().segments[0].address, bytes.size());
  return now != nullptr && std::equal(bytes.begin(), bytes.end(), now);
}

}  // namespace

Result<LoadedKernel> KernelCache::get(const DeviceView& view, std::uint64_t descriptor) {
  const std::vector<std::byte> bytes = bytes_at(view, descriptor, isa::KernelDescriptor::kSize);
  if (bytes.empty())
    return fail(Errc::not_found, fmt::format("no kernel descriptor lies at 0x{:x}", descriptor));
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(descriptor);
  if (known != known_.end() && known->second.descriptor == bytes &&
      is_unchanged(view, known->second.kernel))
    return known->second.kernel;

  isa::KernelInMemory kernel;
  kernel.arch = arch_;
  kernel.name = fmt::format("kernel at 0x{:x}", descriptor);
  kernel.descriptor = descriptor;
  kernel.fields = TRY(isa::read_kernel_descriptor(isa::ByteView(bytes), 0));
  const std::uint64_t entry = descriptor + static_cast<std::uint64_t>(kernel.fields.entry_offset);
  if (const auto object = find_loaded_object(view, descriptor, entry)) {
    if (std::string name = symbol_at(view, *object, descriptor); !name.empty())
      kernel.name = std::move(name);
    kernel.code_address = object->code_address;
    kernel.code = bytes_at(view, object->code_address,
                           object->code_bytes / sizeof(std::uint32_t) * sizeof(std::uint32_t));
  } else {
    kernel.code_address = entry;
    kernel.code = bytes_at(view, entry, bytes_of_bare_code(view, entry));
  }
  if (kernel.code.empty())
    return fail(Errc::not_found,
                fmt::format("no code lies at 0x{:x}, the entry of '{}'", entry, kernel.name));
  LoadedKernel loaded;
  loaded.object = TRY(isa::CodeObject::of_memory(std::move(kernel)));
  loaded.program = emu::make_program(*loaded.object, loaded.object->kernels()[0]);
  known_[descriptor] = {bytes, loaded};
  return loaded;
}

}  // namespace rpl::hsakmt
