/* SPDX-License-Identifier: MIT */
/* Atomic operations: relaxed, on memory of the device; those with _system are also atomic for the host and other devices. */
#pragma once

#include <hip/hip_common.h>

#define RPL_HIP_ATOMIC __device__ __forceinline__

// name, builtin, type
#define RPL_HIP_FETCH(name, fetch, T)                                                    \
  RPL_HIP_ATOMIC T name(T* address, T value) {                                           \
    return fetch(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);            \
  }                                                                                      \
  RPL_HIP_ATOMIC T name##_system(T* address, T value) {                                  \
    return fetch(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);           \
  }
#define RPL_HIP_SUBTRACT(T)                                                                    \
  RPL_HIP_ATOMIC T atomicSub(T* address, T value) { return atomicAdd(address, static_cast<T>(0) - value); } \
  RPL_HIP_ATOMIC T atomicSub_system(T* address, T value) { return atomicAdd_system(address, static_cast<T>(0) - value); }
#define RPL_HIP_CAS(T)                                                                                                                   \
  RPL_HIP_ATOMIC T atomicCAS(T* address, T compare, T value) {                                                                           \
    __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);        \
    return compare;                                                                                                                      \
  }                                                                                                                                      \
  RPL_HIP_ATOMIC T atomicCAS_system(T* address, T compare, T value) {                                                                    \
    __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);       \
    return compare;                                                                                                                      \
  }

#define RPL_HIP_EACH_NUMBER(T)                        \
  RPL_HIP_FETCH(atomicAdd, __hip_atomic_fetch_add, T) \
  RPL_HIP_FETCH(atomicMin, __hip_atomic_fetch_min, T) \
  RPL_HIP_FETCH(atomicMax, __hip_atomic_fetch_max, T) \
  RPL_HIP_FETCH(atomicExch, __hip_atomic_exchange, T) \
  RPL_HIP_SUBTRACT(T)
#define RPL_HIP_EACH_INTEGER(T)                       \
  RPL_HIP_EACH_NUMBER(T)                              \
  RPL_HIP_FETCH(atomicAnd, __hip_atomic_fetch_and, T) \
  RPL_HIP_FETCH(atomicOr, __hip_atomic_fetch_or, T)   \
  RPL_HIP_FETCH(atomicXor, __hip_atomic_fetch_xor, T) \
  RPL_HIP_CAS(T)

RPL_HIP_EACH_INTEGER(int)
RPL_HIP_EACH_INTEGER(unsigned int)
RPL_HIP_EACH_INTEGER(long)
RPL_HIP_EACH_INTEGER(unsigned long)
RPL_HIP_EACH_INTEGER(long long)
RPL_HIP_EACH_INTEGER(unsigned long long)
RPL_HIP_EACH_NUMBER(float)
RPL_HIP_EACH_NUMBER(double)

#undef RPL_HIP_EACH_INTEGER
#undef RPL_HIP_EACH_NUMBER
#undef RPL_HIP_CAS
#undef RPL_HIP_SUBTRACT
#undef RPL_HIP_FETCH

/// address: old >= limit ? 0 : old + 1; the old value.
RPL_HIP_ATOMIC unsigned atomicInc(unsigned* address, unsigned limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}
/// address: old == 0 || old > limit ? limit : old - 1; the old value.
RPL_HIP_ATOMIC unsigned atomicDec(unsigned* address, unsigned limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "agent");
}

// "Unsafe" allows the hardware's own addition, which is not atomic for all kinds of host memory; it is the same here.
RPL_HIP_ATOMIC float safeAtomicAdd(float* address, float value) { return atomicAdd(address, value); }
RPL_HIP_ATOMIC double safeAtomicAdd(double* address, double value) { return atomicAdd(address, value); }
RPL_HIP_ATOMIC float unsafeAtomicAdd(float* address, float value) { return atomicAdd(address, value); }
RPL_HIP_ATOMIC double unsafeAtomicAdd(double* address, double value) { return atomicAdd(address, value); }
RPL_HIP_ATOMIC float atomicAddNoRet(float* address, float value) { return atomicAdd(address, value); }

#undef RPL_HIP_ATOMIC
