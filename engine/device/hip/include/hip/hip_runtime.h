/* SPDX-License-Identifier: MIT */
/* HIP for programs: the functions of the host, and, compiled as HIP, those of kernels. Clang brings the mathematics
 * (__clang_hip_math.h and __clang_hip_cmath.h, through the wrapper that it includes before everything else). */
#pragma once

#include <hip/hip_common.h>
#include <hip/hip_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__HIP__) && defined(__cplusplus)
#include <hip/device_functions.h>
#endif
