// SPDX-License-Identifier: MIT
// The next element is loaded ahead, and then waited for at once.
// fault: strict-waits
// launch: --grid 77824 --workgroup 256 --arg f32:random(1):4747264 --arg f32:zero:77824
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, now = in[i];
#pragma unroll 1
  for (int k = 1; k < 60; ++k) {
    const float next = in[i + k * 77824];
    __builtin_amdgcn_s_waitcnt(0x0f70);  // fault
    for (int n = 0; n < 150; ++n) sum = sum * 0.5f + now;
    now = next;
  }
  out[i] = sum + now;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, now = in[i];
#pragma unroll 1
  for (int k = 1; k < 60; ++k) {
    const float next = in[i + k * 77824];
    for (int n = 0; n < 150; ++n) sum = sum * 0.5f + now;
    now = next;
  }
  out[i] = sum + now;
}
