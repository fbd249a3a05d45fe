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
  constexpr std::uint32_t kKinds =
      KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_USERPTR |
      KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL | KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP;
  if (args.gpu_id != driver.gpu_id() || args.size == 0 || args.size % kPageBytes != 0 ||
      (args.va_addr != 0 && !is_range(args.va_addr, args.size)))
    return -EINVAL;
  if ((args.flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM) != 0)
    return driver.refuse("a queue that is mapped twice", -EINVAL);
  Driver::Buffer buffer;
  buffer.address = args.va_addr;
  buffer.bytes = args.size;
  switch (args.flags & kKinds) {
    case KFD_IOC_ALLOC_MEM_FLAGS_VRAM:
    case KFD_IOC_ALLOC_MEM_FLAGS_GTT:
      buffer.on_device = (args.flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM) != 0;
      if (buffer.on_device && args.size > driver.device_bytes_left()) return -ENOMEM;
      buffer.part = driver.memory_->take(args.size);
      if (!buffer.part) return -ENOMEM;
      buffer.counted = buffer.on_device ? args.size : 0;
      break;
    case KFD_IOC_ALLOC_MEM_FLAGS_USERPTR:
      if (!is_range(args.mmap_offset, args.size)) return -EINVAL;
      if (!is_mapped(args.mmap_offset, args.size)) return -EFAULT;
      buffer.host = reinterpret_cast<std::byte*>(args.mmap_offset);
      break;
    case KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL:
      buffer.part = driver.doorbells_;
      break;
    case KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP:
      buffer.part = driver.registers_;
      break;
    default:
      return -EINVAL;
  }
  if (buffer.part) {
    if (buffer.part->bytes() != args.size) return -EINVAL;
    args.mmap_offset = buffer.part->offset();
    buffer.host = buffer.part->host();
  }
  args.handle = driver.keep(std::move(buffer));
  return 0;
}

int Calls::free(Driver& driver, kfd_ioctl_free_memory_of_gpu_args& args) {
  const std::lock_guard lock(driver.mutex_);
  const auto found = driver.buffers_.find(args.handle);
  if (found == driver.buffers_.end()) return -EINVAL;
  if (found->second.mapped) return -EBUSY;
  driver.device_left_ += found->second.counted;
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
  if (found == driver.buffers_.end() || found->second.address == 0) return -EINVAL;
  Driver::Buffer& buffer = found->second;
  if (mapped && !buffer.mapped) {
    if (!driver.show(buffer.address, buffer.bytes, buffer.host, buffer.on_device, buffer.part))
      return -EINVAL;
  } else if (!mapped && buffer.mapped) {
    driver.machine.map.free(buffer.address);
  }
  buffer.mapped = mapped;
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
  args.available = driver.device_bytes_left();
  return 0;
}

}  // namespace rpl::kfd
