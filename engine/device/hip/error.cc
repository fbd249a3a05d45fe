// SPDX-License-Identifier: MIT
#include "engine/device/hip/error.h"

#include <algorithm>
#include <array>

namespace rpl::emu::hip {
namespace {

struct Named {
  int code;
  const char* name;
  const char* text;
};

// Names and numbers are those of hipError_t; the sentences are ours, in the words that programs usually print.
constexpr std::array kErrors = {
    Named{0, "hipSuccess", "no error"},
    Named{1, "hipErrorInvalidValue", "invalid argument"},
    Named{2, "hipErrorOutOfMemory", "out of memory"},
    Named{3, "hipErrorNotInitialized", "initialization error"},
    Named{4, "hipErrorDeinitialized", "driver shutting down"},
    Named{5, "hipErrorProfilerDisabled", "profiler disabled"},
    Named{6, "hipErrorProfilerNotInitialized", "profiler not initialized"},
    Named{7, "hipErrorProfilerAlreadyStarted", "profiler already started"},
    Named{8, "hipErrorProfilerAlreadyStopped", "profiler already stopped"},
    Named{9, "hipErrorInvalidConfiguration", "invalid configuration argument"},
    Named{12, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    Named{13, "hipErrorInvalidSymbol", "invalid device symbol"},
    Named{17, "hipErrorInvalidDevicePointer", "invalid device pointer"},
    Named{21, "hipErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    Named{35, "hipErrorInsufficientDriver", "driver version is insufficient for runtime version"},
    Named{52, "hipErrorMissingConfiguration", "a launch without a configuration"},
    Named{53, "hipErrorPriorLaunchFailure", "unspecified launch failure in a prior launch"},
    Named{98, "hipErrorInvalidDeviceFunction", "invalid device function"},
    Named{100, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    Named{101, "hipErrorInvalidDevice", "invalid device ordinal"},
    Named{200, "hipErrorInvalidImage", "device kernel image is invalid"},
    Named{201, "hipErrorInvalidContext", "invalid device context"},
    Named{205, "hipErrorMapFailed", "mapping of buffer object failed"},
    Named{206, "hipErrorUnmapFailed", "unmapping of buffer object failed"},
    Named{209, "hipErrorNoBinaryForGpu",
          "no kernel image is available for execution on the device"},
    Named{215, "hipErrorUnsupportedLimit", "limit is not supported on this architecture"},
    Named{217, "hipErrorPeerAccessUnsupported",
          "peer access is not supported between these two devices"},
    Named{218, "hipErrorInvalidKernelFile", "invalid kernel file"},
    Named{300, "hipErrorInvalidSource", "device kernel image is invalid"},
    Named{301, "hipErrorFileNotFound", "file not found"},
    Named{302, "hipErrorSharedObjectSymbolNotFound", "shared object symbol not found"},
    Named{303, "hipErrorSharedObjectInitFailed", "shared object initialization failed"},
    Named{304, "hipErrorOperatingSystem", "OS call failed or operation not supported on this OS"},
    Named{400, "hipErrorInvalidHandle", "invalid resource handle"},
    Named{401, "hipErrorIllegalState", "the operation cannot be performed in the present state"},
    Named{500, "hipErrorNotFound", "named symbol not found"},
    Named{600, "hipErrorNotReady", "device not ready"},
    Named{700, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    Named{701, "hipErrorLaunchOutOfResources", "too many resources requested for launch"},
    Named{702, "hipErrorLaunchTimeOut", "the launch timed out and was terminated"},
    Named{704, "hipErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    Named{705, "hipErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    Named{708, "hipErrorSetOnActiveProcess", "cannot set while device is active in this process"},
    Named{709, "hipErrorContextIsDestroyed", "context is destroyed"},
    Named{710, "hipErrorAssert", "device-side assert triggered"},
    Named{712, "hipErrorHostMemoryAlreadyRegistered",
          "part or all of the requested memory range is already mapped"},
    Named{713, "hipErrorHostMemoryNotRegistered",
          "pointer does not correspond to a registered memory region"},
    Named{719, "hipErrorLaunchFailure", "unspecified launch failure"},
    Named{720, "hipErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    Named{801, "hipErrorNotSupported", "operation not supported"},
    Named{900, "hipErrorStreamCaptureUnsupported",
          "operation not permitted when stream is capturing"},
    Named{901, "hipErrorStreamCaptureInvalidated",
          "operation failed due to a previous error during capture"},
    Named{903, "hipErrorStreamCaptureUnmatched",
          "capture was not ended in the same stream as it began"},
    Named{904, "hipErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    Named{910, "hipErrorGraphExecUpdateFailure",
          "the graph update was not performed because it included changes which violated "
          "constraints"},
    Named{999, "hipErrorUnknown", "unknown error"},
    Named{1052, "hipErrorRuntimeMemory", "runtime memory call returned error"},
    Named{1053, "hipErrorRuntimeOther", "runtime call other than memory returned error"},
};

const Named* named(int code) {
  const auto found = std::ranges::lower_bound(kErrors, code, {}, &Named::code);
  return found != kErrors.end() && found->code == code ? &*found : nullptr;
}

}  // namespace

const char* error_name(int code) {
  const Named* found = named(code);
  return found == nullptr ? "hipErrorUnknown" : found->name;
}

const char* error_text(int code) {
  const Named* found = named(code);
  return found == nullptr ? "unknown error" : found->text;
}

}  // namespace rpl::emu::hip
