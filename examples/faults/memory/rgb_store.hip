// SPDX-License-Identifier: MIT
// Three bytes of a pixel are stored as three planes would be, 48 bytes apart.
// fault: uncoalesced-store
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:16777216
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * 16 + 5] = in[i] + 0.5f;  // fault
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 0.5f;
}
