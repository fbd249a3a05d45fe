/* SPDX-License-Identifier: MIT */
/* Memory: allocation, copies, fills, device variables. */
#pragma once

#include <hip/detail/arrays.h>
#include <hip/detail/attributes.h>

#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory 0x2
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipExtHostRegisterCoarseGrained 0x8
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04
#define hipIpcMemLazyEnablePeerAccess 0
/* The names that CUDA has for the first three of hipHostMalloc. */
#define hipHostAllocDefault hipHostMallocDefault
#define hipHostAllocPortable hipHostMallocPortable
#define hipHostAllocMapped hipHostMallocMapped

/** For hipMemAdvise. */
typedef enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1, hipMemAdviseUnsetReadMostly, hipMemAdviseSetPreferredLocation, hipMemAdviseUnsetPreferredLocation,
  hipMemAdviseSetAccessedBy, hipMemAdviseUnsetAccessedBy, hipMemAdviseSetCoarseGrain = 100, hipMemAdviseUnsetCoarseGrain
} hipMemoryAdvise;

/** For hipMemRangeGetAttribute. */
typedef enum hipMemRangeAttribute {
  hipMemRangeAttributeReadMostly = 1, hipMemRangeAttributePreferredLocation, hipMemRangeAttributeAccessedBy,
  hipMemRangeAttributeLastPrefetchLocation, hipMemRangeAttributeCoherencyMode = 100
} hipMemRangeAttribute;

/** Of a range of managed memory. */
typedef enum hipMemRangeCoherencyMode {
  hipMemRangeCoherencyModeFineGrain = 0, hipMemRangeCoherencyModeCoarseGrain, hipMemRangeCoherencyModeIndeterminate
} hipMemRangeCoherencyMode;

/** Of memory pools. */
typedef enum hipMemPoolAttr {
  hipMemPoolReuseFollowEventDependencies = 1, hipMemPoolReuseAllowOpportunistic, hipMemPoolReuseAllowInternalDependencies,
  hipMemPoolAttrReleaseThreshold, hipMemPoolAttrReservedMemCurrent, hipMemPoolAttrReservedMemHigh, hipMemPoolAttrUsedMemCurrent,
  hipMemPoolAttrUsedMemHigh
} hipMemPoolAttr;

/** Where memory is. */
typedef enum hipMemLocationType {
  hipMemLocationTypeInvalid = 0, hipMemLocationTypeDevice
} hipMemLocationType;

/** Who may do what with it. */
typedef enum hipMemAccessFlags {
  hipMemAccessFlagsProtNone = 0, hipMemAccessFlagsProtRead, hipMemAccessFlagsProtReadWrite = 3
} hipMemAccessFlags;

/** How it is allocated. */
typedef enum hipMemAllocationType {
  hipMemAllocationTypeInvalid = 0, hipMemAllocationTypePinned, hipMemAllocationTypeMax = 2147483647
} hipMemAllocationType;

/** How it is shared. */
typedef enum hipMemAllocationHandleType {
  hipMemHandleTypeNone = 0, hipMemHandleTypePosixFileDescriptor, hipMemHandleTypeWin32, hipMemHandleTypeWin32Kmt = 4
} hipMemAllocationHandleType;

/** For hipMemGetAllocationGranularity. */
typedef enum hipMemAllocationGranularity_flags {
  hipMemAllocationGranularityMinimum = 0, hipMemAllocationGranularityRecommended
} hipMemAllocationGranularity_flags;

typedef struct hipMemLocation {
  hipMemLocationType type;
  int id;
} hipMemLocation;

typedef struct hipMemAccessDesc {
  hipMemLocation location;
  hipMemAccessFlags flags;
} hipMemAccessDesc;

typedef struct hipMemPoolProps {
  hipMemAllocationType allocType;
  hipMemAllocationHandleType handleTypes;
  hipMemLocation location;
  void* win32SecurityAttributes;
  unsigned char reserved[64];
} hipMemPoolProps;

typedef struct hipMemAllocationProp {
  unsigned char compressionType;
  hipMemLocation location;
  hipMemAllocationHandleType requestedHandleType;
  hipMemAllocationType type;
  unsigned short usage;
  void* win32HandleMetaData;
} hipMemAllocationProp;

typedef struct hipIpcMemHandle_st { char reserved[64]; } hipIpcMemHandle_t;
typedef struct hipIpcEventHandle_st { char reserved[64]; } hipIpcEventHandle_t;

RPL_HIP_BEGIN

hipError_t hipMalloc(void** where, size_t bytes);
hipError_t hipExtMallocWithFlags(void** where, size_t bytes, unsigned flags);
hipError_t hipMallocManaged(void** where, size_t bytes, unsigned flags RPL_HIP_DEFAULT(hipMemAttachGlobal));
hipError_t hipMallocPitch(void** where, size_t* pitch, size_t width, size_t height);
hipError_t hipMemAllocPitch(hipDeviceptr_t* where, size_t* pitch, size_t width, size_t height, unsigned element_bytes);
hipError_t hipFree(void* pointer);
hipError_t hipHostMalloc(void** where, size_t bytes, unsigned flags);
hipError_t hipHostAlloc(void** where, size_t bytes, unsigned flags);
hipError_t hipMallocHost(void** where, size_t bytes);
hipError_t hipMemAllocHost(void** where, size_t bytes);
hipError_t hipHostFree(void* pointer);
hipError_t hipFreeHost(void* pointer);
hipError_t hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags);
hipError_t hipHostGetFlags(unsigned* flags, void* host_pointer);
hipError_t hipHostRegister(void* host_pointer, size_t bytes, unsigned flags);
hipError_t hipHostUnregister(void* host_pointer);
hipError_t hipMallocAsync(void** where, size_t bytes, hipStream_t stream);
hipError_t hipMallocFromPoolAsync(void** where, size_t bytes, hipMemPool_t pool, hipStream_t stream);
hipError_t hipFreeAsync(void* pointer, hipStream_t stream);

hipError_t hipMemGetInfo(size_t* free_bytes, size_t* total_bytes);
hipError_t hipMemPtrGetInfo(void* pointer, size_t* bytes);
hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t pointer);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer);
hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t pointer);
hipError_t hipMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise advice, int device);
hipError_t hipMemPrefetchAsync(const void* pointer, size_t bytes, int device, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemRangeGetAttribute(void* data, size_t data_bytes, hipMemRangeAttribute attribute, const void* pointer, size_t bytes);
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, size_t bytes RPL_HIP_DEFAULT(0),
                                   unsigned flags RPL_HIP_DEFAULT(hipMemAttachSingle));

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties);
hipError_t hipMemPoolDestroy(hipMemPool_t pool);
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value);
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value);
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes);
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* list, size_t count);

hipError_t hipMemAddressReserve(void** where, size_t bytes, size_t alignment, void* wanted, unsigned long long flags);
hipError_t hipMemAddressFree(void* pointer, size_t bytes);
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t bytes, const hipMemAllocationProp* properties, unsigned long long flags);
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);
hipError_t hipMemMap(void* pointer, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t handle, unsigned long long flags);
hipError_t hipMemUnmap(void* pointer, size_t bytes);
hipError_t hipMemSetAccess(void* pointer, size_t bytes, const hipMemAccessDesc* list, size_t count);
hipError_t hipMemGetAllocationGranularity(size_t* bytes, const hipMemAllocationProp* properties, hipMemAllocationGranularity_flags option);

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* pointer);
hipError_t hipIpcOpenMemHandle(void** where, hipIpcMemHandle_t handle, unsigned flags);
hipError_t hipIpcCloseMemHandle(void* pointer);
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event);
hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle);

hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void* from, size_t bytes);
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes);
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes);
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes);
hipError_t hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, hipMemcpyKind kind);
hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* copy);
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* copy, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemcpy3D(const struct hipMemcpy3DParms* copy);
hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms* copy, hipStream_t stream RPL_HIP_NULL);

hipError_t hipMemset(void* to, int value, size_t bytes);
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count);
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count);
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count);
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height);
hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent);
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream RPL_HIP_NULL);

hipError_t hipGetSymbolAddress(void** where, const void* symbol);
hipError_t hipGetSymbolSize(size_t* bytes, const void* symbol);
hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset RPL_HIP_DEFAULT(0),
                             hipMemcpyKind kind RPL_HIP_DEFAULT(hipMemcpyHostToDevice));
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream RPL_HIP_NULL);
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset RPL_HIP_DEFAULT(0),
                               hipMemcpyKind kind RPL_HIP_DEFAULT(hipMemcpyDeviceToHost));
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream RPL_HIP_NULL);

RPL_HIP_END
