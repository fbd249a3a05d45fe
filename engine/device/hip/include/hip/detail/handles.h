/* SPDX-License-Identifier: MIT */
/* Handles and the plain types that everything else uses. */
#pragma once

#include <hip/detail/error.h>
#include <hip/hip_common.h>
#include <hip/hip_version.h>
#include <stddef.h>
#include <stdint.h>
#if !defined(__cplusplus)
#include <stdbool.h>
#endif

/* Default arguments exist in C++ alone. */
#if defined(__cplusplus)
#define RPL_HIP_DEFAULT(value) = value
#define RPL_HIP_BEGIN extern "C" {
#define RPL_HIP_END }
#else
#define RPL_HIP_DEFAULT(value)
#define RPL_HIP_BEGIN
#define RPL_HIP_END
#endif
#define RPL_HIP_NULL RPL_HIP_DEFAULT(0)

typedef int hipDevice_t;
typedef void* hipDeviceptr_t;
typedef struct ihipCtx_t* hipCtx_t;
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef struct ihipMemPoolHandle_t* hipMemPool_t;
typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphNode* hipGraphNode_t;
typedef struct hipGraphExec* hipGraphExec_t;
typedef struct __hip_texture* hipTextureObject_t;
typedef struct __hip_surface* hipSurfaceObject_t;
typedef struct ihipMemGenericAllocationHandle* hipMemGenericAllocationHandle_t;

typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* user_data);
typedef void (*hipHostFn_t)(void* user_data);

/** Extent of a grid in workgroups, or of a workgroup in work-items. */
typedef struct dim3 {
  uint32_t x, y, z;
#if defined(__cplusplus)
  constexpr __host__ __device__ dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
#endif
} dim3;

/** Direction of a copy; hipMemcpyDefault finds it from the pointers. */
typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4
} hipMemcpyKind;

/** Numbers of HIP up to 5; HIP 6 renumbered them. */
typedef enum hipMemoryType {
  hipMemoryTypeHost = 0,
  hipMemoryTypeDevice = 1,
  hipMemoryTypeArray = 2,
  hipMemoryTypeUnified = 3
} hipMemoryType;

/* The null stream is 0; this one is each thread's own. */
#define hipStreamPerThread ((hipStream_t)2)
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)
