/* SPDX-License-Identifier: MIT */
/* Devices, contexts, peers, errors. */
#pragma once

#include <hip/detail/attributes.h>
#include <string.h>

#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask 0x7
#define hipDeviceMapHost 0x8
#define hipDeviceLmemResizeToMax 0x16

RPL_HIP_BEGIN

hipError_t hipInit(unsigned flags);
hipError_t hipDriverGetVersion(int* version);
hipError_t hipRuntimeGetVersion(int* version);

hipError_t hipGetLastError(void);
hipError_t hipPeekAtLastError(void);
const char* hipGetErrorName(hipError_t error);
const char* hipGetErrorString(hipError_t error);

hipError_t hipGetDeviceCount(int* count);
hipError_t hipSetDevice(int device);
hipError_t hipGetDevice(int* device);
hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* wanted);
/* The library's function, which knows the members of HIP up to 5. */
hipError_t rpl_hip_device_properties(hipDeviceProp_t* properties, int device) __asm__("hipGetDeviceProperties");
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device);
hipError_t hipDeviceSynchronize(void);
hipError_t hipDeviceReset(void);
hipError_t hipSetDeviceFlags(unsigned flags);
hipError_t hipGetDeviceFlags(unsigned* flags);

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal);
hipError_t hipDeviceGetName(char* name, int bytes, hipDevice_t device);
hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device);
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device);
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device);
hipError_t hipDeviceGetPCIBusId(char* id, int bytes, int device);
hipError_t hipDeviceGetByPCIBusId(int* device, const char* id);
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int from, int to);
hipError_t hipExtGetLinkTypeAndHopCount(int from, int to, uint32_t* type, uint32_t* hops);
hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit_t limit);
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config);
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config);
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config);
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest);
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device);
hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device);
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool);

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer);
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags);
hipError_t hipDeviceDisablePeerAccess(int peer);

hipError_t hipCtxCreate(hipCtx_t* context, unsigned flags, hipDevice_t device);
hipError_t hipCtxDestroy(hipCtx_t context);
hipError_t hipCtxSetCurrent(hipCtx_t context);
hipError_t hipCtxGetCurrent(hipCtx_t* context);
hipError_t hipCtxPushCurrent(hipCtx_t context);
hipError_t hipCtxPopCurrent(hipCtx_t* context);
hipError_t hipCtxGetDevice(hipDevice_t* device);
hipError_t hipCtxSynchronize(void);
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device);
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device);
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device);

hipError_t hipProfilerStart(void);
hipError_t hipProfilerStop(void);

RPL_HIP_END

static inline int rpl_hip_attribute(hipDeviceAttribute_t attribute, int device) {
  int value = 0;
  return hipDeviceGetAttribute(&value, attribute, device) == hipSuccess ? value : 0;
}

/** Everything that is known of a device; what a library of HIP 5 does not know of the later members is 0. */
static inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  hipDeviceProp_t* const p = properties;
  if (p == NULL) return hipErrorInvalidValue;
  memset(p, 0, sizeof(*p));
  const hipError_t status = rpl_hip_device_properties(p, device);
  if (status != hipSuccess) return status;
  p->uuid.bytes[0] = (char)(device + 1);
  p->deviceOverlap = rpl_hip_attribute(hipDeviceAttributeDeviceOverlap, device);
  p->asyncEngineCount = rpl_hip_attribute(hipDeviceAttributeAsyncEngineCount, device);
  p->unifiedAddressing = rpl_hip_attribute(hipDeviceAttributeUnifiedAddressing, device);
  p->streamPrioritiesSupported = rpl_hip_attribute(hipDeviceAttributeStreamPrioritiesSupported, device);
  p->globalL1CacheSupported = rpl_hip_attribute(hipDeviceAttributeGlobalL1CacheSupported, device);
  p->localL1CacheSupported = rpl_hip_attribute(hipDeviceAttributeLocalL1CacheSupported, device);
  p->regsPerMultiprocessor = rpl_hip_attribute(hipDeviceAttributeMaxRegistersPerMultiprocessor, device);
  p->multiGpuBoardGroupID = rpl_hip_attribute(hipDeviceAttributeMultiGpuBoardGroupID, device);
  p->hostNativeAtomicSupported = rpl_hip_attribute(hipDeviceAttributeHostNativeAtomicSupported, device);
  p->singleToDoublePrecisionPerfRatio = rpl_hip_attribute(hipDeviceAttributeSingleToDoublePrecisionPerfRatio, device);
  p->computePreemptionSupported = rpl_hip_attribute(hipDeviceAttributeComputePreemptionSupported, device);
  p->canUseHostPointerForRegisteredMem = rpl_hip_attribute(hipDeviceAttributeCanUseHostPointerForRegisteredMem, device);
  p->persistingL2CacheMaxSize = rpl_hip_attribute(hipDeviceAttributePersistingL2CacheMaxSize, device);
  p->maxBlocksPerMultiProcessor = rpl_hip_attribute(hipDeviceAttributeMaxBlocksPerMultiProcessor, device);
  p->accessPolicyMaxWindowSize = rpl_hip_attribute(hipDeviceAttributeAccessPolicyMaxWindowSize, device);
  p->hostRegisterSupported = rpl_hip_attribute(hipDeviceAttributeHostRegisterSupported, device);
  p->memoryPoolsSupported = rpl_hip_attribute(hipDeviceAttributeMemoryPoolsSupported, device);
  p->surfaceAlignment = (size_t)rpl_hip_attribute(hipDeviceAttributeSurfaceAlignment, device);
  p->sharedMemPerMultiprocessor = (size_t)rpl_hip_attribute(hipDeviceAttributeSharedMemPerMultiprocessor, device);
  p->sharedMemPerBlockOptin = (size_t)rpl_hip_attribute(hipDeviceAttributeSharedMemPerBlockOptin, device);
  p->reservedSharedMemPerBlock = (size_t)rpl_hip_attribute(hipDeviceAttributeReservedSharedMemPerBlock, device);
  return hipSuccess;
}
