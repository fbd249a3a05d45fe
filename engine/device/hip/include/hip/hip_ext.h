/* SPDX-License-Identifier: MIT */
/* hipExtLaunchKernelGGL and the launch of a module's kernel that counts work-items instead of workgroups. */
#pragma once

#include <hip/hip_runtime.h>

RPL_HIP_BEGIN
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t items_x, uint32_t items_y, uint32_t items_z, uint32_t block_x,
                                    uint32_t block_y, uint32_t block_z, size_t shared_bytes, hipStream_t stream, void** arguments,
                                    void** extra, hipEvent_t start RPL_HIP_NULL, hipEvent_t stop RPL_HIP_NULL,
                                    uint32_t flags RPL_HIP_DEFAULT(0));
RPL_HIP_END
