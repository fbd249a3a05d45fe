// SPDX-License-Identifier: MIT
// A decision tree is walked from its root: each node says which one is next.
// fault: dependency-chain
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):65536 --arg f32:random(2):1048576 --arg f32:zero:65536
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, const float* node, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = in[i];
  unsigned at = 1;
#pragma unroll 1
  for (int k = 0; k < 18; ++k) at = 2 * at + (node[at] < v ? 1 : 0);  // fault
  out[i] = float(at);
}
