// SPDX-License-Identifier: MIT
// A kernel that keeps 200 values and so runs few waves.
// fault: register-spills
// launch: --grid 311296 --workgroup 64 --arg f32:random(1):4194304 --arg f32:zero:311296
#include <hip/hip_runtime.h>

template <int kRegisters>
__device__ void keep(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[kRegisters];
#pragma unroll
  for (int k = 0; k < kRegisters; ++k) v[k] = k * 0.5f + i;
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < 12; ++round) {
    const float x = in[(i * 3 + round * 131071 + (sum > 1e30f)) & 4194303];
    sum += x;
    v[round & 1] += x;
#pragma unroll
    for (int k = 0; k < kRegisters; ++k) asm volatile("" : "+v"(v[k]));
  }
#pragma unroll
  for (int k = 0; k < kRegisters; ++k) sum += v[k];
  out[i] = sum;
}
extern "C" __global__ void slow(const float* in, float* out) { keep<200>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { keep<20>(in, out); }
