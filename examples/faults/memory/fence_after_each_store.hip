// SPDX-License-Identifier: MIT
// Loads that are not needed yet are waited for before each step, by hand.
// fault: strict-waits
// launch: --grid 77824 --workgroup 256 --arg f32:random(1):8388608 --arg f32:zero:77824
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = in[i + 77824], sum = 0;
#pragma unroll 1
  for (int k = 2; k < 62; k += 2) {
    const float c = in[i + k * 77824], d = in[i + (k + 1) * 77824];
    __builtin_amdgcn_s_waitcnt(0x0f70);  // fault
    for (int n = 0; n < 150; ++n) sum = sum * a + b;
    a = c;
    b = d;
  }
  out[i] = sum + a + b;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = in[i + 77824], sum = 0;
#pragma unroll 1
  for (int k = 2; k < 62; k += 2) {
    const float c = in[i + k * 77824], d = in[i + (k + 1) * 77824];
    for (int n = 0; n < 150; ++n) sum = sum * a + b;
    a = c;
    b = d;
  }
  out[i] = sum + a + b;
}
