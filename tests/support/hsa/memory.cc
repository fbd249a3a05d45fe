// SPDX-License-Identifier: MIT
// Allocations, locked memory of the host, copies and fills.
#include <cstring>

#include "tests/support/hsa/calls.h"

namespace rpl::hsa_double::calls {
namespace {

using hsakmt::AddressMap;

bool is_agent(Agent agent) { return agent.handle == kGpu.handle || agent.handle == kCpu.handle; }

}  // namespace

Status pool_allocate(Pool pool, std::size_t bytes, std::uint32_t flags, void** at) {
  return on_machine(
      "hsa_amd_memory_pool_allocate", fmt::format("{} {}", pool.handle, bytes),
      [&](Machine& machine) {
        const bool on_device = pool.handle == kDeviceCoarse.handle;
        if (!on_device && pool.handle != kHostKernarg.handle && pool.handle != kHostCoarse.handle)
          return Status::invalid_argument;
        if (bytes == 0 || at == nullptr || flags != 0) return Status::invalid_argument;
        const std::uint64_t size = emu::round_up_to(bytes, machine.options.granule);
        const std::uint64_t base = machine.map.allocate(
            size, on_device ? AddressMap::kDeviceNode : AddressMap::kHostNode, 0);
        if (base == 0) return Status::out_of_resources;
        if (on_device) machine.map.map(base, size);
        machine.allocations[base] = size;
        *at = pointer_to(base);
        return Status::success;
      });
}

Status pool_free(void* at) {
  return on_machine("hsa_amd_memory_pool_free", fmt::format("0x{:x}", address_of(at)),
                    [&](Machine& machine) {
                      if (machine.allocations.erase(address_of(at)) == 0)
                        return Status::invalid_argument;
                      machine.map.free(address_of(at));
                      return Status::success;
                    });
}

Status agents_allow_access(std::uint32_t count, const Agent* agents, const std::uint32_t* flags,
                           const void* at) {
  return on_machine("hsa_amd_agents_allow_access", fmt::format("0x{:x}", address_of(at)),
                    [&](Machine& machine) {
                      const auto found = machine.allocations.find(address_of(at));
                      if (count == 0 || agents == nullptr || flags != nullptr ||
                          found == machine.allocations.end())
                        return Status::invalid_argument;
                      for (std::uint32_t i = 0; i < count; ++i) {
                        if (agents[i].handle != kGpu.handle && agents[i].handle != kCpu.handle)
                          return Status::invalid_agent;
                        if (agents[i].handle == kGpu.handle)
                          machine.map.map(found->first, found->second);
                      }
                      return Status::success;
                    });
}

Status memory_lock(void* host, std::size_t bytes, Agent* agents, int count, void** at) {
  return on_machine(
      "hsa_amd_memory_lock", fmt::format("0x{:x} {}", address_of(host), bytes),
      [&](Machine& machine) {
        const std::uint64_t base = address_of(host);
        if (host == nullptr || bytes == 0 || agents == nullptr || count < 1 || at == nullptr)
          return Status::invalid_argument;
        if (machine.options.lock_moves) {
          machine.map.enroll(base, bytes, 0);
          machine.map.map(base, bytes);
          *at = pointer_to(machine.map.find(base)->device_base);
        } else {
          if (!machine.map.adopt(base, bytes, AddressMap::kHostNode))
            return Status::invalid_argument;
          machine.map.map(base, bytes);
          *at = host;
        }
        machine.locked[base] = bytes;
        return Status::success;
      });
}

Status memory_unlock(void* host) {
  return on_machine("hsa_amd_memory_unlock", fmt::format("0x{:x}", address_of(host)),
                    [&](Machine& machine) {
                      if (machine.locked.erase(address_of(host)) == 0)
                        return Status::invalid_argument;
                      if (machine.options.lock_moves) {
                        machine.map.withdraw(address_of(host));
                      } else {
                        machine.map.free(address_of(host));
                      }
                      return Status::success;
                    });
}

// At once: who waits for the signal finds it there. Only what the device reaches is copied.
Status memory_async_copy(void* to, Agent to_agent, const void* from, Agent from_agent,
                         std::size_t bytes, std::uint32_t count, const Signal* before,
                         Signal done) {
  const std::string text =
      fmt::format("{} bytes to 0x{:x} from 0x{:x}", bytes, address_of(to), address_of(from));
  return on_machine("hsa_amd_memory_async_copy", text, [&](Machine& machine) {
    if (!is_agent(to_agent) || !is_agent(from_agent)) return Status::invalid_agent;
    if (to == nullptr || from == nullptr || count != 0 || before != nullptr ||
        !machine.signals.contains(done.handle))
      return Status::invalid_argument;
    const auto view = machine.map.view();
    std::byte* target = view->at(address_of(to), bytes);
    const std::byte* source = view->at(address_of(from), bytes);
    if (target == nullptr || source == nullptr) return Status::invalid_allocation;
    std::memmove(target, source, bytes);
    hsakmt::complete_signal(*view, done.handle, nullptr);
    return Status::success;
  });
}

Status memory_fill(void* at, std::uint32_t value, std::size_t count) {
  return on_machine("hsa_amd_memory_fill", fmt::format("0x{:x} {}", address_of(at), count),
                    [&](Machine& machine) {
                      const std::uint64_t bytes = std::uint64_t{count} * sizeof(value);
                      if (at == nullptr || address_of(at) % sizeof(value) != 0 ||
                          machine.map.view()->at(address_of(at), bytes) == nullptr)
                        return Status::invalid_argument;
                      std::fill_n(static_cast<std::uint32_t*>(at), count, value);
                      return Status::success;
                    });
}

}  // namespace rpl::hsa_double::calls
