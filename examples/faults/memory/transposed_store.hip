// SPDX-License-Identifier: MIT
// A transposition that stores columns.
// fault: uncoalesced-store
// launch: --grid 1024,1024 --workgroup 64,4 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:1024
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x] + 1.0f;  // fault
}

extern "C" __global__ void fast(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = in[y * n + x] + 1.0f;
}
