// SPDX-License-Identifier: MIT
// What no program should do with the served /dev/kfd hurts nothing but the program.
#include <cstring>

#include "tests/support/kfd/kfd_fixture.h"
#include "tests/support/random.h"

namespace rpl::kfd {
namespace {

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
