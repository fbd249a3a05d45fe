// SPDX-License-Identifier: MIT
// One lane of eight has work.
// fault: divergence
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if ((i & 7) == 0)  // fault
    for (int k = 0; k < 200; ++k) v = v * 1.01f + 0.5f;
  out[i] = v;
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (i < 131072)
    for (int k = 0; k < 200; ++k) v = v * 1.01f + 0.5f;
  out[i] = v;
}
