// SPDX-License-Identifier: MIT
// One field of an array of structures of 64 bytes.
// fault: uncoalesced-load
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):16777216 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

struct Cell { float field[16]; };

extern "C" __global__ void slow(const Cell* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].field[3] * 2.0f;  // fault
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2.0f;
}
