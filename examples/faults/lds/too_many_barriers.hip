// SPDX-License-Identifier: MIT
// A barrier in each step of a loop whose waves share nothing.
// fault: barriers
// launch: --grid 311296 --workgroup 1024 --arg f32:random(1):311296 --arg f32:zero:311296
#include <hip/hip_runtime.h>

template <bool kBarrier>
__device__ void walk(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 128; ++k) {
    v += in[(i + k * 64 * (1 + threadIdx.x / 64)) & 262143];
    if (kBarrier) __syncthreads();  // fault
  }
  out[i] = v;
}

extern "C" __global__ void slow(const float* in, float* out) { walk<true>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { walk<false>(in, out); }
