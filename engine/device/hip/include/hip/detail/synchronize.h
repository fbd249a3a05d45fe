/* SPDX-License-Identifier: MIT */
/* Barriers, fences, clocks, traps, and printf and assert in kernels. */
#pragma once

#include <assert.h>
#include <hip/detail/handles.h>
#include <stdio.h>
#include <string.h>

extern "C" {
// Of ROCm's device libraries: sums and the like over a workgroup, with a barrier inside.
__device__ __attribute__((convergent)) int __ockl_wgred_add_i32(int value);
__device__ __attribute__((convergent)) int __ockl_wgred_and_i32(int value);
__device__ __attribute__((convergent)) int __ockl_wgred_or_i32(int value);
}

__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ inline int __syncthreads_count(int predicate) { return __ockl_wgred_add_i32(!!predicate); }
__device__ inline int __syncthreads_and(int predicate) { return __ockl_wgred_and_i32(!!predicate); }
__device__ inline int __syncthreads_or(int predicate) { return __ockl_wgred_or_i32(!!predicate); }

__device__ __forceinline__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__device__ __forceinline__ void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__device__ __forceinline__ void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

/// Lanes of a wave run in step; what is left is to keep memory operations on their side.
__device__ __forceinline__ void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/// Shader clock: cycles.
__device__ inline long long clock64() { return static_cast<long long>(__builtin_readcyclecounter()); }
__device__ inline long long __clock64() { return clock64(); }
/// Beside the host's clock() of <time.h>.
__device__ inline clock_t clock() { return static_cast<clock_t>(clock64()); }
__device__ inline clock_t __clock() { return clock(); }
/// Constant rate, of hipDeviceAttributeWallClockRate.
__device__ inline long long wall_clock64() { return static_cast<long long>(__builtin_amdgcn_s_memrealtime()); }

extern "C" {
/// Clang replaces it by writes into the hostcall buffer.
__device__ int printf(const char* format, ...);

__device__ inline __attribute__((weak)) void abort() { __builtin_trap(); }

// What assert() calls. Not inlined: the text is rarely wanted.
__device__ inline __attribute__((weak, noinline)) void __assert_fail(const char* condition, const char* file, unsigned line,
                                                                     const char* function) {
  printf("%s:%u: %s: Device-side assertion `%s' failed.\n", file, line, function, condition);
  __builtin_trap();
}
__device__ inline __attribute__((weak)) void __assertfail() { __builtin_trap(); }

// Loops or block moves, as the compiler likes; there is no library to call.
__device__ inline __attribute__((weak)) void* memcpy(void* to, const void* from, size_t bytes) {
  unsigned char* const out = static_cast<unsigned char*>(to);
  const unsigned char* const in = static_cast<const unsigned char*>(from);
  for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
  return to;
}
__device__ inline __attribute__((weak)) void* memset(void* to, int value, size_t bytes) {
  unsigned char* const out = static_cast<unsigned char*>(to);
  for (size_t i = 0; i < bytes; ++i) out[i] = static_cast<unsigned char>(value);
  return to;
}
}
