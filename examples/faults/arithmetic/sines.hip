// SPDX-License-Identifier: MIT
// A sine that is computed for every step although it does not change.
// fault: transcendentals
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (float k = 0; k < 64.0f; k += 1.0f) sum += __expf(v + k) + __logf(v + k + 2.0f) + __frsqrt_rn(v + k + 1.0f);  // fault
  out[i] = sum;
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (float k = 0; k < 64.0f; k += 1.0f) sum += (v + k) * 1.5f + (v + k + 2.0f) * 0.25f + (v + k + 1.0f) * 0.125f;
  out[i] = sum;
}
