// SPDX-License-Identifier: MIT
// A saxpy of 32 MB.
// fault: bandwidth-used-up
// launch: --grid 4194304 --workgroup 256 --arg f32:random(1):4194304 --arg f32:random(2):4194304
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2.5f * x[i] + y[i];
}
