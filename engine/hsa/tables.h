// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/hsa/types.h"

/// The tables of function pointers that the HSA runtime hands to a tool (HsaApiTable of hsa_api_trace.h). Every table begins with a version
/// whose `minor` is its size in bytes; that size tells the layout, because entries were inserted without a new major number (ROCm 5.6).
/// Sizes seen: AMD's extensions 400 (5.2), 424 (5.5), 456 (5.6, 5.7), 552 (6.0), 560 (6.1), 576 (6.2), 584 (6.3), 592 (6.4),
/// 608 (7.0); core 1016 in all.
namespace rpl::hsa {

/// First member of every table.
struct TableVersion {
  std::uint32_t major, minor, step, reserved;
};

/// Entries of the core table, by their offsets in bytes, which are the same in every release.
enum class Core : std::uint32_t {
  system_get_info = 32,
  agent_get_info = 64,
  queue_create = 72,
  queue_destroy = 88,
  queue_load_read_index_scacquire = 104,
  queue_load_write_index_scacquire = 120,
  queue_add_write_index_screlease = 208,
  memory_allocate = 280,
  memory_free = 288,
  memory_copy = 296,
  signal_create = 312,
  signal_destroy = 320,
  signal_load_relaxed = 328,
  signal_store_screlease = 352,
  signal_wait_scacquire = 368,
  signal_subtract_screlease = 552,
  executable_destroy = 688,
  system_get_major_extension_table = 800,
  isa_get_info = 888,
};

/// Entries of the table of AMD's extensions, by their offsets in ROCm 5.2 where they existed then.
enum class Ext : std::uint32_t {
  profiling_get_dispatch_time = 48,
  pool_get_info = 104,
  pool_allocate = 120,
  pool_free = 128,
  memory_async_copy = 136,
  memory_lock = 176,
  memory_unlock = 184,
  memory_fill = 192,
  pointer_info = 224,
  ipc_memory_attach = 248,
  ipc_memory_detach = 256,
  queue_intercept_create = 296,
  queue_intercept_register = 304,
  queue_set_priority = 312,
  memory_async_copy_rect = 320,
  memory_lock_to_pool = 336,
  svm_attributes_set = 368,
  // Later ones by their offsets since they exist.
  memory_async_copy_on_engine = 0x10000 + 144,
  vmem_address_reserve = 0x10000 + 456,
  vmem_address_free = 0x10000 + 464,
  vmem_handle_create = 0x10000 + 472,
  vmem_handle_release = 0x10000 + 480,
  vmem_map = 0x10000 + 488,
  vmem_unmap = 0x10000 + 496,
};

/// The runtime's tables, checked. Views of its memory: valid as long as the runtime is initialised.
class Tables {
 public:
  /// `root` is what OnLoad gets. Fails with unsupported, naming the sizes, for a layout that this build does not know; with corrupt for no table.
  static Result<Tables> of(void* root);

  /// Where the pointer of a function lies, to be read and replaced; null when this runtime has no such function.
  [[nodiscard]] void** slot(Core entry) const;
  [[nodiscard]] void** slot(Ext entry) const;
  template <class Function, class Entry>
  [[nodiscard]] Function* function(Entry entry) const {
    void** found = slot(entry);
    return found == nullptr ? nullptr : reinterpret_cast<Function*>(*found);
  }

  /// "root 1/48, core 1/1016, amd_ext 1/400": major/size of each.
  [[nodiscard]] std::string versions() const;
  /// The same, each table by its name.
  [[nodiscard]] std::vector<std::pair<std::string_view, TableVersion>> each() const;
  /// "ROCm 5.2": the releases whose tables are like these.
  [[nodiscard]] std::string releases() const;
  /// Whether memory can be reserved and mapped apart, since ROCm 6.0.
  [[nodiscard]] bool has_vmem() const { return ext_->minor >= 552; }

 private:
  Tables(TableVersion* root, TableVersion* core, TableVersion* ext)
      : root_(root), core_(core), ext_(ext) {}

  TableVersion* root_;
  TableVersion* core_;
  TableVersion* ext_;
};

}  // namespace rpl::hsa
