/* SPDX-License-Identifier: MIT */
/* __half and __half2: numbers of 16 bits, converted, computed with and compared as the hardware does; on the host by way of _Float16. */
#pragma once

#include <hip/hip_runtime.h>

#if defined(__cplusplus) && defined(__clang__)
#include <hip/detail/half.h>
#include <hip/detail/half_pair.h>
#endif
