// SPDX-License-Identifier: MIT
// What the application calls instead of the runtime's functions once the tool is installed: each passes the call on and keeps what it
// learns of memory, queues and copies.
#include <algorithm>

#include "engine/intercept/tool.h"

namespace rpl::intercept {
namespace {

Tool* tool = nullptr;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::uint32_t flags_of(hsa::Pool pool) {
  std::uint32_t flags = 0;
  if (tool->calls().pool_get_info == nullptr ||
      tool->calls().pool_get_info(pool, hsa::PoolInfo::global_flags, &flags) != Status::success)
    return 0;
  return flags;
}

// Queues.

void on_packets(const void* packets, std::uint64_t count, std::uint64_t, void* data,
                Writer writer) {
  auto& queue = *static_cast<TrackedQueue*>(data);
  static_cast<Tool*>(queue.owner)->handle(queue, packets_at(packets, count), writer);
}

Status queue_create(Agent agent, std::uint32_t size, std::uint32_t type, QueueError callback,
                    void* data, std::uint32_t private_bytes, std::uint32_t group_bytes,
                    hsa::Queue** queue) {
  const Calls& calls = tool->calls();
  std::uint32_t ring = size;
  const auto pace = tool->pace_for(ring);
  // Better a queue that is not seen than none.
  if (!pace || calls.intercept_create(agent, ring, type, callback, data, private_bytes, group_bytes,
                                      queue) != Status::success) {
    return calls.queue_create(agent, size, type, callback, data, private_bytes, group_bytes, queue);
  }
  TrackedQueue& tracked =
      tool->queues().add({.queue = *queue, .agent = agent, .owner = tool, .pace = *pace});
  if (calls.intercept_register(*queue, on_packets, &tracked) != Status::success)
    tool->queues().remove(*queue);
  return Status::success;
}

Status queue_destroy(hsa::Queue* queue) {
  const Hold::Shared held(tool->hold());
  const Status status = tool->calls().queue_destroy(queue);
  tool->queues().remove(queue);
  return status;
}

Status set_priority(hsa::Queue* queue, std::uint32_t priority) {
  const Status status = tool->calls().set_priority(queue, priority);
  if (status == Status::success) tool->queues().set_priority(queue, priority);
  return status;
}

// Memory.

Status pool_allocate(hsa::Pool pool, std::size_t bytes, std::uint32_t flags, void** out) {
  const Status status = tool->calls().pool_allocate(pool, bytes, flags, out);
  if (status == Status::success) {
    tool->memory().add({.base = address_of(*out),
                        .bytes = bytes,
                        .kind = RegionKind::pool,
                        .flags = flags_of(pool),
                        .source = address_of(*out)});
  }
  return status;
}

Status pool_free(void* pointer) {
  const Hold::Shared held(tool->hold());
  // Forgotten first: the address may be given out again before this call has returned.
  tool->memory().remove(address_of(pointer));
  return tool->calls().pool_free(pointer);
}

Status memory_allocate(hsa::Region region, std::size_t bytes, void** out) {
  const Status status = tool->calls().memory_allocate(region, bytes, out);
  if (status == Status::success) {
    tool->memory().add({.base = address_of(*out),
                        .bytes = bytes,
                        .kind = RegionKind::region,
                        .flags = 0,
                        .source = address_of(*out)});
  }
  return status;
}

Status memory_free(void* pointer) {
  const Hold::Shared held(tool->hold());
  tool->memory().remove(address_of(pointer));
  return tool->calls().memory_free(pointer);
}

Status memory_lock(void* host, std::size_t bytes, Agent* agents, int count, void** device) {
  const Status status = tool->calls().memory_lock(host, bytes, agents, count, device);
  if (status == Status::success)
    tool->memory().add({.base = address_of(*device),
                        .bytes = bytes,
                        .kind = RegionKind::locked,
                        .flags = 0,
                        .source = address_of(host)});
  return status;
}

Status memory_lock_to_pool(void* host, std::size_t bytes, Agent* agents, int count, hsa::Pool pool,
                           std::uint32_t flags, void** device) {
  const Status status =
      tool->calls().memory_lock_to_pool(host, bytes, agents, count, pool, flags, device);
  if (status == Status::success) {
    tool->memory().add({.base = address_of(*device),
                        .bytes = bytes,
                        .kind = RegionKind::locked,
                        .flags = flags_of(pool),
                        .source = address_of(host)});
  }
  return status;
}

Status memory_unlock(void* host) {
  const Hold::Shared held(tool->hold());
  tool->memory().remove(address_of(host));
  return tool->calls().memory_unlock(host);
}

Status ipc_attach(const void* handle, std::size_t bytes, std::uint32_t count, const Agent* agents,
                  void** out) {
  const Status status = tool->calls().ipc_attach(handle, bytes, count, agents, out);
  if (status == Status::success) {
    tool->memory().add({.base = address_of(*out),
                        .bytes = bytes,
                        .kind = RegionKind::pool,
                        .flags = 0,
                        .source = address_of(*out)});
  }
  return status;
}

Status ipc_detach(void* pointer) {
  const Hold::Shared held(tool->hold());
  tool->memory().remove(address_of(pointer));
  return tool->calls().ipc_detach(pointer);
}

Status svm_set(void* pointer, std::size_t bytes, void* attributes, std::size_t count) {
  const Status status = tool->calls().svm_set(pointer, bytes, attributes, count);
  // Attributes may be set again, or of a part: what is known already stays as it is.
  if (status == Status::success && !tool->memory().find(address_of(pointer))) {
    tool->memory().add({.base = address_of(pointer),
                        .bytes = bytes,
                        .kind = RegionKind::svm,
                        .flags = 0,
                        .source = address_of(pointer)});
  }
  return status;
}

Status vmem_map(void* address, std::size_t bytes, std::size_t offset, hsa::MemoryHandle handle,
                std::uint64_t flags) {
  const Status status = tool->calls().vmem_map(address, bytes, offset, handle, flags);
  if (status == Status::success) {
    tool->memory().add({.base = address_of(address),
                        .bytes = bytes,
                        .kind = RegionKind::vmem,
                        .flags = 0,
                        .source = address_of(address)});
  }
  return status;
}

Status vmem_unmap(void* address, std::size_t bytes) {
  const Hold::Shared held(tool->hold());
  tool->memory().remove_within(address_of(address), bytes);
  return tool->calls().vmem_unmap(address, bytes);
}

// Copies.

/// Keeps a copy's completion signal from before it is asked for.
template <class Call>
Status copied(Signal completion, std::uint32_t count, const Signal* dependencies,
              const Call& call) {
  const Hold::Shared held(tool->hold());
  tool->copies().submitting(completion, {dependencies, dependencies == nullptr ? 0 : count});
  const Status status = call();
  if (status != Status::success) tool->copies().refused(completion);
  return status;
}

Status async_copy(void* to, Agent to_agent, const void* from, Agent from_agent, std::size_t bytes,
                  std::uint32_t count, const Signal* dependencies, Signal completion) {
  return copied(completion, count, dependencies, [&] {
    return tool->calls().async_copy(to, to_agent, from, from_agent, bytes, count, dependencies,
                                    completion);
  });
}

Status async_copy_on_engine(void* to, Agent to_agent, const void* from, Agent from_agent,
                            std::size_t bytes, std::uint32_t count, const Signal* dependencies,
                            Signal completion, std::uint32_t engine, bool force) {
  return copied(completion, count, dependencies, [&] {
    return tool->calls().async_copy_on_engine(to, to_agent, from, from_agent, bytes, count,
                                              dependencies, completion, engine, force);
  });
}

Status async_copy_rect(const void* to, const void* to_offset, const void* from,
                       const void* from_offset, const hsa::Dim3* range, Agent agent,
                       std::uint32_t direction, std::uint32_t count, const Signal* dependencies,
                       Signal completion) {
  return copied(completion, count, dependencies, [&] {
    return tool->calls().async_copy_rect(to, to_offset, from, from_offset, range, agent, direction,
                                         count, dependencies, completion);
  });
}

Status memory_copy(void* to, const void* from, std::size_t bytes) {
  const Hold::Shared held(tool->hold());
  return tool->calls().memory_copy(to, from, bytes);
}

Status memory_fill(void* to, std::uint32_t value, std::size_t count) {
  const Hold::Shared held(tool->hold());
  return tool->calls().memory_fill(to, value, count);
}

Status signal_destroy(Signal signal) {
  tool->copies().destroyed(signal);
  return tool->calls().signal_destroy(signal);
}

// Code.

Status executable_destroy(hsa::Executable executable) {
  const Hold::Shared held(tool->hold());
  const Status status = tool->calls().executable_destroy(executable);
  tool->code().forget();
  return status;
}

template <class Entry, class Function>
void replace(const hsa::Tables& tables, Entry entry, Function* with) {
  void** slot = tables.slot(entry);
  if (slot != nullptr && *slot != nullptr) *slot = reinterpret_cast<void*>(with);
}

}  // namespace

Tool* installed_tool() { return tool; }

void Tool::install(const hsa::Tables& tables) {
  using hsa::Core;
  using hsa::Ext;
  tool = this;
  // Both loaders may hand over the same tables.
  void** first = tables.slot(Core::queue_create);
  if (first == nullptr || *first == reinterpret_cast<void*>(queue_create)) return;
  replace(tables, Core::queue_create, queue_create);
  replace(tables, Core::queue_destroy, queue_destroy);
  replace(tables, Core::memory_allocate, memory_allocate);
  replace(tables, Core::memory_free, memory_free);
  replace(tables, Core::memory_copy, memory_copy);
  replace(tables, Core::signal_destroy, signal_destroy);
  replace(tables, Core::executable_destroy, executable_destroy);
  replace(tables, Ext::pool_allocate, pool_allocate);
  replace(tables, Ext::pool_free, pool_free);
  replace(tables, Ext::memory_async_copy, async_copy);
  replace(tables, Ext::memory_async_copy_on_engine, async_copy_on_engine);
  replace(tables, Ext::memory_async_copy_rect, async_copy_rect);
  replace(tables, Ext::memory_fill, memory_fill);
  replace(tables, Ext::memory_lock, memory_lock);
  replace(tables, Ext::memory_lock_to_pool, memory_lock_to_pool);
  replace(tables, Ext::memory_unlock, memory_unlock);
  replace(tables, Ext::ipc_memory_attach, ipc_attach);
  replace(tables, Ext::ipc_memory_detach, ipc_detach);
  replace(tables, Ext::queue_set_priority, set_priority);
  replace(tables, Ext::svm_attributes_set, svm_set);
  replace(tables, Ext::vmem_map, vmem_map);
  replace(tables, Ext::vmem_unmap, vmem_unmap);
}

}  // namespace rpl::intercept
