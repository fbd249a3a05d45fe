// SPDX-License-Identifier: MIT
#include <vector>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/user_memory.h"

namespace rpl::kfd {
namespace {

// What the percentage leaves of a word belongs to something else.
constexpr std::uint32_t kPercentage = 0xff;

bool may_run(std::uint32_t percentage, std::uint32_t priority) {
  return (percentage & kPercentage) <= KFD_MAX_QUEUE_PERCENTAGE &&
         priority <= KFD_MAX_QUEUE_PRIORITY;
}

}  // namespace

int Calls::create_queue(Driver& driver, kfd_ioctl_create_queue_args& args) {
  using hsakmt::QueueRing;
  constexpr std::uint64_t kWord = sizeof(std::uint64_t);
  if (args.gpu_id != driver.gpu_id() || args.ring_size < KFD_MIN_QUEUE_RING_SIZE ||
      !may_run(args.queue_percentage, args.queue_priority))
    return -EINVAL;
  QueueRing ring{.address = args.ring_base_address,
                 .bytes = args.ring_size,
                 .read_index = args.read_pointer_address,
                 .write_index = args.write_pointer_address};
  switch (args.queue_type) {
    case KFD_IOC_QUEUE_TYPE_COMPUTE_AQL:
      break;
    case KFD_IOC_QUEUE_TYPE_SDMA:
    case KFD_IOC_QUEUE_TYPE_SDMA_XGMI:
      ring.kind = QueueRing::Kind::copy;
      break;
    case KFD_IOC_QUEUE_TYPE_COMPUTE:
      return driver.refuse("a queue of PM4 packets", -EINVAL);
    default:
      return -EINVAL;
  }
  // Two threads may look for a number at once.
  static std::mutex choosing;
  const std::lock_guard lock(choosing);
  std::uint32_t number = 1;
  while (number < Driver::kDoorbellBytes / kWord && driver.machine.has_queue(number)) ++number;
  if (number == Driver::kDoorbellBytes / kWord) return -ENOMEM;
  auto* doorbell = reinterpret_cast<std::uint64_t*>(driver.doorbells_->host()) + number;
  if (!driver.machine.create_queue(number, ring, doorbell)) return -EINVAL;
  if ((args.queue_percentage & kPercentage) == 0) driver.machine.pause_queue(number, true);
  args.queue_id = number;
  args.doorbell_offset = driver.doorbells_->offset() + number * kWord;
  return 0;
}

int Calls::update_queue(Driver& driver, kfd_ioctl_update_queue_args& args) {
  if (!may_run(args.queue_percentage, args.queue_priority)) return -EINVAL;
  return driver.machine.pause_queue(args.queue_id, (args.queue_percentage & kPercentage) == 0)
             ? 0
             : -EINVAL;
}

int Calls::destroy_queue(Driver& driver, kfd_ioctl_destroy_queue_args& args) {
  return driver.machine.destroy_queue(args.queue_id) ? 0 : -EINVAL;
}

// All compute units are alike: which of them a queue may use changes nothing.
int Calls::set_unit_mask(Driver& driver, kfd_ioctl_set_cu_mask_args& args) {
  constexpr std::uint32_t kMostBits = 1024, kWordBits = 32;
  if (args.num_cu_mask == 0 || args.num_cu_mask % kWordBits != 0) return -EINVAL;
  std::vector<std::uint32_t> mask(std::min(args.num_cu_mask, kMostBits) / kWordBits);
  if (!copy_in(mask.data(), args.cu_mask_ptr, mask.size() * sizeof(mask[0]))) return -EFAULT;
  return driver.machine.has_queue(args.queue_id) ? 0 : -EINVAL;
}

}  // namespace rpl::kfd
