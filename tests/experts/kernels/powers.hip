// SPDX-License-Identifier: MIT
// Powers with small whole exponents.
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):65536 --arg f32:zero:65536 --arg i32:65536
// expert: --workgroup 256
#include <hip/hip_runtime.h>

extern "C" __global__ void powers(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < 32; ++k) v = 0.1f + powf(v, 2.0f) * 0.5f + powf(v, 3.0f) * 0.25f;
  y[i] = v;
}
