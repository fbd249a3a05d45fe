// SPDX-License-Identifier: MIT
// What the emulated device does not have. The runtime asks for some of it and goes on without.
#include "tests/support/hsakmt/thunk.h"

extern "C" {

HSAKMT_STATUS hsaKmtAllocQueueGWS(HSA_QUEUEID, HSAuint32, HSAuint32*) {
  return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtRuntimeEnable(void*, bool) { return HSAKMT_STATUS_NOT_SUPPORTED; }
HSAKMT_STATUS hsaKmtRuntimeDisable() { return HSAKMT_STATUS_NOT_SUPPORTED; }

HSAKMT_STATUS hsaKmtSVMSetAttr(void*, HSAuint64, unsigned int, HSA_SVM_ATTRIBUTE*) {
  return HSAKMT_STATUS_NOT_SUPPORTED;
}
HSAKMT_STATUS hsaKmtSVMGetAttr(void*, HSAuint64, unsigned int, HSA_SVM_ATTRIBUTE*) {
  return HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtGetXNACKMode(HSAint32* enable) {
  if (enable == nullptr) return HSAKMT_STATUS_INVALID_PARAMETER;
  *enable = 0;
  return HSAKMT_STATUS_SUCCESS;
}
HSAKMT_STATUS hsaKmtSetXNACKMode(HSAint32 enable) {
  return enable == 0 ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_NOT_SUPPORTED;
}

HSAKMT_STATUS hsaKmtShareMemory(void*, HSAuint64, HsaSharedMemoryHandle*) {
  return HSAKMT_STATUS_NOT_SUPPORTED;
}
HSAKMT_STATUS hsaKmtRegisterSharedHandle(const HsaSharedMemoryHandle*, void**, HSAuint64*) {
  return HSAKMT_STATUS_NOT_SUPPORTED;
}
HSAKMT_STATUS hsaKmtRegisterSharedHandleToNodes(const HsaSharedMemoryHandle*, void**, HSAuint64*,
                                                HSAuint64, HSAuint32*) {
  return HSAKMT_STATUS_NOT_SUPPORTED;
}
HSAKMT_STATUS hsaKmtRegisterGraphicsHandleToNodes(HSAuint64, HsaGraphicsResourceInfo*, HSAuint64,
                                                  HSAuint32*) {
  return HSAKMT_STATUS_NOT_SUPPORTED;
}

}  // extern "C"
