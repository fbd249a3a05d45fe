// SPDX-License-Identifier: MIT
// Results go to places by a permutation of blocks.
// fault: uncoalesced-store
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(i % 1024) * 1024 + i / 1024] = in[i] * 3.0f;  // fault
}
extern "C" __global__ void fast(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 3.0f;
}
