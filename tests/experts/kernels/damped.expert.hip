// SPDX-License-Identifier: MIT
// Numbers that are doubles among floats.
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):65536 --arg f32:zero:65536 --arg i32:65536 --arg i32:64
// expert: --workgroup 256
#include <hip/hip_runtime.h>

extern "C" __global__ void damped(const float* x, float* y, int n, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], speed = 0.0f;
  for (int k = 0; k < turns; ++k) {
    speed = speed * 0.99f - v * 0.01f;
    v += speed * 0.1f;
  }
  y[i] = v;
}
