/* SPDX-License-Identifier: MIT */
/* The platform, the attributes of the language, and what the architecture that is compiled for can do. */
#pragma once

#if !defined(__HIP_PLATFORM_AMD__)
#define __HIP_PLATFORM_AMD__ 1
#endif
/* The name that older programs ask for. */
#if !defined(__HIP_PLATFORM_HCC__)
#define __HIP_PLATFORM_HCC__ 1
#endif

#if defined(__clang__) && defined(__HIP__)
#define __HIP_CLANG_ONLY__ 1
#if !defined(__HIPCC__)
#define __HIPCC__ 1
#endif
#endif

#if !defined(__HIP_DEVICE_COMPILE__)
#define __HIP_DEVICE_COMPILE__ 0
#endif

/* Compiled by something else (gcc, clang without -x hip), functions for the device are functions. */
#if defined(__HIP__)
#if !defined(__host__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#endif
#else
#if !defined(__host__)
#define __host__
#endif
#if !defined(__device__)
#define __device__
#endif
#if !defined(__constant__)
#define __constant__
#endif
#endif

#if !defined(__forceinline__)
#define __forceinline__ inline __attribute__((always_inline))
#endif
/* libstdc++ writes __attribute__((__noinline__)), which a macro of that name would break; clang knows the bare word in HIP. */
#if !defined(__HIP__) && !defined(__noinline__) && !defined(__cplusplus)
#define __noinline__ __attribute__((noinline))
#endif
#if !defined(__align__)
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#define HIP_PUBLIC_API __attribute__((visibility("default")))
#define HIP_INTERNAL_EXPORTED_API __attribute__((visibility("default")))

/* What every GPU of AMD since gfx9 has; 0 on the host, as in HIP. */
#if __HIP_DEVICE_COMPILE__
#define RPL_HIP_ARCH_HAS 1
#else
#define RPL_HIP_ARCH_HAS 0
#endif
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_DOUBLES__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_WARP_VOTE__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_WARP_BALLOT__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ 0
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ 0
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ 0
#define __HIP_ARCH_HAS_3DGRID__ RPL_HIP_ARCH_HAS
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ 0
