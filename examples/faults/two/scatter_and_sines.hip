// SPDX-License-Identifier: MIT
// Each element needs a sine of full precision, and is stored in another row.
// fault: uncoalesced-store,transcendentals
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 12; ++k) v = __sinf(v) + __expf(v) * 0.1f;  // fault
  out[(i & 1023) * 1024 + (i >> 10)] = v;                         // fault
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 12; ++k) v = v * (1 - v * v * 0.16f) + (1 + v * (1 + v * 0.5f)) * 0.1f;
  out[i] = v;
}
