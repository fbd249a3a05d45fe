/* SPDX-License-Identifier: MIT */
/* What kernels call. */
#pragma once

#include <hip/hip_runtime_api.h>
#include <time.h>

#if defined(__HIP__)
#include <hip/detail/atomics.h>
#include <hip/detail/bits.h>
#include <hip/detail/conversions.h>
#include <hip/detail/coordinates.h>
#include <hip/detail/launch.h>
#include <hip/detail/synchronize.h>
#include <hip/detail/wave.h>
#endif
