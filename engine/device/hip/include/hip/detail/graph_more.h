/* SPDX-License-Identifier: MIT */
/* Graphs, what came after HIP 5.2: nodes that allocate memory, parameters asked for again, objects that graphs keep alive. */
#pragma once

#include <hip/detail/graph_nodes.h>
#include <hip/detail/memory.h>

typedef struct hipUserObject* hipUserObject_t;

#define hipUserObjectNoDestructorSync 0x1
#define hipGraphUserObjectMove 0x1
#define hipGraphInstantiateFlagAutoFreeOnLaunch 1
#define hipStreamAddCaptureDependencies 0
#define hipStreamSetCaptureDependencies 1

typedef struct hipMemAllocNodeParams {
  hipMemPoolProps poolProps;
  const hipMemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void* dptr;
} hipMemAllocNodeParams;

/** Of hipDeviceGetGraphMemAttribute, 64 bits each, in bytes. */
typedef enum hipGraphMemAttributeType {
  hipGraphMemAttrUsedMemCurrent = 0, hipGraphMemAttrUsedMemHigh, hipGraphMemAttrReservedMemCurrent, hipGraphMemAttrReservedMemHigh
} hipGraphMemAttributeType;

RPL_HIP_BEGIN

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                   hipMemAllocNodeParams* parameters);
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* parameters);
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after, size_t count, void* pointer);
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* pointer);
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
hipError_t hipDeviceGraphMemTrim(int device);

hipError_t hipUserObjectCreate(hipUserObject_t* object, void* data, hipHostFn_t destroy, unsigned references, unsigned flags);
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned references RPL_HIP_DEFAULT(1));
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned references RPL_HIP_DEFAULT(1));
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned references RPL_HIP_DEFAULT(1),
                                    unsigned flags RPL_HIP_DEFAULT(0));
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned references RPL_HIP_DEFAULT(1));

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* parameters);
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* parameters);
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* copy, hipGraphNode_t original, hipGraph_t clone);
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event);
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event);
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event);
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event);
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, hipGraph_t child);
hipError_t hipGraphExecGetFlags(hipGraphExec_t executable, unsigned long long* flags);
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned flags);
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id, hipGraph_t* graph,
                                      const hipGraphNode_t** nodes, size_t* count);
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* nodes, size_t count, unsigned flags);

RPL_HIP_END
