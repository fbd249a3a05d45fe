// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/hsa_device.h"

#include <algorithm>
#include <array>

namespace rpl {
namespace {

hsa::Status note_fault(const hsa::FaultEvent* event, void* data) {
  if (event == nullptr || event->type != 0) return hsa::Status::success;
  auto& events = *static_cast<HsaEvents*>(data);
  events.fault_address = event->address;
  events.faulted = true;
  return hsa::Status::success;
}

template <class Handle>
hsa::Status keep_handle(Handle handle, void* data) {
  static_cast<std::vector<Handle>*>(data)->push_back(handle);
  return hsa::Status::success;
}

Result<std::string> agent_text(HsaCalls& calls, hsa::Agent agent, hsa::AgentInfo what,
                               std::string_view about) {
  std::array<char, hsa::kAgentNameBytes + 1> text{};
  TRY(calls.call(calls.api.agent_get_info, about, agent, what, static_cast<void*>(text.data())));
  return std::string(text.data());
}

Result<std::string> isa_text(HsaCalls& calls, hsa::Agent agent) {
  constexpr std::uint32_t kLongest = 4096;
  hsa::Isa isa{};
  TRY(calls.call(calls.api.agent_get_info, "the GPU's instruction set", agent, hsa::AgentInfo::isa,
                 static_cast<void*>(&isa)));
  std::uint32_t length = 0;
  TRY(calls.call(calls.api.isa_get_info, "the length of the instruction set's name", isa,
                 hsa::IsaInfo::name_length, static_cast<void*>(&length)));
  if (length > kLongest)
    return fail(Errc::unsupported, "the runtime's name of the GPU's instruction set is too long");
  std::string name(std::size_t{length} + 1, '\0');
  TRY(calls.call(calls.api.isa_get_info, "the instruction set's name", isa, hsa::IsaInfo::name,
                 static_cast<void*>(name.data())));
  name.resize(std::char_traits<char>::length(name.c_str()));
  return name;
}

/// "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-" is of "gfx942".
bool is_of(std::string_view isa, std::string_view architecture) {
  const std::string_view name = isa.substr(0, isa.find(':'));
  return name.substr(name.rfind('-') + 1) == architecture;
}

struct PoolFacts {
  hsa::Pool pool{};
  std::uint32_t flags = 0;
  std::uint64_t granule = 0;
};

/// Pools of global memory that allocations may come from.
Result<std::vector<PoolFacts>> pools_of(HsaCalls& calls, hsa::Agent agent, std::string_view about) {
  std::vector<hsa::Pool> pools;
  TRY(calls.call(calls.api.iterate_pools, about, agent, &keep_handle<hsa::Pool>,
                 static_cast<void*>(&pools)));
  std::vector<PoolFacts> out;
  const auto& info = calls.api.pool_get_info;
  for (const hsa::Pool pool : pools) {
    hsa::Segment segment{};
    TRY(calls.call(info, about, pool, hsa::PoolInfo::segment, static_cast<void*>(&segment)));
    if (segment != hsa::Segment::global) continue;
    bool allowed = false;
    TRY(calls.call(info, about, pool, hsa::PoolInfo::alloc_allowed, static_cast<void*>(&allowed)));
    if (!allowed) continue;
    PoolFacts facts{.pool = pool};
    std::size_t granule = 0;
    TRY(calls.call(info, about, pool, hsa::PoolInfo::global_flags,
                   static_cast<void*>(&facts.flags)));
    TRY(calls.call(info, about, pool, hsa::PoolInfo::alloc_granule, static_cast<void*>(&granule)));
    facts.granule = granule;
    out.push_back(facts);
  }
  return out;
}

const PoolFacts* pool_with(const std::vector<PoolFacts>& pools, std::uint32_t flags) {
  const auto found = std::ranges::find_if(
      pools, [&](const PoolFacts& pool) { return (pool.flags & flags) == flags; });
  return found == pools.end() ? nullptr : &*found;
}

Status find_pools(HsaCalls& calls, HsaDevice& device) {
  const auto on_gpu = TRY(pools_of(calls, device.gpu, "the GPU's memory pools"));
  const auto on_host = TRY(pools_of(calls, device.cpu, "the host's memory pools"));
  const PoolFacts* memory = pool_with(on_gpu, hsa::kPoolCoarse);
  const PoolFacts* kernarg = pool_with(on_host, hsa::kPoolKernarg | hsa::kPoolFine);
  if (memory == nullptr)
    return fail(Errc::missing_capability, "the GPU has no pool of coarse-grained memory",
                "'replay --target emu' needs no GPU; 'doctor' checks this one");
  if (kernarg == nullptr)
    return fail(Errc::missing_capability, "the host has no pool for kernel arguments",
                "'replay --target emu' needs no GPU; 'doctor' checks this one");
  const bool power = memory->granule != 0 && (memory->granule & (memory->granule - 1)) == 0;
  if (!power)
    return fail(Errc::unsupported,
                fmt::format("the runtime allocates the GPU's memory in steps of {} bytes",
                            memory->granule));
  device.memory = memory->pool;
  device.granule = memory->granule;
  device.kernarg = kernarg->pool;
  return {};
}

Status describe(HsaCalls& calls, HsaDevice& device) {
  device.name = TRY(agent_text(calls, device.gpu, hsa::AgentInfo::name, "the GPU's name"));
  device.product =
      TRY(agent_text(calls, device.gpu, hsa::AgentInfo::product_name, "the GPU's product name"));
  std::array<std::uint32_t, 4> caches{};
  TRY(calls.call(calls.api.agent_get_info, "the GPU's caches", device.gpu,
                 hsa::AgentInfo::cache_size, static_cast<void*>(caches.data())));
  device.cache_bytes = *std::ranges::max_element(caches);
  const auto& system = calls.api.system_get_info;
  std::uint64_t frequency = 0;
  TRY(calls.call(system, "the frequency of time stamps", hsa::SystemInfo::timestamp_frequency,
                 static_cast<void*>(&frequency)));
  if (frequency == 0)
    return fail(Errc::unsupported, "the runtime reports a time-stamp frequency of 0");
  device.ticks_per_s = static_cast<double>(frequency);
  std::uint16_t major = 0, minor = 0;
  TRY(calls.call(system, "the runtime's version", hsa::SystemInfo::version_major,
                 static_cast<void*>(&major)));
  TRY(calls.call(system, "the runtime's version", hsa::SystemInfo::version_minor,
                 static_cast<void*>(&minor)));
  device.runtime_version = fmt::format("{}.{}", major, minor);
  return {};
}

Status check_virtual_memory(HsaCalls& calls) {
  bool supported = false;
  TRY(calls.call(calls.api.system_get_info, "virtual memory support",
                 hsa::SystemInfo::vmem_supported, static_cast<void*>(&supported)));
  if (supported) return {};
  return fail(Errc::missing_capability,
              "the runtime cannot map memory at given addresses on this machine",
              "that needs ROCm 6.0 and its kernel driver; --target emu replays anywhere");
}

}  // namespace

Result<std::unique_ptr<HsaRuntime>> HsaRuntime::start(HsaCalls& calls, HsaEvents& events) {
  calls.enter(calls.api.init.name, "the runtime");
  if (const hsa::Status status = calls.api.init.call(); status != hsa::Status::success) {
    return fail(
        Errc::missing_capability,
        fmt::format("hsa_init of the runtime failed with {}", hsa::name_of(status)),
        "is there an AMD GPU, and may this user open /dev/kfd? --target emu replays anywhere");
  }
  std::unique_ptr<HsaRuntime> runtime(new HsaRuntime(calls));
  TRY(calls.call(calls.api.register_system_event_handler, "memory faults", &note_fault,
                 static_cast<void*>(&events)));
  return runtime;
}

HsaRuntime::~HsaRuntime() { calls_.release(calls_.api.shut_down, "the runtime"); }

Result<HsaDevice> find_device(HsaCalls& calls, const std::string& architecture) {
  std::vector<hsa::Agent> agents;
  TRY(calls.call(calls.api.iterate_agents, "the devices", &keep_handle<hsa::Agent>,
                 static_cast<void*>(&agents)));
  HsaDevice device;
  std::string seen;
  for (const hsa::Agent agent : agents) {
    hsa::DeviceType type{};
    TRY(calls.call(calls.api.agent_get_info, "the kind of a device", agent, hsa::AgentInfo::device,
                   static_cast<void*>(&type)));
    if (type == hsa::DeviceType::cpu && device.cpu.handle == 0) device.cpu = agent;
    if (type != hsa::DeviceType::gpu || device.gpu.handle != 0) continue;
    std::string isa = TRY(isa_text(calls, agent));
    if (is_of(isa, architecture)) {
      device.gpu = agent;
      device.isa = std::move(isa);
    } else {
      seen += (seen.empty() ? "" : ", ") + isa;
    }
  }
  if (device.gpu.handle == 0) {
    const std::string there = seen.empty() ? "this machine has no GPU" : "this machine has " + seen;
    return fail(Errc::missing_capability,
                fmt::format("the code is for {}, and {}", architecture, there),
                "give code that was compiled for that GPU with --hsaco, or --target emu");
  }
  TRY(check_virtual_memory(calls));
  TRY(find_pools(calls, device));
  TRY(describe(calls, device));
  return device;
}

}  // namespace rpl
