/* SPDX-License-Identifier: MIT */
/* The names of later HIP for bfloat16, as far as most programs use them. */
#pragma once

#include <hip/hip_bfloat16.h>

typedef hip_bfloat16 __hip_bfloat16;

#if defined(__cplusplus)
__host__ __device__ inline __hip_bfloat16 __float2bfloat16(float x) { return __hip_bfloat16(x); }
__host__ __device__ inline float __bfloat162float(__hip_bfloat16 x) { return x; }
#endif
