// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/hsa/tables.h"

/// The HSA runtime's functions as a tool calls them: never by the public names, which lead back into what the tool replaced.
namespace rpl::intercept {

using hsa::Agent;
using hsa::Signal;
using hsa::Status;

/// How an intercept handler hands packets on (hsa_amd_queue_intercept_packet_writer). Until ROCm 5.7 a handler may call it once only.
using Writer = void (*)(const void* packets, std::uint64_t count);
using Handler = void (*)(const void* packets, std::uint64_t count, std::uint64_t index, void* data,
                         Writer writer);
using QueueError = void (*)(Status status, hsa::Queue* queue, void* data);

struct Calls {
  Status (*system_get_info)(hsa::SystemInfo, void*) = nullptr;
  Status (*agent_get_info)(Agent, hsa::AgentInfo, void*) = nullptr;
  Status (*isa_get_info)(hsa::Isa, hsa::IsaInfo, void*) = nullptr;
  Status (*queue_create)(Agent, std::uint32_t, std::uint32_t, QueueError, void*, std::uint32_t,
                         std::uint32_t, hsa::Queue**) = nullptr;
  Status (*queue_destroy)(hsa::Queue*) = nullptr;
  std::uint64_t (*load_read_index)(const hsa::Queue*) = nullptr;
  std::uint64_t (*load_write_index)(const hsa::Queue*) = nullptr;
  std::uint64_t (*add_write_index)(const hsa::Queue*, std::uint64_t) = nullptr;
  Status (*memory_allocate)(hsa::Region, std::size_t, void**) = nullptr;
  Status (*memory_free)(void*) = nullptr;
  Status (*memory_copy)(void*, const void*, std::size_t) = nullptr;
  Status (*signal_create)(hsa::SignalValue, std::uint32_t, const Agent*, Signal*) = nullptr;
  Status (*signal_destroy)(Signal) = nullptr;
  hsa::SignalValue (*signal_load)(Signal) = nullptr;
  void (*signal_store)(Signal, hsa::SignalValue) = nullptr;
  void (*signal_subtract)(Signal, hsa::SignalValue) = nullptr;
  hsa::SignalValue (*signal_wait)(Signal, hsa::Condition, hsa::SignalValue, std::uint64_t,
                                  hsa::WaitState) = nullptr;
  Status (*executable_destroy)(hsa::Executable) = nullptr;
  Status (*extension_table)(std::uint16_t, std::uint16_t, std::size_t, void*) = nullptr;

  Status (*pool_get_info)(hsa::Pool, hsa::PoolInfo, void*) = nullptr;
  Status (*pool_allocate)(hsa::Pool, std::size_t, std::uint32_t, void**) = nullptr;
  Status (*pool_free)(void*) = nullptr;
  Status (*async_copy)(void*, Agent, const void*, Agent, std::size_t, std::uint32_t, const Signal*,
                       Signal) = nullptr;
  Status (*async_copy_on_engine)(void*, Agent, const void*, Agent, std::size_t, std::uint32_t,
                                 const Signal*, Signal, std::uint32_t, bool) = nullptr;
  Status (*async_copy_rect)(const void*, const void*, const void*, const void*, const hsa::Dim3*,
                            Agent, std::uint32_t, std::uint32_t, const Signal*, Signal) = nullptr;
  Status (*memory_fill)(void*, std::uint32_t, std::size_t) = nullptr;
  Status (*memory_lock)(void*, std::size_t, Agent*, int, void**) = nullptr;
  Status (*memory_lock_to_pool)(void*, std::size_t, Agent*, int, hsa::Pool, std::uint32_t,
                                void**) = nullptr;
  Status (*memory_unlock)(void*) = nullptr;
  Status (*pointer_info)(const void*, hsa::PointerInfo*, void* (*)(std::size_t), std::uint32_t*,
                         Agent**) = nullptr;
  Status (*ipc_attach)(const void*, std::size_t, std::uint32_t, const Agent*, void**) = nullptr;
  Status (*ipc_detach)(void*) = nullptr;
  Status (*intercept_create)(Agent, std::uint32_t, std::uint32_t, QueueError, void*, std::uint32_t,
                             std::uint32_t, hsa::Queue**) = nullptr;
  Status (*intercept_register)(hsa::Queue*, Handler, void*) = nullptr;
  Status (*set_priority)(hsa::Queue*, std::uint32_t) = nullptr;
  Status (*svm_set)(void*, std::size_t, void*, std::size_t) = nullptr;
  Status (*vmem_create)(hsa::Pool, std::size_t, std::uint32_t, std::uint64_t,
                        hsa::MemoryHandle*) = nullptr;
  Status (*vmem_release)(hsa::MemoryHandle) = nullptr;
  Status (*vmem_map)(void*, std::size_t, std::size_t, hsa::MemoryHandle, std::uint64_t) = nullptr;
  Status (*vmem_unmap)(void*, std::size_t) = nullptr;
};

/// The functions as they stand in the tables; null for what this runtime does not have.
Calls calls_of(const hsa::Tables& tables);
/// The name of a function without which nothing can be captured, when the tables lack one; else null.
const char* missing_of(const Calls& calls);

}  // namespace rpl::intercept
