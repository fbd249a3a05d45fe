// SPDX-License-Identifier: MIT
// A ring of loads in flight, and a wait for all of them in each step.
// fault: strict-waits
// launch: --grid 77824 --workgroup 256 --arg f32:random(1):9961472 --arg f32:zero:77824
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = in[i + 77824], sum = 0;
#pragma unroll 1
  for (int k = 2; k < 120; k += 2) {
    const float c = in[i + k * 77824];
    __builtin_amdgcn_s_waitcnt(0x0f70);  // fault
    for (int n = 0; n < 100; ++n) sum = sum * a + 0.5f;
    const float d = in[i + (k + 1) * 77824];
    __builtin_amdgcn_s_waitcnt(0x0f70);  // fault
    for (int n = 0; n < 100; ++n) sum = sum * b + 0.5f;
    a = c;
    b = d;
  }
  out[i] = sum + a + b;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = in[i + 77824], sum = 0;
#pragma unroll 1
  for (int k = 2; k < 120; k += 2) {
    const float c = in[i + k * 77824];
    for (int n = 0; n < 100; ++n) sum = sum * a + 0.5f;
    const float d = in[i + (k + 1) * 77824];
    for (int n = 0; n < 100; ++n) sum = sum * b + 0.5f;
    a = c;
    b = d;
  }
  out[i] = sum + a + b;
}
