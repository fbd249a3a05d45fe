// SPDX-License-Identifier: MIT
// A state of 120 values a lane that a table is added to in turn, in registers; or half of the lanes' state each, with twice the lanes.
// fault: register-limited-occupancy
// launch: --grid 155648 --workgroup 256 --arg f32:random(1):8388608 --arg f32:zero:311296
// launch fast: --grid 311296 --workgroup 256 --arg f32:random(1):8388608 --arg f32:zero:311296
#include <hip/hip_runtime.h>
template <int N> __device__ float taps(const float* in, unsigned i) {
  float v[N];
#pragma unroll
  for (int k = 0; k < N; ++k) v[k] = 0.01f * k;
  unsigned at = i;
#pragma unroll 1
  for (int r = 0; r < 16; ++r) {
    const float x = in[at & 8388607u]; // fault
    at += 311296u + (x > 2.0f);
#pragma unroll
    for (int k = 0; k < N; ++k) v[k] += x * (k + 1); // fault
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) s += v[k] * v[k]; // fault
  return s;
}
extern "C" __global__ void slow(const float* in, float* out) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = taps<120>(in, i); }
extern "C" __global__ void fast(const float* in, float* out) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = taps<60>(in, i); }
