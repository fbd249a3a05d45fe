// SPDX-License-Identifier: MIT
// Agents, pools and what they say of themselves.
#include <cstring>

#include "tests/support/hsa/calls.h"

namespace rpl::hsa_double {

const hsa::Api& api() {
  static const hsa::Api all = [] {
    hsa::Api table;
#define RPL_HSA_ENTER(member, symbol, ...) table.member.call = &calls::member;
    RPL_HSA_FUNCTIONS(RPL_HSA_ENTER)
#undef RPL_HSA_ENTER
    return table;
  }();
  return all;
}

namespace calls {
namespace {

template <class T>
Status put(void* at, T value) {
  std::memcpy(at, &value, sizeof(value));
  return Status::success;
}

Status put_text(void* at, const std::string& text, std::size_t room) {
  std::memset(at, 0, room);
  std::memcpy(at, text.c_str(), std::min(text.size(), room - 1));
  return Status::success;
}

std::string isa_name(const Machine& machine) {
  return "amdgcn-amd-amdhsa--" + machine.options.arch + ":sramecc+:xnack-";
}

Status agent_info(const Machine& machine, Agent agent, AgentInfo what, void* value) {
  const bool is_gpu = agent.handle == kGpu.handle;
  if (!is_gpu && agent.handle != kCpu.handle) return Status::invalid_agent;
  switch (what) {
    case AgentInfo::name:
      return put_text(value, is_gpu ? machine.options.arch : "the double's CPU", kAgentNameBytes);
    case AgentInfo::vendor_name:
      return put_text(value, "rpl", kAgentNameBytes);
    case AgentInfo::product_name:
      return put_text(value, is_gpu ? "HSA double" : "CPU", kAgentNameBytes);
    case AgentInfo::device:
      return put(value, is_gpu ? DeviceType::gpu : DeviceType::cpu);
    case AgentInfo::queue_max_size:
      return put(value, std::uint32_t{is_gpu ? 65536U : 0U});
    case AgentInfo::isa:
      return put(value, is_gpu ? kIsa : Isa{0});
    case AgentInfo::feature:
      return put(value, std::uint32_t{is_gpu ? 1U : 0U});
    case AgentInfo::profile:
      return put(value, Profile::base);
    case AgentInfo::cache_size: {
      const std::uint32_t bytes[4] = {is_gpu ? 16384U : 32768U, 65536, 0, 0};
      std::memcpy(value, bytes, sizeof(bytes));
      return Status::success;
    }
  }
  return Status::invalid_argument;
}

Status pool_info(const Machine& machine, Pool pool, PoolInfo what, void* value) {
  const bool known = pool.handle == kHostKernarg.handle || pool.handle == kHostCoarse.handle ||
                     pool.handle == kDeviceCoarse.handle;
  if (!known) return Status::invalid_argument;
  constexpr std::size_t kBytes = std::size_t{8} << 30;
  switch (what) {
    case PoolInfo::segment:
      return put(value, Segment::global);
    case PoolInfo::global_flags:
      return put(value, std::uint32_t{pool.handle == kHostKernarg.handle ? kPoolKernarg | kPoolFine
                                                                         : kPoolCoarse});
    case PoolInfo::size:
      return put(value, kBytes);
    case PoolInfo::alloc_allowed:
      return put(value, true);
    case PoolInfo::alloc_granule:
      return put(value, std::size_t{machine.options.granule});
    case PoolInfo::alloc_alignment:
      return put(value, std::size_t{machine.options.granule});
    case PoolInfo::accessible_by_all:
      return put(value, pool.handle != kDeviceCoarse.handle);
  }
  return Status::invalid_argument;
}

}  // namespace

Status init() { return logged("hsa_init", {}, start_machine); }
Status shut_down() { return logged("hsa_shut_down", {}, end_machine); }

Status system_get_info(SystemInfo what, void* value) {
  return on_machine("hsa_system_get_info", fmt::format("{}", static_cast<unsigned>(what)),
                    [&](Machine& machine) {
                      switch (what) {
                        case SystemInfo::version_major:
                          return put(value, std::uint16_t{1});
                        case SystemInfo::version_minor:
                          return put(value, std::uint16_t{14});
                        case SystemInfo::timestamp:
                          return put(value, machine.ticks());
                        case SystemInfo::timestamp_frequency:
                          return put(value, machine.options.frequency);
                        case SystemInfo::signal_max_wait:
                          return put(value, ~std::uint64_t{0});
                        case SystemInfo::vmem_supported:
                          return put(value, machine.options.vmem);
                      }
                      return Status::invalid_argument;
                    });
}

Status iterate_agents(Status (*callback)(Agent, void*), void* data) {
  return logged("hsa_iterate_agents", {}, [&] {
    if (!machine()) return Status::not_initialized;
    for (const Agent agent : {kCpu, kGpu}) {
      if (const Status status = callback(agent, data); status != Status::success) return status;
    }
    return Status::success;
  });
}

Status agent_get_info(Agent agent, AgentInfo what, void* value) {
  return on_machine("hsa_agent_get_info",
                    fmt::format("{} {}", agent.handle, static_cast<unsigned>(what)),
                    [&](Machine& machine) { return agent_info(machine, agent, what, value); });
}

Status isa_get_info(Isa isa, IsaInfo what, void* value) {
  return on_machine("hsa_isa_get_info_alt", fmt::format("{}", static_cast<unsigned>(what)),
                    [&](Machine& machine) {
                      if (isa.handle != kIsa.handle) return Status::invalid_isa;
                      const std::string name = isa_name(machine);
                      if (what == IsaInfo::name_length)
                        return put(value, static_cast<std::uint32_t>(name.size() + 1));
                      if (what == IsaInfo::name) return put_text(value, name, name.size() + 1);
                      return Status::invalid_argument;
                    });
}

Status register_system_event_handler(Status (*handler)(const FaultEvent*, void*), void* data) {
  return on_machine("hsa_amd_register_system_event_handler", {}, [&](Machine& machine) {
    if (machine.on_event != nullptr) return Status::error;
    machine.on_event = handler;
    machine.on_event_data = data;
    return Status::success;
  });
}

Status iterate_pools(Agent agent, Status (*callback)(Pool, void*), void* data) {
  return logged("hsa_amd_agent_iterate_memory_pools", fmt::format("{}", agent.handle), [&] {
    if (!machine()) return Status::not_initialized;
    std::vector<Pool> pools;
    if (agent.handle == kCpu.handle) pools = {kHostCoarse, kHostKernarg};
    if (agent.handle == kGpu.handle) pools = {kDeviceCoarse};
    if (pools.empty()) return Status::invalid_agent;
    for (const Pool pool : pools) {
      if (const Status status = callback(pool, data); status != Status::success) return status;
    }
    return Status::success;
  });
}

Status pool_get_info(Pool pool, PoolInfo what, void* value) {
  return on_machine("hsa_amd_memory_pool_get_info",
                    fmt::format("{} {}", pool.handle, static_cast<unsigned>(what)),
                    [&](Machine& machine) { return pool_info(machine, pool, what, value); });
}

}  // namespace calls
}  // namespace rpl::hsa_double
