// SPDX-License-Identifier: MIT
// Few large workgroups, which leave most compute units without work.
// launch: --grid 16384 --workgroup 1024 --arg f32:random(1):16384 --arg f32:zero:16384 --arg i32:16384 --arg i32:200
// expert: --workgroup 64
#include <hip/hip_runtime.h>

extern "C" __global__ void few_groups(const float* x, float* y, int n, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < turns; ++k) v = v * 0.999f + sqrtf(fabsf(v)) * 0.001f;
  y[i] = v;
}
