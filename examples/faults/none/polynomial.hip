// SPDX-License-Identifier: MIT
// A polynomial of high degree, all lanes busy.
// fault: compute-used-up
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (int k = 0; k < 400; ++k) sum = sum * v + 0.25f;
  out[i] = sum;
}
