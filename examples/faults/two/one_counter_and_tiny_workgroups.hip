// SPDX-License-Identifier: MIT
// Workgroups of one wave add to one counter, a work-item at a time.
// fault: contended-atomics,small-workgroups
// launch: --grid 524288 --workgroup 64 --arg f32:random(1):524288 --arg i32:zero:1
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0.25f) atomicAdd(count, int(in[i] * 100));  // fault
}
