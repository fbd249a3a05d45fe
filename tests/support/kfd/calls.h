// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <span>

#include "tests/support/kfd/driver.h"
#include "tests/support/kfd/later_calls.h"

namespace rpl::kfd {

/// One call of /dev/kfd: what it is asked by, and what serves it.
struct Call {
  std::uint64_t request = 0;  ///< AMDKFD_IOC_…, with the size that the kernel's header gives it
  std::size_t bytes = 0;      ///< of its structure
  const char* name = "";
  /// `arguments` has at least `bytes`, and the `given` ones of the program; 0 or a negative errno.
  int (*run)(Driver& driver, void* arguments, std::size_t given) = nullptr;
};

/// The call of that number; null for what the kernel's header does not have.
const Call* find_control_call(std::uint64_t request);

/// The same of the render node.
struct RenderCalls {
  static int version(std::uint64_t argument);
  static int facts(Driver& driver, std::uint64_t argument);
  static int import_buffer(Driver& driver, std::uint64_t argument);
  static int close(Driver& driver, std::uint64_t argument);
  static int where(Driver& driver, std::uint64_t argument);
  static int map(Driver& driver, std::uint64_t argument);
};

/// What serves them, by subject. Each takes arguments that nothing has checked.
struct Calls {
  static int allocate(Driver& driver, kfd_ioctl_alloc_memory_of_gpu_args& args);
  static int free(Driver& driver, kfd_ioctl_free_memory_of_gpu_args& args);
  static int map(Driver& driver, kfd_ioctl_map_memory_to_gpu_args& args);
  static int unmap(Driver& driver, kfd_ioctl_unmap_memory_from_gpu_args& args);
  static int export_buffer(Driver& driver, ExportBuffer& args);
  static int buffer_facts(Driver& driver, kfd_ioctl_get_dmabuf_info_args& args);
  static int import_buffer(Driver& driver, kfd_ioctl_import_dmabuf_args& args);
  static int available(Driver& driver, kfd_ioctl_get_available_memory_args& args);

  static int create_queue(Driver& driver, kfd_ioctl_create_queue_args& args);
  static int update_queue(Driver& driver, kfd_ioctl_update_queue_args& args);
  static int destroy_queue(Driver& driver, kfd_ioctl_destroy_queue_args& args);
  static int set_unit_mask(Driver& driver, kfd_ioctl_set_cu_mask_args& args);

  static int create_event(Driver& driver, kfd_ioctl_create_event_args& args);
  static int destroy_event(Driver& driver, kfd_ioctl_destroy_event_args& args);
  static int set_event(Driver& driver, kfd_ioctl_set_event_args& args);
  static int reset_event(Driver& driver, kfd_ioctl_reset_event_args& args);
  static int wait_events(Driver& driver, kfd_ioctl_wait_events_args& args);

  static int version(Driver& driver, kfd_ioctl_get_version_args& args);
  static int clocks(Driver& driver, kfd_ioctl_get_clock_counters_args& args);
  static int apertures(Driver& driver, kfd_ioctl_get_process_apertures_args& args);
  static int apertures_new(Driver& driver, kfd_ioctl_get_process_apertures_new_args& args);
  static int tiles(Driver& driver, kfd_ioctl_get_tile_config_args& args);
  static int memory_policy(Driver& driver, kfd_ioctl_set_memory_policy_args& args);
  static int scratch(Driver& driver, kfd_ioctl_set_scratch_backing_va_args& args);
  static int trap_handler(Driver& driver, kfd_ioctl_set_trap_handler_args& args);
  static int acquire(Driver& driver, kfd_ioctl_acquire_vm_args& args);
  static int xnack(Driver& driver, kfd_ioctl_set_xnack_mode_args& args);
  static int refuse(Driver& driver, const char* name, int error) {
    return driver.refuse(name, error);
  }

 private:
  static int move(Driver& driver, std::uint64_t handle, std::uint64_t devices, std::uint32_t count,
                  std::uint32_t& done, bool mapped);
};

}  // namespace rpl::kfd
