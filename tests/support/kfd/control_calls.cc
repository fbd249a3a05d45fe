// SPDX-License-Identifier: MIT
// Which call is served by what, and what is asked about the device.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/user_memory.h"

namespace rpl::kfd {
namespace {

template <class Args, int (*kServe)(Driver&, Args&)>
int serve(Driver& driver, void* arguments, std::size_t) {
  return kServe(driver, *static_cast<Args*>(arguments));
}

#define RPL_SERVED(request, args, function) \
  {request, sizeof(args), #request, serve<args, Calls::function>}
// What the device does not have: the errno is that of a kernel or a device without it.
#define RPL_REFUSED(request, args, error) \
  {request, sizeof(args), #request,       \
   [](Driver& driver, void*, std::size_t) { return Calls::refuse(driver, #request, -(error)); }}

constexpr Call kCalls[] = {
    RPL_SERVED(AMDKFD_IOC_GET_VERSION, kfd_ioctl_get_version_args, version),
    RPL_SERVED(AMDKFD_IOC_CREATE_QUEUE, kfd_ioctl_create_queue_args, create_queue),
    RPL_SERVED(AMDKFD_IOC_DESTROY_QUEUE, kfd_ioctl_destroy_queue_args, destroy_queue),
    RPL_SERVED(AMDKFD_IOC_SET_MEMORY_POLICY, kfd_ioctl_set_memory_policy_args, memory_policy),
    RPL_SERVED(AMDKFD_IOC_GET_CLOCK_COUNTERS, kfd_ioctl_get_clock_counters_args, clocks),
    RPL_SERVED(AMDKFD_IOC_GET_PROCESS_APERTURES, kfd_ioctl_get_process_apertures_args, apertures),
    RPL_SERVED(AMDKFD_IOC_UPDATE_QUEUE, kfd_ioctl_update_queue_args, update_queue),
    RPL_SERVED(AMDKFD_IOC_CREATE_EVENT, kfd_ioctl_create_event_args, create_event),
    RPL_SERVED(AMDKFD_IOC_DESTROY_EVENT, kfd_ioctl_destroy_event_args, destroy_event),
    RPL_SERVED(AMDKFD_IOC_SET_EVENT, kfd_ioctl_set_event_args, set_event),
    RPL_SERVED(AMDKFD_IOC_RESET_EVENT, kfd_ioctl_reset_event_args, reset_event),
    RPL_SERVED(AMDKFD_IOC_WAIT_EVENTS, kfd_ioctl_wait_events_args, wait_events),
    RPL_REFUSED(AMDKFD_IOC_DBG_REGISTER_DEPRECATED, kfd_ioctl_dbg_register_args, EPERM),
    RPL_REFUSED(AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED, kfd_ioctl_dbg_unregister_args, EPERM),
    RPL_REFUSED(AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED, kfd_ioctl_dbg_address_watch_args, EPERM),
    RPL_REFUSED(AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED, kfd_ioctl_dbg_wave_control_args, EPERM),
    RPL_SERVED(AMDKFD_IOC_SET_SCRATCH_BACKING_VA, kfd_ioctl_set_scratch_backing_va_args, scratch),
    RPL_SERVED(AMDKFD_IOC_GET_TILE_CONFIG, kfd_ioctl_get_tile_config_args, tiles),
    RPL_SERVED(AMDKFD_IOC_SET_TRAP_HANDLER, kfd_ioctl_set_trap_handler_args, trap_handler),
    RPL_SERVED(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, kfd_ioctl_get_process_apertures_new_args,
               apertures_new),
    RPL_SERVED(AMDKFD_IOC_ACQUIRE_VM, kfd_ioctl_acquire_vm_args, acquire),
    RPL_SERVED(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, kfd_ioctl_alloc_memory_of_gpu_args, allocate),
    RPL_SERVED(AMDKFD_IOC_FREE_MEMORY_OF_GPU, kfd_ioctl_free_memory_of_gpu_args, free),
    RPL_SERVED(AMDKFD_IOC_MAP_MEMORY_TO_GPU, kfd_ioctl_map_memory_to_gpu_args, map),
    RPL_SERVED(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, kfd_ioctl_unmap_memory_from_gpu_args, unmap),
    RPL_SERVED(AMDKFD_IOC_SET_CU_MASK, kfd_ioctl_set_cu_mask_args, set_unit_mask),
    RPL_REFUSED(AMDKFD_IOC_GET_QUEUE_WAVE_STATE, kfd_ioctl_get_queue_wave_state_args, EINVAL),
    RPL_SERVED(AMDKFD_IOC_GET_DMABUF_INFO, kfd_ioctl_get_dmabuf_info_args, buffer_facts),
    RPL_SERVED(AMDKFD_IOC_IMPORT_DMABUF, kfd_ioctl_import_dmabuf_args, import_buffer),
    RPL_REFUSED(AMDKFD_IOC_ALLOC_QUEUE_GWS, kfd_ioctl_alloc_queue_gws_args, ENODEV),
    RPL_REFUSED(AMDKFD_IOC_SMI_EVENTS, kfd_ioctl_smi_events_args, EINVAL),
    RPL_REFUSED(AMDKFD_IOC_SVM, kfd_ioctl_svm_args, EPERM),
    RPL_SERVED(AMDKFD_IOC_SET_XNACK_MODE, kfd_ioctl_set_xnack_mode_args, xnack),
    RPL_REFUSED(AMDKFD_IOC_CRIU_OP, kfd_ioctl_criu_args, EPERM),
    RPL_SERVED(AMDKFD_IOC_AVAILABLE_MEMORY, kfd_ioctl_get_available_memory_args, available),
    RPL_SERVED(kExportBuffer, ExportBuffer, export_buffer),
};

#undef RPL_REFUSED
#undef RPL_SERVED

kfd_process_device_apertures apertures_of(const Driver& driver) {
  constexpr std::uint64_t kFirst = std::uint64_t{16} << 20;
  return {.lds_base = hsakmt::lds_aperture(),
          .lds_limit = hsakmt::lds_aperture() + hsakmt::kApertureBytes - 1,
          .scratch_base = hsakmt::scratch_aperture(),
          .scratch_limit = hsakmt::scratch_aperture() + hsakmt::kApertureBytes - 1,
          .gpuvm_base = kFirst,
          .gpuvm_limit = Driver::kVirtualEnd - 1,
          .gpu_id = driver.gpu_id(),
          .pad = 0};
}

int known(const Driver& driver, std::uint32_t gpu_id) {
  return gpu_id == driver.gpu_id() ? 0 : -EINVAL;
}

}  // namespace

// By the number alone, as the kernel looks it up: the size in a request is the program's.
const Call* find_control_call(std::uint64_t request) {
  const auto found = std::ranges::find_if(
      kCalls, [&](const Call& call) { return _IOC_NR(call.request) == _IOC_NR(request); });
  return found == std::end(kCalls) ? nullptr : found;
}

int Calls::version(Driver&, kfd_ioctl_get_version_args& args) {
  args = {KFD_IOCTL_MAJOR_VERSION, kServedMinor};
  return 0;
}

int Calls::clocks(Driver& driver, kfd_ioctl_get_clock_counters_args& args) {
  constexpr std::uint64_t kNsPerS = 1'000'000'000;
  args.system_clock_counter = args.cpu_clock_counter = hsakmt::system_ns();
  args.system_clock_freq = kNsPerS;
  args.gpu_clock_counter =
      args.gpu_id == driver.gpu_id() ? hsakmt::device_ticks(driver.machine.kind) : 0;
  return 0;
}

int Calls::apertures(Driver& driver, kfd_ioctl_get_process_apertures_args& args) {
  args = {};
  args.process_apertures[0] = apertures_of(driver);
  args.num_of_nodes = 1;
  return 0;
}

int Calls::apertures_new(Driver& driver, kfd_ioctl_get_process_apertures_new_args& args) {
  const std::uint32_t room = args.num_of_nodes;
  args.num_of_nodes = 1;
  if (room == 0) return 0;
  const auto all = apertures_of(driver);
  return copy_out(args.kfd_process_device_apertures_ptr, &all, sizeof(all)) ? 0 : -EFAULT;
}

// GFX9 has no tables of tile modes; the arrays of the caller stay as they are.
int Calls::tiles(Driver& driver, kfd_ioctl_get_tile_config_args& args) {
  if (const int error = known(driver, args.gpu_id)) return error;
  args.num_tile_configs = args.num_macro_tile_configs = 0;
  args.gb_addr_config = driver.numbers.address_config;
  args.num_banks = args.num_ranks = 0;
  return 0;
}

int Calls::memory_policy(Driver& driver, kfd_ioctl_set_memory_policy_args& args) {
  return known(driver, args.gpu_id);
}

int Calls::scratch(Driver& driver, kfd_ioctl_set_scratch_backing_va_args& args) {
  return known(driver, args.gpu_id);
}

int Calls::trap_handler(Driver& driver, kfd_ioctl_set_trap_handler_args& args) {
  return known(driver, args.gpu_id);
}

int Calls::acquire(Driver& driver, kfd_ioctl_acquire_vm_args& args) {
  struct stat facts{};
  if (::syscall(SYS_fstat, args.drm_fd, &facts) != 0 ||
      !driver.memory().is(facts.st_dev, facts.st_ino))
    return -EINVAL;
  return known(driver, args.gpu_id);
}

// Page faults of kernels are not served: who asks for the mode hears that it is off.
int Calls::xnack(Driver&, kfd_ioctl_set_xnack_mode_args& args) {
  if (args.xnack_enabled > 0) return -EPERM;
  args.xnack_enabled = 0;
  return 0;
}

}  // namespace rpl::kfd
