// SPDX-License-Identifier: MIT
#pragma once

#include "engine/hsa/types.h"

/// The functions of libhsa-runtime64 that replay calls, with their C names: member, symbol, type. Signatures: hsa.h of the manual,
/// hsa_ext_amd.h of ROCR-Runtime (virtual memory: from ROCm 6.0).
#define RPL_HSA_FUNCTIONS(X)                                                                       \
  X(init, hsa_init, Status())                                                                      \
  X(shut_down, hsa_shut_down, Status())                                                            \
  X(system_get_info, hsa_system_get_info, Status(SystemInfo, void*))                               \
  X(iterate_agents, hsa_iterate_agents, Status(Status (*)(Agent, void*), void*))                   \
  X(agent_get_info, hsa_agent_get_info, Status(Agent, AgentInfo, void*))                           \
  X(isa_get_info, hsa_isa_get_info_alt, Status(Isa, IsaInfo, void*))                               \
  X(register_system_event_handler, hsa_amd_register_system_event_handler,                          \
    Status(Status (*)(const FaultEvent*, void*), void*))                                           \
  X(iterate_pools, hsa_amd_agent_iterate_memory_pools,                                             \
    Status(Agent, Status (*)(Pool, void*), void*))                                                 \
  X(pool_get_info, hsa_amd_memory_pool_get_info, Status(Pool, PoolInfo, void*))                    \
  X(pool_allocate, hsa_amd_memory_pool_allocate, Status(Pool, std::size_t, std::uint32_t, void**)) \
  X(pool_free, hsa_amd_memory_pool_free, Status(void*))                                            \
  X(agents_allow_access, hsa_amd_agents_allow_access,                                              \
    Status(std::uint32_t, const Agent*, const std::uint32_t*, const void*))                        \
  X(memory_lock, hsa_amd_memory_lock, Status(void*, std::size_t, Agent*, int, void**))             \
  X(memory_unlock, hsa_amd_memory_unlock, Status(void*))                                           \
  X(memory_async_copy, hsa_amd_memory_async_copy,                                                  \
    Status(void*, Agent, const void*, Agent, std::size_t, std::uint32_t, const Signal*, Signal))   \
  X(memory_fill, hsa_amd_memory_fill, Status(void*, std::uint32_t, std::size_t))                   \
  X(vmem_address_reserve, hsa_amd_vmem_address_reserve,                                            \
    Status(void**, std::size_t, std::uint64_t, std::uint64_t))                                     \
  X(vmem_address_free, hsa_amd_vmem_address_free, Status(void*, std::size_t))                      \
  X(vmem_handle_create, hsa_amd_vmem_handle_create,                                                \
    Status(Pool, std::size_t, MemoryType, std::uint64_t, MemoryHandle*))                           \
  X(vmem_handle_release, hsa_amd_vmem_handle_release, Status(MemoryHandle))                        \
  X(vmem_map, hsa_amd_vmem_map,                                                                    \
    Status(void*, std::size_t, std::size_t, MemoryHandle, std::uint64_t))                          \
  X(vmem_unmap, hsa_amd_vmem_unmap, Status(void*, std::size_t))                                    \
  X(vmem_set_access, hsa_amd_vmem_set_access,                                                      \
    Status(void*, std::size_t, const Access*, std::size_t))                                        \
  X(vmem_get_access, hsa_amd_vmem_get_access, Status(void*, std::uint32_t*, Agent))                \
  X(reader_create_from_memory, hsa_code_object_reader_create_from_memory,                          \
    Status(const void*, std::size_t, Reader*))                                                     \
  X(reader_destroy, hsa_code_object_reader_destroy, Status(Reader))                                \
  X(executable_create, hsa_executable_create_alt,                                                  \
    Status(Profile, Rounding, const char*, Executable*))                                           \
  X(executable_load, hsa_executable_load_agent_code_object,                                        \
    Status(Executable, Agent, Reader, const char*, LoadedObject*))                                 \
  X(executable_freeze, hsa_executable_freeze, Status(Executable, const char*))                     \
  X(executable_destroy, hsa_executable_destroy, Status(Executable))                                \
  X(executable_get_symbol, hsa_executable_get_symbol_by_name,                                      \
    Status(Executable, const char*, const Agent*, Symbol*))                                        \
  X(symbol_get_info, hsa_executable_symbol_get_info, Status(Symbol, SymbolInfo, void*))            \
  X(signal_create, hsa_signal_create, Status(SignalValue, std::uint32_t, const Agent*, Signal*))   \
  X(signal_destroy, hsa_signal_destroy, Status(Signal))                                            \
  X(signal_store_screlease, hsa_signal_store_screlease, void(Signal, SignalValue))                 \
  X(signal_wait_scacquire, hsa_signal_wait_scacquire,                                              \
    SignalValue(Signal, Condition, SignalValue, std::uint64_t, WaitState))                         \
  X(queue_create, hsa_queue_create,                                                                \
    Status(Agent, std::uint32_t, QueueType, void (*)(Status, Queue*, void*), void*, std::uint32_t, \
           std::uint32_t, Queue**))                                                                \
  X(queue_destroy, hsa_queue_destroy, Status(Queue*))                                              \
  X(queue_load_read_index_scacquire, hsa_queue_load_read_index_scacquire,                          \
    std::uint64_t(const Queue*))                                                                   \
  X(queue_load_write_index_relaxed, hsa_queue_load_write_index_relaxed,                            \
    std::uint64_t(const Queue*))                                                                   \
  X(queue_add_write_index_scacq_screl, hsa_queue_add_write_index_scacq_screl,                      \
    std::uint64_t(const Queue*, std::uint64_t))                                                    \
  X(profiling_set_profiler_enabled, hsa_amd_profiling_set_profiler_enabled, Status(Queue*, int))   \
  X(profiling_get_dispatch_time, hsa_amd_profiling_get_dispatch_time,                              \
    Status(Agent, Signal, DispatchTime*))

namespace rpl::hsa {

/// One of them; null where the runtime lacks it.
template <class Type>
struct Function {
  const char* name;
  Type* call = nullptr;
};

/// All of them.
struct Api {
#define RPL_HSA_MEMBER(member, symbol, ...) Function<__VA_ARGS__> member{#symbol};
  RPL_HSA_FUNCTIONS(RPL_HSA_MEMBER)
#undef RPL_HSA_MEMBER
};

}  // namespace rpl::hsa
