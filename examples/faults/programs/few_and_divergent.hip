// SPDX-License-Identifier: MIT
// Two faults: 64 workgroups for all, whose lanes take different ways by parity.
// fault: small-grid,divergence
// launch: --grid 8192 --workgroup 128 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:128
// launch fast: --grid 262144 --workgroup 128 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:4
#include <hip/hip_runtime.h>
__device__ float odd(float x) { for (int k = 0; k < 20; ++k) x = x * 0.9f + 0.1f; return x; }
__device__ float even(float x) { for (int k = 0; k < 20; ++k) x = 0.5f - x * x; return x; }
extern "C" __global__ void slow(const float* in, float* out, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < each; ++k) {
    const int at = k * n + i;
    if (at & 1) out[at] = odd(in[at]); // fault
    else out[at] = even(in[at]); // fault
  }
}
extern "C" __global__ void fast(const float* in, float* out, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < each; ++k) {
    const int at = k * n + i;
    if (blockIdx.x & 1) out[at] = odd(in[at]);
    else out[at] = even(in[at]);
  }
}
