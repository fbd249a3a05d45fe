// SPDX-License-Identifier: MIT
// Interpolation in a table of which each workgroup of 64 keeps a copy of 32 KiB, or only the quarter that it needs.
// fault: lds-limited-occupancy
// launch: --grid 311296 --workgroup 64 --arg f32:random(1):8192 --arg f32:random(2):9961472 --arg f32:zero:311296
#include <hip/hip_runtime.h>
template <int N> __device__ void interpolate(const float* table, const float* x, float* y) {
  __shared__ float copy[N];
  for (int k = threadIdx.x; k < 512; k += 64) copy[k] = table[k];
  if (threadIdx.x == 0) copy[N - 1] = 1;
  __syncthreads();
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    const float v = x[k * 311296u + i];
    const int at = (int)(fabsf(v) * 300.0f) & 511;
    s += copy[at] * v + copy[N - 1]; // fault
  }
  y[i] = s;
}
extern "C" __global__ void slow(const float* t, const float* x, float* y) { interpolate<8192>(t, x, y); }
extern "C" __global__ void fast(const float* t, const float* x, float* y) { interpolate<513>(t, x, y); }
