/* SPDX-License-Identifier: MIT */
/* threadIdx, blockIdx, blockDim, gridDim, warpSize. */
#pragma once

#include <hip/detail/handles.h>
#include <hip/hip_vector_types.h>

// Of ROCm's device libraries, which know where each code-object version keeps them.
extern "C" {
__device__ __attribute__((const)) size_t __ockl_get_local_id(unsigned dimension);
__device__ __attribute__((const)) size_t __ockl_get_group_id(unsigned dimension);
__device__ __attribute__((const)) size_t __ockl_get_local_size(unsigned dimension);
__device__ __attribute__((const)) size_t __ockl_get_num_groups(unsigned dimension);
}

// Reading a member calls a function. The objects themselves are never there: weak, so that code built with -O0, which takes their
// address, links all the same.
#define RPL_HIP_COORDINATE(type, name, function)                                          \
  struct type {                                                                           \
    __declspec(property(get = rpl_get_x)) unsigned x;                                     \
    __declspec(property(get = rpl_get_y)) unsigned y;                                     \
    __declspec(property(get = rpl_get_z)) unsigned z;                                     \
    __device__ __forceinline__ unsigned rpl_get_x() const { return static_cast<unsigned>(function(0)); } \
    __device__ __forceinline__ unsigned rpl_get_y() const { return static_cast<unsigned>(function(1)); } \
    __device__ __forceinline__ unsigned rpl_get_z() const { return static_cast<unsigned>(function(2)); } \
    __device__ operator dim3() const { return dim3(rpl_get_x(), rpl_get_y(), rpl_get_z()); } \
    __device__ operator uint3() const { return uint3(rpl_get_x(), rpl_get_y(), rpl_get_z()); } \
  };                                                                                      \
  extern const __device__ __attribute__((weak)) type name;

RPL_HIP_COORDINATE(__hip_builtin_threadIdx_t, threadIdx, __ockl_get_local_id)
RPL_HIP_COORDINATE(__hip_builtin_blockIdx_t, blockIdx, __ockl_get_group_id)
RPL_HIP_COORDINATE(__hip_builtin_blockDim_t, blockDim, __ockl_get_local_size)
RPL_HIP_COORDINATE(__hip_builtin_gridDim_t, gridDim, __ockl_get_num_groups)
#undef RPL_HIP_COORDINATE

// The names of the first HIP.
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

// The host is compiled once for all architectures and takes that of the larger GPUs.
#if defined(__AMDGCN_WAVEFRONT_SIZE)
static constexpr int warpSize = __AMDGCN_WAVEFRONT_SIZE;
#else
static constexpr int warpSize = 64;
#endif
