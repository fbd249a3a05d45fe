// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/kfd/calls.h"

namespace rpl::kfd {

inline constexpr std::uint64_t kPageSize = 4096;

/// Addresses of this process that nobody else uses, in which a program places what it allocates, as libhsakmt does.
class Reserved {
 public:
  Reserved()
      : base_(::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {}
  ~Reserved() { ::munmap(base_, kBytes); }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  std::uint64_t take(std::uint64_t bytes) {
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(base_) + used_;
    used_ += bytes;
    return at;
  }

 private:
  static constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
  void* base_;
  std::uint64_t used_ = 0;
};

class Kfd : public testing::Test {
 protected:
  Kfd() : driver_(Driver::make(*emu::hip::device_kind("gfx90a"))) {}

  template <class Args>
  int call(std::uint64_t request, Args& args) {
    return driver_->control_call(request, reinterpret_cast<std::uint64_t>(&args));
  }

  kfd_ioctl_alloc_memory_of_gpu_args allocate(std::uint64_t bytes, std::uint32_t flags) {
    kfd_ioctl_alloc_memory_of_gpu_args args{};
    args.va_addr = reserved_.take(bytes);
    args.size = bytes;
    args.gpu_id = driver_->gpu_id();
    args.flags = flags | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
    EXPECT_EQ(call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args), 0);
    return args;
  }
  int map(std::uint64_t handle, bool mapped = true) {
    std::uint32_t id = driver_->gpu_id();
    kfd_ioctl_map_memory_to_gpu_args args{};
    args.handle = handle;
    args.device_ids_array_ptr = reinterpret_cast<std::uint64_t>(&id);
    args.n_devices = 1;
    return call(mapped ? AMDKFD_IOC_MAP_MEMORY_TO_GPU : AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, args);
  }
  /// Memory that program and device share, at one address for both.
  std::uint64_t shared(std::uint64_t bytes, std::uint64_t* handle = nullptr) {
    const auto args = allocate(bytes, KFD_IOC_ALLOC_MEM_FLAGS_GTT);
    EXPECT_EQ(map(args.handle), 0);
    const int descriptor = driver_->memory().open(O_CLOEXEC);
    void* at = ::mmap(reinterpret_cast<void*>(args.va_addr), bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED, descriptor, static_cast<off_t>(args.mmap_offset));
    EXPECT_NE(at, MAP_FAILED);
    ::close(descriptor);
    if (handle != nullptr) *handle = args.handle;
    return args.va_addr;
  }
  kfd_ioctl_create_event_args event(std::uint32_t type, std::uint64_t page = 0) {
    kfd_ioctl_create_event_args args{};
    args.event_type = type;
    args.auto_reset = 1;
    args.event_page_offset = page;
    EXPECT_EQ(call(AMDKFD_IOC_CREATE_EVENT, args), 0);
    return args;
  }
  std::uint32_t wait(kfd_event_data& data, std::uint32_t timeout) {
    kfd_ioctl_wait_events_args args{};
    args.events_ptr = reinterpret_cast<std::uint64_t>(&data);
    args.num_events = 1;
    args.timeout = timeout;
    EXPECT_EQ(call(AMDKFD_IOC_WAIT_EVENTS, args), 0);
    return args.wait_result;
  }
  kfd_ioctl_create_queue_args queue(std::uint64_t ring, std::uint64_t indexes) {
    kfd_ioctl_create_queue_args args{};
    args.gpu_id = driver_->gpu_id();
    args.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
    args.queue_percentage = KFD_MAX_QUEUE_PERCENTAGE;
    args.ring_base_address = ring;
    args.ring_size = kPageSize;
    args.read_pointer_address = indexes + 128;
    args.write_pointer_address = indexes + 56;
    return args;
  }
  template <class T>
  static T& at(std::uint64_t address) {
    return *reinterpret_cast<T*>(address);
  }

  Reserved reserved_;
  std::unique_ptr<Driver> driver_;
};

}  // namespace rpl::kfd
