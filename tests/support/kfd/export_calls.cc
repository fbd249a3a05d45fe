// SPDX-License-Identifier: MIT
// Buffers that leave /dev/kfd by a descriptor. It is of an empty file as long as the buffer, by whose inode the driver knows what it stands
// for: in this process alone, and not to be mapped.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/user_memory.h"

namespace rpl::kfd {

std::shared_ptr<MemoryFile::Part> Driver::exported(int descriptor, bool& on_device) const {
  struct stat facts{};
  if (::syscall(SYS_fstat, descriptor, &facts) != 0) return nullptr;
  const auto found = exported_.find(facts.st_ino);
  if (found == exported_.end()) return nullptr;
  on_device = found->second.on_device;
  return found->second.part.lock();
}

int Calls::export_buffer(Driver& driver, ExportBuffer& args) {
  const std::lock_guard lock(driver.mutex_);
  const auto found = driver.buffers_.find(args.handle);
  if (found == driver.buffers_.end() || !found->second.part ||
      (args.flags & ~static_cast<unsigned>(O_CLOEXEC)) != 0)
    return -EINVAL;
  const int descriptor = ::memfd_create("dmabuf", (args.flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0U);
  if (descriptor < 0) return -EMFILE;
  struct stat facts{};
  if (::ftruncate(descriptor, static_cast<off_t>(found->second.bytes)) != 0 ||
      ::syscall(SYS_fstat, descriptor, &facts) != 0) {
    ::close(descriptor);
    return -ENOMEM;
  }
  std::erase_if(driver.exported_, [](const auto& each) { return each.second.part.expired(); });
  driver.exported_[facts.st_ino] = {.part = found->second.part,
                                    .on_device = found->second.on_device};
  args.descriptor = static_cast<std::uint32_t>(descriptor);
  return 0;
}

int Calls::buffer_facts(Driver& driver, kfd_ioctl_get_dmabuf_info_args& args) {
  const std::lock_guard lock(driver.mutex_);
  bool on_device = false;
  const auto part = driver.exported(static_cast<int>(args.dmabuf_fd), on_device);
  if (!part) return -EINVAL;
  args.size = part->bytes();
  args.metadata_size = 0;
  args.gpu_id = driver.gpu_id();
  args.flags = on_device ? KFD_IOC_ALLOC_MEM_FLAGS_VRAM : KFD_IOC_ALLOC_MEM_FLAGS_GTT;
  return 0;
}

int Calls::import_buffer(Driver& driver, kfd_ioctl_import_dmabuf_args& args) {
  constexpr std::uint64_t kPage = 4096;
  if (args.gpu_id != driver.gpu_id() || args.va_addr % kPage != 0 ||
      args.va_addr >= Driver::kVirtualEnd)
    return -EINVAL;
  Driver::Buffer buffer;
  buffer.address = args.va_addr;
  {
    const std::lock_guard lock(driver.mutex_);
    buffer.part = driver.exported(static_cast<int>(args.dmabuf_fd), buffer.on_device);
  }
  if (!buffer.part) return -EINVAL;
  buffer.bytes = buffer.part->bytes();
  buffer.host = buffer.part->host();
  args.handle = driver.keep(std::move(buffer));
  return 0;
}

}  // namespace rpl::kfd
