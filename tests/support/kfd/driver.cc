// SPDX-License-Identifier: MIT
#include "tests/support/kfd/driver.h"

#include <fmt/format.h>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/user_memory.h"

namespace rpl::kfd {
namespace {

constexpr std::uint64_t kPage = 4096;

// One that has nothing to do with its number, as the kernel's hash has not.
constexpr std::uint32_t kGpuId = 0x5250;

}  // namespace

std::unique_ptr<Driver> Driver::make(emu::hip::DeviceKind kind) {
  constexpr std::uint64_t kControlBytes = std::uint64_t{1} << 20,
                          kMemoryBytes = std::uint64_t{1} << 46;
  auto control = MemoryFile::make("kfd", kControlBytes);
  auto memory = MemoryFile::make("amdgpu", kMemoryBytes);
  if (!control || !memory) return nullptr;
  return std::make_unique<Driver>(std::move(kind), std::move(control), std::move(memory));
}

Driver::Driver(emu::hip::DeviceKind kind, std::shared_ptr<MemoryFile> control,
               std::shared_ptr<MemoryFile> memory)
    : machine(std::move(kind)),
      numbers(hsakmt::node_numbers(machine.kind)),
      control_(std::move(control)),
      memory_(std::move(memory)),
      gpu_id_(kGpuId),
      device_left_(machine.kind.memory_bytes) {
  // First of all, at offset 0: libhsakmt takes the offset of a doorbell apart into that of its page and the rest.
  doorbells_ = control_->take(kDoorbellBytes);
  registers_ = control_->take(kPage);
}

Driver::~Driver() { machine.destroy_queues(); }

std::uint64_t Driver::device_bytes_left() {
  const std::lock_guard lock(mutex_);
  return device_left_;
}

bool Driver::show(std::uint64_t address, std::uint64_t bytes, std::byte* host, bool on_device,
                  std::shared_ptr<MemoryFile::Part> part) {
  using hsakmt::AddressMap;
  const std::uint32_t node = on_device ? AddressMap::kDeviceNode : AddressMap::kHostNode;
  return machine.map.bind(address, bytes, host, node, std::move(part)) &&
         machine.map.map(address, bytes) == AddressMap::Outcome::done;
}

std::uint64_t Driver::keep(Buffer buffer) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t handle = std::uint64_t{gpu_id_} << 32 | next_buffer_++;
  device_left_ -= std::min(device_left_, buffer.counted);
  buffers_[handle] = std::move(buffer);
  return handle;
}

int Driver::refuse(const std::string& what, int error) {
  constexpr std::size_t kMost = 64;  // who asks for everything need not hear of all
  const std::lock_guard lock(mutex_);
  if (refused_.size() < kMost && refused_.insert(what).second)
    hsakmt::say(fmt::format("the program asked for {}, which this device does not have", what));
  return error;
}

// As kfd_ioctl() of the kernel: what the program passes may be shorter or longer than what the call knows.
int Driver::control_call(std::uint64_t request, std::uint64_t argument) {
  const Call* call = find_control_call(request);
  if (call == nullptr) return -EINVAL;
  const std::size_t given = _IOC_SIZE(request);
  std::vector<std::uint64_t> space(std::max(given, call->bytes) / sizeof(std::uint64_t) + 1);
  const bool reads = (call->request & IOC_IN) != 0, writes = (call->request & IOC_OUT) != 0;
  if (reads && !copy_in(space.data(), argument, given)) return -EFAULT;
  const int status = call->run(*this, space.data(), given);
  if (writes && !copy_out(argument, space.data(), given)) return -EFAULT;
  return status;
}

}  // namespace rpl::kfd
