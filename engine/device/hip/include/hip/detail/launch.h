/* SPDX-License-Identifier: MIT */
/* Launches by macro, shared memory of dynamic size, bounds of a kernel. */
#pragma once

#include <hip/detail/modules.h>

#include <tuple>
#include <utility>

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...) \
  kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__)

#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// With one bound the most work-items of a workgroup; with two also the least waves per SIMD.
#define RPL_HIP_BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define RPL_HIP_BOUNDS_2(threads, waves) __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define RPL_HIP_BOUNDS(threads, waves, macro, ...) macro
#define __launch_bounds__(...) RPL_HIP_BOUNDS(__VA_ARGS__, RPL_HIP_BOUNDS_2, RPL_HIP_BOUNDS_1, )(__VA_ARGS__)

namespace rpl_hip {

/// Arguments by value, and a pointer to each.
template <class... Parameters>
struct LaunchArguments {
  std::tuple<Parameters...> values;
  void* pointers[sizeof...(Parameters) + 1];
  explicit LaunchArguments(Parameters... given) : values(given...) { point(std::index_sequence_for<Parameters...>()); }
  template <std::size_t... I>
  void point(std::index_sequence<I...>) {
    void* all[] = {static_cast<void*>(&std::get<I>(values))..., nullptr};
    for (std::size_t i = 0; i <= sizeof...(Parameters); ++i) pointers[i] = all[i];
  }
};

}  // namespace rpl_hip

/// With events before and after, as hip/hip_ext.h of HIP has it.
template <class... Parameters, class... Arguments>
inline void hipExtLaunchKernelGGL(void (*kernel)(Parameters...), const dim3& grid, const dim3& block, unsigned shared_bytes, hipStream_t stream,
                                  hipEvent_t start, hipEvent_t stop, unsigned flags, Arguments... arguments) {
  // The arguments as the kernel has them: a float given for a double must become one.
  rpl_hip::LaunchArguments<Parameters...> as_declared(static_cast<Parameters>(arguments)...);
  (void)hipExtLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, as_declared.pointers, shared_bytes, stream, start, stop,
                           static_cast<int>(flags));
}
