// SPDX-License-Identifier: MIT
// A 9-tap filter over 150 values of a lane under a bound of 1024 work-items, which leaves too few registers.
// fault: register-spills
// launch: --grid 77824 --workgroup 256 --arg f32:random(1):11673600 --arg f32:zero:11673600
#include <hip/hip_runtime.h>
template <int N> __device__ void filter(const float* in, float* out) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x, n = gridDim.x * 256;
  float v[N], w[N];
#pragma unroll
  for (int k = 0; k < N; ++k) v[k] = in[k * n + i]; // fault
#pragma unroll 1
  for (int turn = 0; turn < 6; ++turn) {
#pragma unroll
    for (int k = 0; k < N; ++k) w[k] = 0.5f * v[k] + 0.2f * v[(k + 1) % N] + 0.2f * v[(k + 5) % N] + 0.1f * v[(k + 17) % N]; // fault
#pragma unroll
    for (int k = 0; k < N; ++k) v[k] = w[(k * 7) % N]; // fault
  }
#pragma unroll
  for (int k = 0; k < N; ++k) out[k * n + i] = v[k]; // fault
}
extern "C" __launch_bounds__(1024, 8) __global__ void slow(const float* in, float* out) { filter<150>(in, out); }
