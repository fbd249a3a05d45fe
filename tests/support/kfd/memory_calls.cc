// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/user_memory.h"

namespace rpl::kfd {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

bool is_range(std::uint64_t address, std::uint64_t bytes) {
  return bytes != 0 && address % kPageBytes == 0 && bytes % kPageBytes == 0 && address != 0 &&
         bytes <= Driver::kVirtualEnd && address <= Driver::kVirtualEnd - bytes;
}

}  // namespace

int Calls::allocate(Driver& driver, kfd_ioctl_alloc_memory_of_gpu_args& args) {
  using hsakmt::AddressMap;
  constexpr std::uint32_t kKinds =
      KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_USERPTR |
      KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL | KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP;
  if (args.gpu_id != driver.gpu_id() || !is_range(args.va_addr, args.size)) return -EINVAL;
  if ((args.flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM) != 0)
    return driver.refuse("a queue that is mapped twice", -EINVAL);
  AddressMap& map = driver.machine.map;
  Driver::Buffer buffer{.address = args.va_addr, .bytes = args.size};
  bool placed = false;
  switch (args.flags & kKinds) {
    case KFD_IOC_ALLOC_MEM_FLAGS_VRAM:
    case KFD_IOC_ALLOC_MEM_FLAGS_GTT: {
      const bool on_device = (args.flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM) != 0;
      if (on_device && args.size > map.device_bytes_left()) return -ENOMEM;
      const auto part = driver.memory_->take(args.size);
      if (!part) return -ENOMEM;
      args.mmap_offset = part->offset();
      placed = map.bind(args.va_addr, args.size, part->host(),
                        on_device ? AddressMap::kDeviceNode : AddressMap::kHostNode, part);
      break;
    }
    case KFD_IOC_ALLOC_MEM_FLAGS_USERPTR:
      if (!is_range(args.mmap_offset, args.size)) return -EINVAL;
      if (!is_mapped(args.mmap_offset, args.size)) return -EFAULT;
      buffer.use = Driver::Use::program;
      placed =
          map.bind(args.va_addr, args.size, reinterpret_cast<std::byte*>(args.mmap_offset),
                   AddressMap::kHostNode, nullptr);
      break;
    case KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL:
    case KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP: {
      const bool bells = (args.flags & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL) != 0;
      const auto& part = bells ? driver.doorbells_ : driver.registers_;
      if (args.size != part->bytes()) return -EINVAL;
      buffer.use = bells ? Driver::Use::doorbells : Driver::Use::registers;
      args.mmap_offset = part->offset();
      placed =
          map.bind(args.va_addr, args.size, part->host(), AddressMap::kHostNode, part);
      break;
    }
    default:
      return -EINVAL;
  }
  if (!placed) return -EINVAL;
  const std::lock_guard lock(driver.mutex_);
  args.handle = std::uint64_t{driver.gpu_id()} << 32 | driver.next_buffer_++;
  driver.buffers_[args.handle] = buffer;
  return 0;
}

int Calls::free(Driver& driver, kfd_ioctl_free_memory_of_gpu_args& args) {
  const std::lock_guard lock(driver.mutex_);
  const auto found = driver.buffers_.find(args.handle);
  if (found == driver.buffers_.end()) return -EINVAL;
  if (found->second.mapped) return -EBUSY;
  driver.machine.map.free(found->second.address);
  driver.buffers_.erase(found);
  return 0;
}

int Calls::move(Driver& driver, std::uint64_t handle, std::uint64_t devices, std::uint32_t count,
                std::uint32_t& done, bool mapped) {
  constexpr std::uint32_t kMost = 64;
  if (count == 0 || count > kMost || done > count) return -EINVAL;
  std::uint32_t ids[kMost];
  if (!copy_in(ids, devices, count * sizeof(ids[0]))) return -EFAULT;
  if (!std::all_of(ids, ids + count, [&](std::uint32_t id) { return id == driver.gpu_id(); }))
    return -EINVAL;
  const std::lock_guard lock(driver.mutex_);
  const auto found = driver.buffers_.find(handle);
  if (found == driver.buffers_.end()) return -EINVAL;
  if (found->second.mapped != mapped) {
    if (mapped) {
      driver.machine.map.map(found->second.address, found->second.bytes);
    } else {
      driver.machine.map.unmap(found->second.address);
    }
  }
  found->second.mapped = mapped;
  done = count;
  return 0;
}

int Calls::map(Driver& driver, kfd_ioctl_map_memory_to_gpu_args& args) {
  return move(driver, args.handle, args.device_ids_array_ptr, args.n_devices, args.n_success, true);
}

int Calls::unmap(Driver& driver, kfd_ioctl_unmap_memory_from_gpu_args& args) {
  return move(driver, args.handle, args.device_ids_array_ptr, args.n_devices, args.n_success,
              false);
}

int Calls::available(Driver& driver, kfd_ioctl_get_available_memory_args& args) {
  if (args.gpu_id != driver.gpu_id()) return -EINVAL;
  args.available = driver.machine.map.device_bytes_left();
  return 0;
}

}  // namespace rpl::kfd
