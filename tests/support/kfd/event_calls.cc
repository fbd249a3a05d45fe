// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstring>
#include <optional>
#include <vector>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/user_memory.h"

namespace rpl::kfd {
namespace {

using hsakmt::Events;

static_assert(Events::kMost == KFD_SIGNAL_EVENT_LIMIT);

int known_event(bool is_known) { return is_known ? 0 : -EINVAL; }

std::optional<std::chrono::milliseconds> wait_time(std::uint32_t milliseconds) {
  constexpr std::uint32_t kForever = 0xffffffff;
  if (milliseconds == kForever) return std::nullopt;
  return std::chrono::milliseconds(milliseconds);
}

// Since 1.14 a signal's event begins with how often the program knows that it was set.
std::uint64_t age_of(const kfd_event_data& event) {
  std::uint64_t age = 0;
  std::memcpy(&age, &event, sizeof(age));
  return age;
}

}  // namespace

int Calls::create_event(Driver& driver, kfd_ioctl_create_event_args& args) {
  const bool of_signals =
      args.event_type == KFD_IOC_EVENT_SIGNAL || args.event_type == KFD_IOC_EVENT_DEBUG_EVENT;
  if (args.event_type > KFD_IOC_EVENT_MEMORY) return -EINVAL;
  const std::lock_guard lock(driver.mutex_);
  // The page of mailboxes is the program's, named by its handle; only who made it writes there.
  if (args.event_page_offset != 0) {
    const auto page = driver.buffers_.find(args.event_page_offset);
    if (page == driver.buffers_.end() || page->second.bytes < Events::kMost * sizeof(std::uint64_t))
      return -EINVAL;
  }
  const std::uint32_t id = driver.machine.events.create(args.auto_reset == 0, false, of_signals);
  if (id == 0) return -ENOSPC;
  if (args.event_type == KFD_IOC_EVENT_MEMORY) {
    driver.fault_events_.insert(id);
    driver.machine.watch_faults(id);
  }
  args.event_id = id;
  args.event_trigger_data = args.event_slot_index = 0;
  if (of_signals) {
    constexpr std::uint64_t kEventPage = std::uint64_t{1}
                                         << 62;  // as of mmap(), which nobody calls
    args.event_trigger_data = args.event_slot_index = id;
    args.event_page_offset = kEventPage;
  }
  return 0;
}

int Calls::destroy_event(Driver& driver, kfd_ioctl_destroy_event_args& args) {
  {
    const std::lock_guard lock(driver.mutex_);
    driver.fault_events_.erase(args.event_id);
  }
  return known_event(driver.machine.events.destroy(args.event_id));
}

int Calls::set_event(Driver& driver, kfd_ioctl_set_event_args& args) {
  return known_event(driver.machine.events.set(args.event_id));
}

int Calls::reset_event(Driver& driver, kfd_ioctl_reset_event_args& args) {
  return known_event(driver.machine.events.reset(args.event_id));
}

int Calls::wait_events(Driver& driver, kfd_ioctl_wait_events_args& args) {
  if (args.num_events == 0 || args.num_events > Events::kMost) return -EINVAL;
  std::vector<kfd_event_data> data(args.num_events);
  if (!copy_in(data.data(), args.events_ptr, data.size() * sizeof(data[0]))) return -EFAULT;
  std::vector<std::uint32_t> ids;
  std::vector<std::uint64_t> ages;
  for (const auto& event : data) {
    ids.push_back(event.event_id);
    ages.push_back(age_of(event));
  }
  const auto outcome =
      driver.machine.events.wait(ids, ages, args.wait_for_all != 0, wait_time(args.timeout));
  if (outcome == Events::Outcome::invalid) {
    args.wait_result = KFD_IOC_WAIT_RESULT_FAIL;
    return -EINVAL;
  }
  if (outcome == Events::Outcome::timeout) {
    args.wait_result = KFD_IOC_WAIT_RESULT_TIMEOUT;
    return 0;
  }
  args.wait_result = KFD_IOC_WAIT_RESULT_COMPLETE;
  const std::uint64_t fault = driver.machine.fault_address();
  {
    const std::lock_guard lock(driver.mutex_);
    for (std::size_t i = 0; i < data.size(); ++i) {
      kfd_event_data& event = data[i];
      if (ages[i] != 0) std::memcpy(&event, &ages[i], sizeof(ages[i]));
      if (fault == 0 || !driver.fault_events_.contains(event.event_id)) continue;
      event.memory_exception_data = {};
      event.memory_exception_data.failure.NotPresent = 1;
      event.memory_exception_data.va = fault;
      event.memory_exception_data.gpu_id = driver.gpu_id();
    }
  }
  return copy_out(args.events_ptr, data.data(), data.size() * sizeof(data[0])) ? 0 : -EFAULT;
}

}  // namespace rpl::kfd
