// SPDX-License-Identifier: MIT
// A reduction in LDS whose active work-items lie 2, 4, 8 ... apart.
// fault: lds-bank-conflicts,divergence
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524288 --arg f32:zero:2048
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  __shared__ float part[1024];
  const int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) part[k * 256 + t] = in[(blockIdx.x * 256 + t + k * 97) & 524287];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 40; ++k) sum += part[(t * 32 + k * 8) & 1023];  // fault
  if (t == 0) out[blockIdx.x] = sum;
  else if (sum == 12345.5f) out[0] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  __shared__ float part[1024];
  const int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) part[k * 256 + t] = in[(blockIdx.x * 256 + t + k * 97) & 524287];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 40; ++k) sum += part[(t + k * 8) & 1023];
  if (t == 0) out[blockIdx.x] = sum;
  else if (sum == 12345.5f) out[0] = sum;
}
