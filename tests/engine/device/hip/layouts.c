// SPDX-License-Identifier: MIT
// Prints sizes, places and numbers of the interface: the same text, whosever headers it is compiled with.
#include <hip/hip_runtime_api.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf(#type " %zu aligned %zu\n", sizeof(type), _Alignof(type))
#define PLACE(type, member) printf(#type "." #member " %zu\n", offsetof(type, member))
#define NUMBER(name) printf(#name " %ld\n", (long)name)
/* The type of a function, checked by the compiler: a difference does not compile. */
#define FUNCTION(name, ...) { hipError_t (*function)(__VA_ARGS__) = name; printf(#name " %d\n", function != NULL); }

static void sizes(void) {
  SIZE(hipFuncAttributes); SIZE(hipPointerAttribute_t); SIZE(dim3); SIZE(hipMemcpy3DParms);
  SIZE(hipChannelFormatDesc); SIZE(hipIpcMemHandle_t); SIZE(hipKernelNodeParams); SIZE(hipMemsetParams); SIZE(hip_Memcpy2D);
  SIZE(hipMemPoolProps); SIZE(hipLaunchParams); SIZE(hipPitchedPtr); SIZE(hipExtent); SIZE(hipMemAllocationProp);
  PLACE(hipDeviceProp_t, totalGlobalMem); PLACE(hipDeviceProp_t, warpSize); PLACE(hipDeviceProp_t, maxThreadsDim);
  PLACE(hipDeviceProp_t, maxGridSize); PLACE(hipDeviceProp_t, totalConstMem); PLACE(hipDeviceProp_t, multiProcessorCount);
  PLACE(hipDeviceProp_t, arch); PLACE(hipDeviceProp_t, concurrentKernels); PLACE(hipDeviceProp_t, maxSharedMemoryPerMultiProcessor);
  PLACE(hipDeviceProp_t, gcnArchName); PLACE(hipDeviceProp_t, hdpMemFlushCntl); PLACE(hipDeviceProp_t, textureAlignment);
  PLACE(hipDeviceProp_t, isLargeBar); PLACE(hipDeviceProp_t, pageableMemoryAccessUsesHostPageTables);
  PLACE(hipFuncAttributes, numRegs); PLACE(hipFuncAttributes, sharedSizeBytes);
  PLACE(hipPointerAttribute_t, memoryType); PLACE(hipPointerAttribute_t, allocationFlags);
  PLACE(hipMemcpy3DParms, dstPtr); PLACE(hipMemcpy3DParms, kind); PLACE(hipKernelNodeParams, sharedMemBytes);
}

static void numbers(void) {
  NUMBER(hipErrorInvalidValue); NUMBER(hipErrorOutOfMemory); NUMBER(hipErrorNoDevice); NUMBER(hipErrorInvalidHandle); NUMBER(hipErrorNotReady);
  NUMBER(hipErrorIllegalAddress); NUMBER(hipErrorNotSupported); NUMBER(hipErrorNoBinaryForGpu); NUMBER(hipErrorUnknown); NUMBER(hipErrorTbd);
  NUMBER(hipDeviceAttributeWarpSize); NUMBER(hipDeviceAttributeMultiprocessorCount); NUMBER(hipDeviceAttributeMaxThreadsPerBlock);
  NUMBER(hipDeviceAttributeMemoryPoolsSupported); NUMBER(hipDeviceAttributeFineGrainSupport); NUMBER(hipMemcpyDefault);
  NUMBER(hipMemoryTypeDevice); NUMBER(hipFuncAttributeMaxDynamicSharedMemorySize); NUMBER(hipMemAdviseSetCoarseGrain);
  NUMBER(hipStreamNonBlocking); NUMBER(hipEventDisableTiming); NUMBER(hipHostMallocCoherent); NUMBER(hipMemAttachGlobal);
  NUMBER(hipGraphNodeTypeMemcpyToSymbol); NUMBER(hipStreamCaptureModeRelaxed); NUMBER(hipLimitMallocHeapSize); NUMBER(hipStreamPerThread);
}

static void functions(void) {
  FUNCTION(hipMalloc, void**, size_t)
  FUNCTION(hipMemcpyAsync, void*, const void*, size_t, hipMemcpyKind, hipStream_t)
  FUNCTION(hipMemcpy2D, void*, size_t, const void*, size_t, size_t, size_t, hipMemcpyKind)
  FUNCTION(hipMemsetD32, hipDeviceptr_t, int, size_t)
  FUNCTION(hipModuleLaunchKernel, hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void**, void**)
  FUNCTION(hipLaunchKernel, const void*, dim3, dim3, void**, size_t, hipStream_t)
  FUNCTION(hipEventElapsedTime, float*, hipEvent_t, hipEvent_t)
  FUNCTION(hipStreamWaitEvent, hipStream_t, hipEvent_t, unsigned)
  FUNCTION(hipDeviceGetAttribute, int*, hipDeviceAttribute_t, int)
  FUNCTION(hipOccupancyMaxPotentialBlockSize, int*, int*, const void*, size_t, int)
  FUNCTION(hipMemcpyToSymbol, const void*, const void*, size_t, size_t, hipMemcpyKind)
  FUNCTION(hipPointerGetAttributes, hipPointerAttribute_t*, const void*)
}

int main(void) {
  sizes();
  numbers();
  functions();
  return 0;
}
