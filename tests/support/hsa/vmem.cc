// SPDX-License-Identifier: MIT
// Virtual memory: addresses are pages that nobody may touch, memory is mapped over them.
#include <sys/mman.h>

#include "tests/support/hsa/calls.h"

namespace rpl::hsa_double::calls {
namespace {

constexpr std::uint64_t kPage = 4096;
/// What mmap() takes for "anywhere".
constexpr std::uint64_t kAnywhere = 0;

std::uint64_t map_nothing(std::uint64_t at, std::uint64_t bytes, int placing) {
  void* found = ::mmap(pointer_to(at), bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | placing, -1, 0);
  return found == MAP_FAILED ? 0 : address_of(found);
}

/// The reservation that holds all of it; end() for none.
auto reservation_of(Machine& machine, std::uint64_t at, std::uint64_t bytes) {
  const auto after = machine.reservations.upper_bound(at);
  if (after == machine.reservations.begin()) return machine.reservations.end();
  const auto found = std::prev(after);
  return at + bytes <= found->first + found->second.bytes ? found : machine.reservations.end();
}

bool holds_mappings(const Machine& machine, std::uint64_t base, std::uint64_t bytes) {
  const auto next = machine.mappings.lower_bound(base);
  if (next != machine.mappings.end() && next->first < base + bytes) return true;
  return next != machine.mappings.begin() &&
         std::prev(next)->first + std::prev(next)->second.bytes > base;
}

std::string range_text(const void* at, std::size_t bytes) {
  return fmt::format("0x{:x} {}", address_of(at), bytes);
}

}  // namespace

// As AMD's runtime does it: the wish is tried, and another place taken silently where it cannot be had.
Status vmem_address_reserve(void** at, std::size_t bytes, std::uint64_t wish, std::uint64_t flags) {
  return on_machine(
      "hsa_amd_vmem_address_reserve", fmt::format("0x{:x} {}", wish, bytes), [&](Machine& machine) {
        if (!machine.options.vmem) return Status::error;
        if (at == nullptr || bytes == 0 || bytes % kPage != 0 || wish % kPage != 0 || flags != 0)
          return Status::invalid_argument;
        const bool elsewhere = ++machine.reservations_made == machine.options.relocate;
        std::uint64_t base =
            elsewhere || wish == 0 ? 0 : map_nothing(wish, bytes, MAP_FIXED_NOREPLACE);
        if (base == 0) base = map_nothing(kAnywhere, bytes, 0);
        if (base == 0) return Status::out_of_resources;
        machine.reservations[base] = {bytes};
        *at = pointer_to(base);
        return Status::success;
      });
}

Status vmem_address_free(void* at, std::size_t bytes) {
  return on_machine("hsa_amd_vmem_address_free", range_text(at, bytes), [&](Machine& machine) {
    const auto found = machine.reservations.find(address_of(at));
    if (found == machine.reservations.end() || found->second.bytes != bytes)
      return Status::invalid_allocation;
    if (holds_mappings(machine, found->first, bytes)) return Status::resource_free;
    ::munmap(at, bytes);
    machine.reservations.erase(found);
    return Status::success;
  });
}

Status vmem_handle_create(Pool pool, std::size_t bytes, MemoryType type, std::uint64_t flags,
                          MemoryHandle* handle) {
  return on_machine("hsa_amd_vmem_handle_create", fmt::format("{} {}", pool.handle, bytes),
                    [&](Machine& machine) {
                      if (!machine.options.vmem) return Status::error;
                      // Pools of the host cannot back it in releases before the last ones.
                      if (pool.handle != kDeviceCoarse.handle || handle == nullptr || flags != 0)
                        return Status::invalid_argument;
                      if (type != MemoryType::none && type != MemoryType::pinned)
                        return Status::invalid_argument;
                      if (bytes == 0 || bytes % machine.options.granule != 0)
                        return Status::invalid_allocation;
                      handle->handle = ++machine.next_handle;
                      machine.physical[handle->handle] = {
                          .bytes = bytes, .node = hsakmt::AddressMap::kDeviceNode, .mapped = false};
                      return Status::success;
                    });
}

Status vmem_handle_release(MemoryHandle handle) {
  return on_machine("hsa_amd_vmem_handle_release", fmt::format("{}", handle.handle),
                    [&](Machine& machine) {
                      const auto found = machine.physical.find(handle.handle);
                      if (found == machine.physical.end()) return Status::invalid_allocation;
                      if (found->second.mapped) return Status::resource_free;
                      machine.physical.erase(found);
                      return Status::success;
                    });
}

Status vmem_map(void* at, std::size_t bytes, std::size_t offset, MemoryHandle handle,
                std::uint64_t flags) {
  return on_machine(
      "hsa_amd_vmem_map", range_text(at, bytes) + fmt::format(" {}", handle.handle),
      [&](Machine& machine) {
        const auto memory = machine.physical.find(handle.handle);
        if (memory == machine.physical.end()) return Status::invalid_allocation;
        if (offset != 0 || flags != 0 || bytes != memory->second.bytes || memory->second.mapped)
          return Status::invalid_argument;
        const std::uint64_t base = address_of(at);
        if (reservation_of(machine, base, bytes) == machine.reservations.end() ||
            holds_mappings(machine, base, bytes))
          return Status::invalid_allocation;
        const int shown = PROT_READ | PROT_WRITE,
                  how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        if (::mmap(at, bytes, shown, how, -1, 0) == MAP_FAILED) return Status::out_of_resources;
        if (!machine.map.adopt(base, bytes, memory->second.node)) return Status::out_of_resources;
        memory->second.mapped = true;
        machine.mappings[base] = {.bytes = bytes, .handle = handle.handle};
        return Status::success;
      });
}

Status vmem_unmap(void* at, std::size_t bytes) {
  return on_machine("hsa_amd_vmem_unmap", range_text(at, bytes), [&](Machine& machine) {
    const auto found = machine.mappings.find(address_of(at));
    if (found == machine.mappings.end() || found->second.bytes != bytes)
      return Status::invalid_allocation;
    machine.map.free(found->first);
    map_nothing(found->first, bytes, MAP_FIXED);
    machine.physical[found->second.handle].mapped = false;
    machine.mappings.erase(found);
    return Status::success;
  });
}

Status vmem_set_access(void* at, std::size_t bytes, const Access* access, std::size_t count) {
  return on_machine("hsa_amd_vmem_set_access", range_text(at, bytes), [&](Machine& machine) {
    const auto found = machine.mappings.find(address_of(at));
    if (found == machine.mappings.end() || found->second.bytes != bytes || access == nullptr ||
        count == 0)
      return Status::invalid_argument;
    for (std::size_t i = 0; i < count; ++i) {
      if (access[i].permissions > kAccessBoth) return Status::invalid_argument;
      if (access[i].agent.handle != kGpu.handle && access[i].agent.handle != kCpu.handle)
        return Status::invalid_agent;
      if (access[i].agent.handle != kGpu.handle) continue;
      found->second.gpu_access = access[i].permissions;
      if (access[i].permissions == kAccessNone) {
        machine.map.unmap(found->first);
      } else {
        machine.map.map(found->first, bytes);
      }
    }
    return Status::success;
  });
}

Status vmem_get_access(void* at, std::uint32_t* permissions, Agent agent) {
  return on_machine(
      "hsa_amd_vmem_get_access", fmt::format("0x{:x}", address_of(at)), [&](Machine& machine) {
        const auto found = machine.mappings.find(address_of(at));
        if (found == machine.mappings.end() || permissions == nullptr)
          return Status::invalid_allocation;
        *permissions = agent.handle == kGpu.handle ? found->second.gpu_access : kAccessNone;
        return Status::success;
      });
}

}  // namespace rpl::hsa_double::calls
