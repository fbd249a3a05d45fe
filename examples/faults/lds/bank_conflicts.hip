// SPDX-License-Identifier: MIT
// A tile in LDS whose rows are 32 words long is walked by columns.
// fault: lds-bank-conflicts
// launch: --grid 1024,256 --workgroup 32,8 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:1024
#include <hip/hip_runtime.h>

template <int kPad>
__device__ void rotate_tile(const float* in, float* out, int n) {
  __shared__ float tile[32][32 + kPad];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[threadIdx.x][(threadIdx.y + k) & 31];  // fault
  out[y * n + x] = sum;
}

extern "C" __global__ void slow(const float* in, float* out, int n) { rotate_tile<0>(in, out, n); }
extern "C" __global__ void fast(const float* in, float* out, int n) { rotate_tile<1>(in, out, n); }
