// SPDX-License-Identifier: MIT
// A product of tiles in LDS with padding.
// fault: nothing-of-note,compute-used-up,dependent-loads,bandwidth-used-up,barriers,address-arithmetic
// launch: --grid 1024,1024 --workgroup 16,16 --arg f32:random(1):1048576 --arg f32:random(2):1048576 --arg f32:zero:1048576 --arg i32:256
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* a, const float* b, float* c, int n) {
  __shared__ float x[16][17], y[16][17];
  const int column = (blockIdx.x * 16 + threadIdx.x) % n, row = (blockIdx.y * 16 + threadIdx.y) % n;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    x[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    y[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += x[threadIdx.y][i] * y[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
