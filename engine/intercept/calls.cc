// SPDX-License-Identifier: MIT
#include "engine/intercept/calls.h"

namespace rpl::intercept {
namespace {

template <class Entry, class Function>
void take(const hsa::Tables& tables, Entry entry, Function*& into) {
  into = tables.function<Function>(entry);
}

void take_core(const hsa::Tables& tables, Calls& calls) {
  using hsa::Core;
  take(tables, Core::system_get_info, calls.system_get_info);
  take(tables, Core::agent_get_info, calls.agent_get_info);
  take(tables, Core::isa_get_info, calls.isa_get_info);
  take(tables, Core::queue_create, calls.queue_create);
  take(tables, Core::queue_destroy, calls.queue_destroy);
  take(tables, Core::queue_load_read_index_scacquire, calls.load_read_index);
  take(tables, Core::queue_load_write_index_scacquire, calls.load_write_index);
  take(tables, Core::queue_add_write_index_screlease, calls.add_write_index);
  take(tables, Core::memory_allocate, calls.memory_allocate);
  take(tables, Core::memory_free, calls.memory_free);
  take(tables, Core::memory_copy, calls.memory_copy);
  take(tables, Core::signal_create, calls.signal_create);
  take(tables, Core::signal_destroy, calls.signal_destroy);
  take(tables, Core::signal_load_relaxed, calls.signal_load);
  take(tables, Core::signal_store_screlease, calls.signal_store);
  take(tables, Core::signal_subtract_screlease, calls.signal_subtract);
  take(tables, Core::signal_wait_scacquire, calls.signal_wait);
  take(tables, Core::executable_destroy, calls.executable_destroy);
  take(tables, Core::system_get_major_extension_table, calls.extension_table);
}

void take_ext(const hsa::Tables& tables, Calls& calls) {
  using hsa::Ext;
  take(tables, Ext::pool_get_info, calls.pool_get_info);
  take(tables, Ext::pool_allocate, calls.pool_allocate);
  take(tables, Ext::pool_free, calls.pool_free);
  take(tables, Ext::memory_async_copy, calls.async_copy);
  take(tables, Ext::memory_async_copy_on_engine, calls.async_copy_on_engine);
  take(tables, Ext::memory_async_copy_rect, calls.async_copy_rect);
  take(tables, Ext::memory_fill, calls.memory_fill);
  take(tables, Ext::memory_lock, calls.memory_lock);
  take(tables, Ext::memory_lock_to_pool, calls.memory_lock_to_pool);
  take(tables, Ext::memory_unlock, calls.memory_unlock);
  take(tables, Ext::pointer_info, calls.pointer_info);
  take(tables, Ext::ipc_memory_attach, calls.ipc_attach);
  take(tables, Ext::ipc_memory_detach, calls.ipc_detach);
  take(tables, Ext::queue_intercept_create, calls.intercept_create);
  take(tables, Ext::queue_intercept_register, calls.intercept_register);
  take(tables, Ext::queue_set_priority, calls.set_priority);
  take(tables, Ext::svm_attributes_set, calls.svm_set);
  take(tables, Ext::vmem_handle_create, calls.vmem_create);
  take(tables, Ext::vmem_handle_release, calls.vmem_release);
  take(tables, Ext::vmem_map, calls.vmem_map);
  take(tables, Ext::vmem_unmap, calls.vmem_unmap);
}

}  // namespace

Calls calls_of(const hsa::Tables& tables) {
  Calls out;
  take_core(tables, out);
  take_ext(tables, out);
  return out;
}

const char* missing_of(const Calls& calls) {
  if (calls.intercept_create == nullptr) return "hsa_amd_queue_intercept_create";
  if (calls.intercept_register == nullptr) return "hsa_amd_queue_intercept_register";
  if (calls.signal_create == nullptr) return "hsa_signal_create";
  if (calls.signal_wait == nullptr) return "hsa_signal_wait_scacquire";
  if (calls.signal_store == nullptr) return "hsa_signal_store_screlease";
  if (calls.memory_copy == nullptr) return "hsa_memory_copy";
  if (calls.extension_table == nullptr) return "hsa_system_get_major_extension_table";
  return nullptr;
}

}  // namespace rpl::intercept
