// SPDX-License-Identifier: MIT
// A copy that moves what it must.
// fault: bandwidth-used-up
// launch: --grid 8388608 --workgroup 256 --arg f32:random(1):8388608 --arg f32:zero:8388608
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
