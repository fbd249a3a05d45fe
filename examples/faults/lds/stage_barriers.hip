// SPDX-License-Identifier: MIT
// A pipeline in LDS with two barriers for each element of 64.
// fault: barriers
// launch: --grid 155648 --workgroup 512 --arg f32:random(1):262144 --arg f32:zero:155648
#include <hip/hip_runtime.h>

template <bool kBarrier>
__device__ void stages(const float* in, float* out) {
  __shared__ float own[512];
  const int t = threadIdx.x, i = blockIdx.x * 512 + t;
  float v = 0;
  for (int k = 0; k < 64; ++k) {
    own[t] = in[(i * 3 + k * 4099) & 262143];
    if (kBarrier) __syncthreads();  // fault
    v += own[t];
    if (kBarrier) __syncthreads();  // fault
  }
  out[i] = v;
}
extern "C" __global__ void slow(const float* in, float* out) { stages<true>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { stages<false>(in, out); }
