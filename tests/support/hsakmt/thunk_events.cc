// SPDX-License-Identifier: MIT
#include <optional>
#include <vector>

#include "tests/support/hsakmt/thunk.h"

namespace {

using rpl::hsakmt::Driver;
using rpl::hsakmt::Events;

HSAKMT_STATUS known(bool is_known) {
  return is_known ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_INVALID_HANDLE;
}

std::optional<std::chrono::milliseconds> timeout_of(HSAuint32 milliseconds) {
  if (milliseconds == HSA_EVENTTIMEOUT_INFINITE) return std::nullopt;
  return std::chrono::milliseconds(milliseconds);
}

void describe_fault(HsaEvent& event) {
  HsaMemoryAccessFault& fault = event.EventData.EventData.MemoryAccessFault;
  fault = {};
  fault.NodeId = 1;
  fault.VirtualAddress = Driver::get().machine.fault_address();
  fault.Failure.NotPresent = 1;
  fault.Flags = HSA_EVENTID_MEMORY_FATAL_PROCESS;
}

}  // namespace

extern "C" {

HSAKMT_STATUS hsaKmtCreateEvent(HsaEventDescriptor* description, bool reset_by_hand, bool is_set,
                                HsaEvent** event) {
  RPL_NEEDS_OPEN();
  if (description == nullptr || event == nullptr || description->EventType >= HSA_EVENTTYPE_MAXID)
    return HSAKMT_STATUS_INVALID_PARAMETER;
  Driver& driver = Driver::get();
  const std::uint32_t id = driver.machine.events.create(
      reset_by_hand, is_set, description->EventType == HSA_EVENTTYPE_SIGNAL);
  if (id == 0) return HSAKMT_STATUS_OUT_OF_RESOURCES;
  if (description->EventType == HSA_EVENTTYPE_MEMORY) driver.machine.watch_faults(id);
  auto* made = new HsaEvent{};
  made->EventId = id;
  made->EventData.EventType = description->EventType;
  made->EventData.EventData.SyncVar = description->SyncVar;
  made->EventData.HWData1 = id;
  made->EventData.HWData2 = reinterpret_cast<HSAuint64>(driver.mailbox(id));
  made->EventData.HWData3 = id;
  *event = made;
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtDestroyEvent(HsaEvent* event) {
  RPL_NEEDS_OPEN();
  if (event == nullptr) return HSAKMT_STATUS_INVALID_HANDLE;
  const bool existed = Driver::get().machine.events.destroy(event->EventId);
  if (existed) delete event;
  return known(existed);
}

HSAKMT_STATUS hsaKmtSetEvent(HsaEvent* event) {
  RPL_NEEDS_OPEN();
  return known(event != nullptr && Driver::get().machine.events.set(event->EventId));
}

HSAKMT_STATUS hsaKmtResetEvent(HsaEvent* event) {
  RPL_NEEDS_OPEN();
  return known(event != nullptr && Driver::get().machine.events.reset(event->EventId));
}

HSAKMT_STATUS hsaKmtQueryEventState(HsaEvent* event) {
  RPL_NEEDS_OPEN();
  const auto state =
      event == nullptr ? std::nullopt : Driver::get().machine.events.is_set(event->EventId);
  if (!state) return HSAKMT_STATUS_INVALID_HANDLE;
  return *state ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_WAIT_TIMEOUT;
}

HSAKMT_STATUS hsaKmtWaitOnMultipleEvents(HsaEvent* events[], HSAuint32 count, bool all,
                                         HSAuint32 milliseconds) {
  RPL_NEEDS_OPEN();
  if (events == nullptr || count == 0) return HSAKMT_STATUS_INVALID_HANDLE;
  std::vector<std::uint32_t> ids;
  for (HSAuint32 i = 0; i < count; ++i) {
    if (events[i] == nullptr) return HSAKMT_STATUS_INVALID_HANDLE;
    ids.push_back(events[i]->EventId);
  }
  const auto outcome = Driver::get().machine.events.wait(ids, all, timeout_of(milliseconds));
  if (outcome == Events::Outcome::timeout) return HSAKMT_STATUS_WAIT_TIMEOUT;
  if (outcome == Events::Outcome::invalid) return HSAKMT_STATUS_WAIT_FAILURE;
  for (HSAuint32 i = 0; i < count; ++i) {
    if (events[i]->EventData.EventType == HSA_EVENTTYPE_MEMORY &&
        Driver::get().machine.fault_address() != 0)
      describe_fault(*events[i]);
  }
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtWaitOnEvent(HsaEvent* event, HSAuint32 milliseconds) {
  return hsaKmtWaitOnMultipleEvents(&event, 1, true, milliseconds);
}

}  // extern "C"
