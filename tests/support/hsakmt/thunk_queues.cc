// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/thunk.h"

namespace {

using rpl::hsakmt::Driver;
using rpl::hsakmt::kNodes;

}  // namespace

extern "C" {

HSAKMT_STATUS hsaKmtCreateQueue(HSAuint32 node, HSA_QUEUE_TYPE type, HSAuint32 percentage,
                                HSA_QUEUE_PRIORITY priority, void* address, HSAuint64 bytes,
                                HsaEvent*, HsaQueueResource* resource) {
  RPL_NEEDS_OPEN();
  if (node >= kNodes || node == 0) return HSAKMT_STATUS_INVALID_NODE_UNIT;
  const bool is_known =
      type == HSA_QUEUE_COMPUTE_AQL || type == HSA_QUEUE_SDMA || type == HSA_QUEUE_SDMA_XGMI;
  if (!is_known) return HSAKMT_STATUS_NOT_SUPPORTED;
  if (resource == nullptr || percentage > 100 || priority < HSA_QUEUE_PRIORITY_MINIMUM ||
      priority > HSA_QUEUE_PRIORITY_MAXIMUM)
    return HSAKMT_STATUS_INVALID_PARAMETER;
  const HSA_QUEUEID id = Driver::get().create_queue(type, address, bytes, *resource);
  if (id == 0) return HSAKMT_STATUS_INVALID_PARAMETER;
  if (percentage == 0) Driver::get().machine.pause_queue(id, true);
  return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtUpdateQueue(HSA_QUEUEID id, HSAuint32 percentage, HSA_QUEUE_PRIORITY, void*,
                                HSAuint64, HsaEvent*) {
  RPL_NEEDS_OPEN();
  return Driver::get().machine.pause_queue(id, percentage == 0) ? HSAKMT_STATUS_SUCCESS
                                                                : HSAKMT_STATUS_INVALID_PARAMETER;
}

HSAKMT_STATUS hsaKmtDestroyQueue(HSA_QUEUEID id) {
  RPL_NEEDS_OPEN();
  return Driver::get().machine.destroy_queue(id) ? HSAKMT_STATUS_SUCCESS
                                                 : HSAKMT_STATUS_INVALID_PARAMETER;
}

// All compute units are alike: which of them a queue may use changes nothing.
HSAKMT_STATUS hsaKmtSetQueueCUMask(HSA_QUEUEID, HSAuint32 bits, HSAuint32* mask) {
  RPL_NEEDS_OPEN();
  return mask != nullptr && bits != 0 && bits % 32 == 0 ? HSAKMT_STATUS_SUCCESS
                                                        : HSAKMT_STATUS_INVALID_PARAMETER;
}

HSAKMT_STATUS hsaKmtSetTrapHandler(HSAuint32 node, void*, HSAuint64, void*, HSAuint64) {
  RPL_NEEDS_OPEN();
  return node < kNodes ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_INVALID_NODE_UNIT;
}

}  // extern "C"
