/* SPDX-License-Identifier: MIT */
/* The same functions for typed pointers, kernels and variables, as C++ programs call them. */
#pragma once

#include <hip/detail/memory.h>
#include <hip/detail/modules.h>
#include <hip/detail/streams.h>

#define HIP_SYMBOL(variable) variable

// Allocation into a pointer of any type. hipHostMalloc alone has its default in the template, as its C function has none.
template <class T>
inline hipError_t hipMalloc(T** where, size_t bytes) {
  return hipMalloc(reinterpret_cast<void**>(where), bytes);
}
template <class T>
inline hipError_t hipExtMallocWithFlags(T** where, size_t bytes, unsigned flags) {
  return hipExtMallocWithFlags(reinterpret_cast<void**>(where), bytes, flags);
}
template <class T>
inline hipError_t hipMallocManaged(T** where, size_t bytes, unsigned flags = hipMemAttachGlobal) {
  return hipMallocManaged(reinterpret_cast<void**>(where), bytes, flags);
}
template <class T>
inline hipError_t hipMallocPitch(T** where, size_t* pitch, size_t width, size_t height) {
  return hipMallocPitch(reinterpret_cast<void**>(where), pitch, width, height);
}
template <class T>
inline hipError_t hipHostMalloc(T** where, size_t bytes, unsigned flags = hipHostMallocDefault) {
  return hipHostMalloc(reinterpret_cast<void**>(where), bytes, flags);
}
template <class T>
inline hipError_t hipHostAlloc(T** where, size_t bytes, unsigned flags = hipHostMallocDefault) {
  return hipHostAlloc(reinterpret_cast<void**>(where), bytes, flags);
}
template <class T>
inline hipError_t hipMallocHost(T** where, size_t bytes) {
  return hipMallocHost(reinterpret_cast<void**>(where), bytes);
}
template <class T>
inline hipError_t hipMallocAsync(T** where, size_t bytes, hipStream_t stream) {
  return hipMallocAsync(reinterpret_cast<void**>(where), bytes, stream);
}
template <class T>
inline hipError_t hipMallocFromPoolAsync(T** where, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(reinterpret_cast<void**>(where), bytes, pool, stream);
}
template <class T>
inline hipError_t hipHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned flags = 0) {
  return hipHostGetDevicePointer(reinterpret_cast<void**>(device_pointer), host_pointer, flags);
}

// Device variables by name. For an array the address of the whole is meant, which is that of its shadow.
template <class T>
inline hipError_t hipGetSymbolAddress(void** where, const T& symbol) {
  return hipGetSymbolAddress(where, static_cast<const void*>(&symbol));
}
template <class T>
inline hipError_t hipGetSymbolSize(size_t* bytes, const T& symbol) {
  return hipGetSymbolSize(bytes, static_cast<const void*>(&symbol));
}
template <class T>
inline hipError_t hipMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol(static_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
inline hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                         hipMemcpyKind kind = hipMemcpyHostToDevice, hipStream_t stream = 0) {
  return hipMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
inline hipError_t hipMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(to, static_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class T>
inline hipError_t hipMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyDeviceToHost, hipStream_t stream = 0) {
  return hipMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), bytes, offset, kind, stream);
}

// Kernels as they are.
template <class F>
inline hipError_t hipLaunchKernel(F* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0, hipStream_t stream = 0) {
  return hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared_bytes, stream);
}
template <class F>
inline hipError_t hipLaunchCooperativeKernel(F* kernel, dim3 grid, dim3 block, void** arguments, unsigned shared_bytes, hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared_bytes, stream);
}
template <class F>
inline hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, F* kernel) {
  return hipFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class F>
inline hipError_t hipFuncSetAttribute(F* kernel, hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class F>
inline hipError_t hipFuncSetCacheConfig(F* kernel, hipFuncCache_t config) {
  return hipFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class F>
inline hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, F kernel, size_t shared_bytes = 0, int block_limit = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid, block, reinterpret_cast<const void*>(kernel), shared_bytes, block_limit);
}
template <class F>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F kernel, int block, size_t shared_bytes) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), block, shared_bytes);
}
template <class F>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F kernel, int block, size_t shared_bytes,
                                                                        unsigned flags = hipOccupancyDefault) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel), block, shared_bytes, flags);
}
