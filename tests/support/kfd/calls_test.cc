// SPDX-License-Identifier: MIT
// The served /dev/kfd, called in process as a program calls it: by request and address of a structure.
#include <gmock/gmock.h>
#include <libdrm/amdgpu_drm.h>

#include <cstring>

#include "tests/support/kfd/kfd_fixture.h"

namespace rpl::kfd {
namespace {

TEST_F(Kfd, SaysAVersionThatIsNotBelowTheHeaders) {
  kfd_ioctl_get_version_args args{};
  EXPECT_EQ(call(AMDKFD_IOC_GET_VERSION, args), 0);
  EXPECT_EQ(args.major_version, unsigned{KFD_IOCTL_MAJOR_VERSION});
  // Of headers that are later than what the device serves, this.
  constexpr unsigned kServed = 15;
  EXPECT_GE(args.minor_version, std::min(unsigned{KFD_IOCTL_MINOR_VERSION}, kServed));
}

TEST_F(Kfd, RefusesWhatTheKernelRefuses) {
  kfd_ioctl_get_version_args args{};
  EXPECT_EQ(call(_IOWR('K', 0x77, kfd_ioctl_get_version_args), args), -EINVAL);
  EXPECT_EQ(driver_->control_call(AMDKFD_IOC_GET_VERSION, 0), -EFAULT);
  EXPECT_EQ(driver_->control_call(AMDKFD_IOC_GET_VERSION, 0xdead0000), -EFAULT);
  kfd_ioctl_get_clock_counters_args clocks{};
  EXPECT_EQ(driver_->control_call(AMDKFD_IOC_GET_CLOCK_COUNTERS, 8), -EFAULT);
  EXPECT_EQ(call(AMDKFD_IOC_GET_CLOCK_COUNTERS, clocks), 0);
  EXPECT_EQ(clocks.gpu_clock_counter, 0U) << "of no device";
  kfd_ioctl_set_xnack_mode_args xnack{.xnack_enabled = -1};
  EXPECT_EQ(call(AMDKFD_IOC_SET_XNACK_MODE, xnack), 0);
  EXPECT_EQ(xnack.xnack_enabled, 0);
  xnack.xnack_enabled = 1;
  EXPECT_EQ(call(AMDKFD_IOC_SET_XNACK_MODE, xnack), -EPERM);
  kfd_ioctl_svm_args svm{};
  EXPECT_EQ(call(AMDKFD_IOC_SVM, svm), -EPERM);
}

TEST_F(Kfd, AStructureOfAnotherTimeIsTakenAsFarAsItGoes) {
  // An older program's: without the last field.
  struct Short {
    std::uint64_t gpu, cpu, system;
  } args{};
  const auto request = _IOWR('K', _IOC_NR(AMDKFD_IOC_GET_CLOCK_COUNTERS), Short);
  EXPECT_EQ(call(request, args), 0);
  EXPECT_NE(args.system, 0U);
}

TEST_F(Kfd, MemoryIsTheSameForProgramAndDevice) {
  const std::uint64_t address = shared(2 * kPageSize);
  at<std::uint64_t>(address + kPageSize) = 42;
  const auto view = driver_->machine.map.view();
  const std::byte* seen = view->at(address + kPageSize, 8);
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(std::memcmp(seen, reinterpret_cast<void*>(address + kPageSize), 8), 0);
  EXPECT_EQ(view->at(address + kPageSize, kPageSize + 1), nullptr);
}

TEST_F(Kfd, MemoryIsFreedOnceAndOnlyUnmapped) {
  const auto before = driver_->device_bytes_left();
  const auto args = allocate(kPageSize, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
  EXPECT_EQ(driver_->device_bytes_left(), before - kPageSize);
  ASSERT_EQ(map(args.handle), 0);
  kfd_ioctl_free_memory_of_gpu_args free{.handle = args.handle};
  EXPECT_EQ(call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, free), -EBUSY);
  EXPECT_EQ(map(args.handle, false), 0);
  EXPECT_EQ(driver_->machine.map.view()->at(args.va_addr, 1), nullptr);
  EXPECT_EQ(call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, free), 0);
  EXPECT_EQ(call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, free), -EINVAL);
  EXPECT_EQ(map(args.handle), -EINVAL);
  EXPECT_EQ(driver_->device_bytes_left(), before);
}

TEST_F(Kfd, WhatIsFreedComesBackAsZeros) {
  std::uint64_t handle = 0;
  const std::uint64_t address = shared(kPageSize, &handle);
  at<std::uint32_t>(address) = 7;
  ASSERT_EQ(map(handle, false), 0);
  kfd_ioctl_free_memory_of_gpu_args free{.handle = handle};
  ASSERT_EQ(call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, free), 0);
  EXPECT_EQ(at<std::uint32_t>(shared(kPageSize)), 0U);
}

TEST_F(Kfd, MemoryThatCannotBeIsNotGiven) {
  const auto good = allocate(kPageSize, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
  const auto refused = [&](auto change, int error) {
    auto args = good;
    change(args);
    EXPECT_EQ(call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args), error);
  };
  using Args = kfd_ioctl_alloc_memory_of_gpu_args;
  refused([](Args& args) { args.va_addr += 8; }, -EINVAL);
  refused([](Args& args) { args.size = 0; }, -EINVAL);
  refused([](Args& args) { args.size = ~std::uint64_t{0} - 4095; }, -EINVAL);
  refused([](Args& args) { args.gpu_id = 1; }, -EINVAL);
  refused([](Args& args) { args.flags = KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE; }, -EINVAL);
  refused([](Args& args) { args.flags |= KFD_IOC_ALLOC_MEM_FLAGS_GTT; }, -EINVAL);
  refused(
      [](Args& args) { args.va_addr = std::uint64_t{1} << 40, args.size = std::uint64_t{1} << 46; },
      -ENOMEM);
  refused(
      [](Args& args) {
        args.va_addr += kPageSize;
        args.flags = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR;
        args.mmap_offset = kPageSize;  // where no program has memory
      },
      -EFAULT);
}

// Addresses are the program's affair until the device is to see something there.
TEST_F(Kfd, TwoBuffersMayNotBeMappedAtOneAddress) {
  const auto first = allocate(2 * kPageSize, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
  auto second = first;
  second.va_addr += kPageSize;
  second.size = kPageSize;
  ASSERT_EQ(call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, second), 0);
  EXPECT_EQ(map(first.handle), 0);
  EXPECT_EQ(map(first.handle), 0) << "it is mapped";
  EXPECT_EQ(map(second.handle), -EINVAL);
  EXPECT_EQ(map(first.handle, false), 0);
  EXPECT_EQ(map(second.handle), 0);
}

// As hsa_amd_vmem_map does it: memory without an address, exported, imported by the render node and mapped there in parts.
TEST_F(Kfd, ExportedMemoryIsMappedThroughTheRenderNode) {
  kfd_ioctl_alloc_memory_of_gpu_args memory{};
  memory.size = 4 * kPageSize;
  memory.gpu_id = driver_->gpu_id();
  memory.flags = KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
  ASSERT_EQ(call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, memory), 0);
  EXPECT_EQ(map(memory.handle), -EINVAL) << "where?";
  ExportBuffer exported{.handle = memory.handle, .flags = O_CLOEXEC, .descriptor = 0};
  ASSERT_EQ(call(kExportBuffer, exported), 0);
  const int descriptor = static_cast<int>(exported.descriptor);
  EXPECT_EQ(::lseek(descriptor, 0, SEEK_END), static_cast<off_t>(memory.size));
  const auto render = [&](std::uint64_t request, auto& args) {
    return driver_->render_call(request, reinterpret_cast<std::uint64_t>(&args));
  };
  drm_prime_handle imported{.handle = 0, .flags = 0, .fd = descriptor};
  ASSERT_EQ(render(DRM_IOCTL_PRIME_FD_TO_HANDLE, imported), 0);
  const auto handle = imported.handle;
  EXPECT_EQ(render(DRM_IOCTL_PRIME_FD_TO_HANDLE, imported), 0);
  EXPECT_EQ(imported.handle, handle) << "the same buffer";
  ::close(descriptor);
  drm_amdgpu_gem_va va{};
  va.handle = handle;
  va.operation = AMDGPU_VA_OP_MAP;
  va.va_address = reserved_.take(2 * kPageSize);
  va.offset_in_bo = kPageSize;
  va.map_size = 2 * kPageSize;
  const auto request = DRM_IOWR(DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA, drm_amdgpu_gem_va);
  ASSERT_EQ(render(request, va), 0);
  EXPECT_EQ(render(request, va), -EINVAL) << "twice at one address";
  EXPECT_NE(driver_->machine.map.view()->at(va.va_address, 2 * kPageSize), nullptr);
  va.operation = AMDGPU_VA_OP_UNMAP;
  va.map_size = kPageSize;
  EXPECT_EQ(render(request, va), -EINVAL) << "not what was mapped";
  drm_gem_close close{.handle = handle, .pad = 0};
  EXPECT_EQ(render(DRM_IOCTL_GEM_CLOSE, close), 0);
  EXPECT_EQ(driver_->machine.map.view()->at(va.va_address, 1), nullptr);
  EXPECT_EQ(render(DRM_IOCTL_GEM_CLOSE, close), -EINVAL);
}

TEST_F(Kfd, AnEventTellsHowOftenItWasSet) {
  const auto made = event(KFD_IOC_EVENT_SIGNAL);
  kfd_event_data data{};
  data.event_id = made.event_id;
  const auto age = [&](std::uint64_t value) { std::memcpy(&data, &value, sizeof(value)); };
  const auto told = [&] {
    std::uint64_t value = 0;
    std::memcpy(&value, &data, sizeof(value));
    return value;
  };
  age(1);
  EXPECT_EQ(wait(data, 0), unsigned{KFD_IOC_WAIT_RESULT_TIMEOUT});
  kfd_ioctl_set_event_args set{.event_id = made.event_id, .pad = 0};
  ASSERT_EQ(call(AMDKFD_IOC_SET_EVENT, set), 0);
  EXPECT_EQ(wait(data, 0), unsigned{KFD_IOC_WAIT_RESULT_COMPLETE});
  EXPECT_EQ(told(), 2U);
  EXPECT_EQ(wait(data, 0), unsigned{KFD_IOC_WAIT_RESULT_TIMEOUT});
  age(1);
  EXPECT_EQ(wait(data, 0), unsigned{KFD_IOC_WAIT_RESULT_COMPLETE}) << "somebody else reset it";
}

TEST_F(Kfd, MemoryOfTheProgramIsSeenWhereItWasRegistered) {
  alignas(kPageSize) static std::byte own[kPageSize];
  kfd_ioctl_alloc_memory_of_gpu_args args{};
  args.va_addr = reserved_.take(kPageSize);
  args.size = kPageSize;
  args.gpu_id = driver_->gpu_id();
  args.flags = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR;
  args.mmap_offset = reinterpret_cast<std::uint64_t>(own);
  ASSERT_EQ(call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args), 0);
  ASSERT_EQ(map(args.handle), 0);
  EXPECT_EQ(driver_->machine.map.view()->at(args.va_addr + 16, 16), own + 16);
}

TEST_F(Kfd, EventsAreSetAndResetByTheWaitThatSawThem) {
  const auto made = event(KFD_IOC_EVENT_SIGNAL);
  EXPECT_EQ(made.event_slot_index, made.event_id);
  kfd_event_data data{};
  data.event_id = made.event_id;
  EXPECT_EQ(wait(data, 0), unsigned{KFD_IOC_WAIT_RESULT_TIMEOUT});
  kfd_ioctl_set_event_args set{.event_id = made.event_id, .pad = 0};
  ASSERT_EQ(call(AMDKFD_IOC_SET_EVENT, set), 0);
  EXPECT_EQ(wait(data, 0xffffffff), unsigned{KFD_IOC_WAIT_RESULT_COMPLETE});
  EXPECT_EQ(wait(data, 0), unsigned{KFD_IOC_WAIT_RESULT_TIMEOUT});
  kfd_ioctl_destroy_event_args destroy{.event_id = made.event_id, .pad = 0};
  EXPECT_EQ(call(AMDKFD_IOC_DESTROY_EVENT, destroy), 0);
  EXPECT_EQ(call(AMDKFD_IOC_DESTROY_EVENT, destroy), -EINVAL);
  EXPECT_EQ(call(AMDKFD_IOC_SET_EVENT, set), -EINVAL);
}

// From the packet to the woken thread: the doorbell is rung through a mapping of /dev/kfd, the signal names event and mailbox.
TEST_F(Kfd, AQueueWorksWhenItsDoorbellRings) {
  std::uint64_t page = 0;
  const std::uint64_t mailboxes = shared(8 * kPageSize, &page);
  const auto done = event(KFD_IOC_EVENT_SIGNAL, page);
  const std::uint64_t ring = shared(kPageSize), indexes = shared(kPageSize),
                      signal = shared(kPageSize);
  at<std::int64_t>(signal + 8) = 1;
  at<std::uint64_t>(signal + 16) = mailboxes + done.event_slot_index * 8;
  at<std::uint32_t>(signal + 24) = done.event_trigger_data;
  for (std::uint64_t i = 0; i < kPageSize; i += 64) at<std::uint16_t>(ring + i) = 1;
  auto args = queue(ring, indexes);
  ASSERT_EQ(call(AMDKFD_IOC_CREATE_QUEUE, args), 0);

  const int descriptor = driver_->control().open(O_CLOEXEC);
  constexpr std::uint64_t kInPage = Driver::kDoorbellBytes - 1;
  void* bells = ::mmap(nullptr, Driver::kDoorbellBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                       descriptor, static_cast<off_t>(args.doorbell_offset & ~kInPage));
  ::close(descriptor);
  ASSERT_NE(bells, MAP_FAILED);
  at<std::uint64_t>(ring + 56) = signal;
  at<std::uint64_t>(indexes + 56) = 1;
  at<std::uint16_t>(ring) = 3;  // waits for no signal
  at<std::uint64_t>(reinterpret_cast<std::uint64_t>(bells) + (args.doorbell_offset & kInPage)) = 0;

  kfd_event_data data{};
  data.event_id = done.event_id;
  EXPECT_EQ(wait(data, 0xffffffff), unsigned{KFD_IOC_WAIT_RESULT_COMPLETE});
  EXPECT_EQ(at<std::int64_t>(signal + 8), 0);
  EXPECT_EQ(at<std::uint64_t>(mailboxes + done.event_slot_index * 8), done.event_trigger_data);
  EXPECT_EQ(at<std::uint64_t>(indexes + 128), 1U);
  kfd_ioctl_destroy_queue_args destroy{.queue_id = args.queue_id, .pad = 0};
  EXPECT_EQ(call(AMDKFD_IOC_DESTROY_QUEUE, destroy), 0);
  EXPECT_EQ(call(AMDKFD_IOC_DESTROY_QUEUE, destroy), -EINVAL);
  ::munmap(bells, Driver::kDoorbellBytes);
}

TEST_F(Kfd, AQueueOutsideOfTheDevicesMemoryIsRefused) {
  const std::uint64_t ring = shared(kPageSize), indexes = shared(kPageSize);
  const auto refused = [&](auto change) {
    auto args = queue(ring, indexes);
    change(args);
    EXPECT_EQ(call(AMDKFD_IOC_CREATE_QUEUE, args), -EINVAL);
  };
  using Args = kfd_ioctl_create_queue_args;
  refused([](Args& args) { args.ring_base_address = 0xdead0000; });
  refused([](Args& args) { args.ring_size = 3000; });
  refused([](Args& args) { args.ring_size = 1U << 31; });
  refused([](Args& args) { args.read_pointer_address = 4; });
  refused([](Args& args) { args.write_pointer_address += 1; });
  refused([](Args& args) { args.queue_type = 99; });
  refused([](Args& args) { args.queue_percentage = 101; });
  refused([](Args& args) { args.queue_priority = 16; });
}

// A queue whose memory is taken away stops, and nothing else does.
TEST_F(Kfd, AQueueStopsWhenItsIndexesGo) {
  std::uint64_t handle = 0;
  const std::uint64_t ring = shared(kPageSize), indexes = shared(kPageSize, &handle);
  auto args = queue(ring, indexes);
  ASSERT_EQ(call(AMDKFD_IOC_CREATE_QUEUE, args), 0);
  ASSERT_EQ(map(handle, false), 0);
  kfd_ioctl_free_memory_of_gpu_args free{.handle = handle};
  ASSERT_EQ(call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, free), 0);
  kfd_ioctl_destroy_queue_args destroy{.queue_id = args.queue_id, .pad = 0};
  EXPECT_EQ(call(AMDKFD_IOC_DESTROY_QUEUE, destroy), 0);
}

}  // namespace
}  // namespace rpl::kfd
