// SPDX-License-Identifier: MIT
// Real parts from pairs, four of them apart.
// fault: uncoalesced-load
// launch: --grid 2097152 --workgroup 256 --arg f32:random(1):16777216 --arg f32:zero:2097152
#include <hip/hip_runtime.h>

struct Quad { float a, b, c, d, e, f, g, h; };
extern "C" __global__ void slow(const Quad* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].a + 1.0f;  // fault
}
extern "C" __global__ void fast(const float* a, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] + 1.0f;
}
