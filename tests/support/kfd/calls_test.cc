// SPDX-License-Identifier: MIT
// The served /dev/kfd, called in process as a program calls it: by request and address of a structure.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libdrm/amdgpu_drm.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "tests/support/hsakmt/signal.h"
#include "tests/support/kfd/calls.h"
#include "tests/support/random.h"

namespace rpl::kfd {
namespace {

constexpr std::uint64_t kPageSize = 4096;

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

TEST_F(Kfd, SaysAVersionThatIsNotBelowTheHeaders) {
  kfd_ioctl_get_version_args args{};
  EXPECT_EQ(call(AMDKFD_IOC_GET_VERSION, args), 0);
  EXPECT_EQ(args.major_version, unsigned{KFD_IOCTL_MAJOR_VERSION});
  EXPECT_GE(args.minor_version, unsigned{KFD_IOCTL_MINOR_VERSION});
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

// Words that mean something by chance: small numbers, handles, addresses of memory that may be written, and anything.
class Hostile : public Kfd {
 protected:
  std::uint64_t word() {
    switch (random_.next() % 8) {
      case 0:
        return random_.next() % 8;
      case 1:
        return std::uint64_t{driver_->gpu_id()} << 32 | random_.next() % 40;
      case 2:
        return ours_ + random_.next() % 4 * kPageSize;
      case 3:
        return driver_->gpu_id() | (random_.next() % 2) << 32;
      case 4:
        return random_.next() % 2 == 0 ? kPageSize : random_.next() % 64 * kPageSize;
      case 5:
        return std::uint64_t{1} << random_.next() % 64;
      case 6:
        return reserved_at_ + random_.next() % 64 * kPageSize;
      default:
        return random_.next();
    }
  }

  test::Random random_{20261127};
  std::uint64_t ours_ = 0, reserved_at_ = 0;
};

TEST_F(Hostile, RandomCallsAreAnsweredAndTheDriverGoesOn) {
  ours_ = shared(4 * kPageSize);
  reserved_at_ = reserved_.take(64 * kPageSize);
  constexpr int kCalls = 20000;
  for (int i = 0; i < kCalls; ++i) {
    std::uint64_t words[64];
    for (std::uint64_t& each : words) each = word();
    const std::uint64_t number = random_.next() % (kEndOfCalls + 4);
    std::uint64_t bytes = random_.next() % 5 == 0 ? random_.next() % sizeof(words) : 0;
    const Call* known = find_control_call(number);
    if (bytes == 0) bytes = known == nullptr ? 16 : known->bytes;
    // A program may wait as long as it likes; this one does not.
    if (number == _IOC_NR(AMDKFD_IOC_WAIT_EVENTS)) {
      std::uint32_t zero = 0;
      std::memcpy(
          reinterpret_cast<std::byte*>(words) + offsetof(kfd_ioctl_wait_events_args, timeout),
          &zero, sizeof(zero));
    }
    const std::uint64_t address =
        random_.next() % 16 == 0 ? word() : reinterpret_cast<std::uint64_t>(words);
    if (address >= ours_ && address < ours_ + 4 * kPageSize) continue;
    const int result = driver_->control_call(
        std::uint64_t{_IOC(_IOC_READ | _IOC_WRITE, 'K', number, bytes)}, address);
    ASSERT_LE(result, 0);
    ASSERT_GT(result, -4096);
    if (random_.next() % 16 == 0) {
      const auto query = random_.next() % 64;
      ASSERT_LE(driver_->render_call(_IOC(_IOC_READ | _IOC_WRITE, 'd', query, 64), address), 0);
    }
  }
  kfd_ioctl_get_version_args args{};
  EXPECT_EQ(call(AMDKFD_IOC_GET_VERSION, args), 0);
  std::uint64_t handle = 0;
  EXPECT_NE(shared(kPageSize, &handle), 0U);
}

// What would be right, but for one word of it.
TEST_F(Hostile, DamagedStructuresHurtNothingElse) {
  std::uint64_t page = 0;
  ours_ = shared(8 * kPageSize, &page);
  reserved_at_ = reserved_.take(64 * kPageSize);
  std::uint32_t id = driver_->gpu_id();
  const auto signal = event(KFD_IOC_EVENT_SIGNAL, page);
  kfd_event_data data{};
  data.event_id = signal.event_id;
  const int descriptor = driver_->control().open(O_CLOEXEC);
  auto* const bells = static_cast<std::uint64_t*>(
      ::mmap(nullptr, Driver::kDoorbellBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
  ::close(descriptor);
  ASSERT_NE(bells, MAP_FAILED);
  std::vector<std::uint32_t> queues;
  const auto damaged = [&](std::uint64_t request, auto& args) {
    std::uint64_t words[(sizeof(args) + 7) / 8] = {};
    std::memcpy(words, &args, sizeof(args));
    if (random_.below(4) != 0) {
      const auto at = random_.below(std::size(words));
      words[at] =
          random_.below(2) == 0 ? word() : words[at] ^ std::uint64_t{1} << random_.below(64);
    }
    std::memcpy(&args, words, sizeof(args));
    const int result = call(request, args);
    EXPECT_LE(result, 0);
    EXPECT_GT(result, -4096);
    return result == 0;
  };
  constexpr int kRounds = 1500;
  for (int i = 0; i < kRounds; ++i) {
    kfd_ioctl_alloc_memory_of_gpu_args memory{};
    memory.va_addr = reserved_at_ + random_.below(32) * kPageSize;
    memory.size = kPageSize;
    memory.gpu_id = id;
    memory.flags = 1U << random_.below(3);
    memory.mmap_offset = ours_;
    damaged(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, memory);
    kfd_ioctl_map_memory_to_gpu_args mapped{};
    mapped.handle = memory.handle;
    mapped.device_ids_array_ptr = reinterpret_cast<std::uint64_t>(&id);
    mapped.n_devices = 1;
    damaged(AMDKFD_IOC_MAP_MEMORY_TO_GPU, mapped);
    for (std::uint64_t at = ours_ + 4 * kPageSize; at < ours_ + 6 * kPageSize; at += 8)
      this->at<std::uint64_t>(at) = word();
    auto made = queue(ours_ + 4 * kPageSize, ours_ + 5 * kPageSize);
    made.queue_type = static_cast<std::uint32_t>(random_.below(4));
    if (damaged(AMDKFD_IOC_CREATE_QUEUE, made)) {
      queues.push_back(made.queue_id);
      bells[made.queue_id] = 0;
    }
    kfd_ioctl_wait_events_args waiting{};
    waiting.events_ptr = reinterpret_cast<std::uint64_t>(&data);
    waiting.num_events = 1;
    if (random_.below(2) == 0) {
      kfd_ioctl_set_event_args set{.event_id = signal.event_id, .pad = 0};
      damaged(AMDKFD_IOC_SET_EVENT, set);
    }
    call(AMDKFD_IOC_WAIT_EVENTS, waiting);
    kfd_ioctl_unmap_memory_from_gpu_args unmapped{};
    unmapped.handle = memory.handle;
    unmapped.device_ids_array_ptr = reinterpret_cast<std::uint64_t>(&id);
    unmapped.n_devices = 1;
    damaged(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, unmapped);
    kfd_ioctl_free_memory_of_gpu_args freed{.handle = memory.handle};
    damaged(AMDKFD_IOC_FREE_MEMORY_OF_GPU, freed);
    if (queues.size() > 4) {
      kfd_ioctl_destroy_queue_args destroy{.queue_id = queues.back(), .pad = 0};
      if (damaged(AMDKFD_IOC_DESTROY_QUEUE, destroy)) queues.pop_back();
    }
  }
  EXPECT_FALSE(queues.empty()) << "some were right";
  ::munmap(bells, Driver::kDoorbellBytes);
}

TEST_F(Hostile, TheFilesBehindDescriptorsKeepTheirSize) {
  for (const MemoryFile* file : {&driver_->control(), &driver_->memory()}) {
    const int descriptor = file->open(O_CLOEXEC);
    EXPECT_NE(::ftruncate(descriptor, 0), 0);
    EXPECT_NE(::ftruncate(descriptor, off_t{1} << 50), 0);
    ::close(descriptor);
  }
}

}  // namespace
}  // namespace rpl::kfd
