// SPDX-License-Identifier: MIT
// Prefix sums of 1024 values: eighteen barriers in a workgroup of sixteen waves, and one with scans inside of waves.
// fault: barriers
// launch: --grid 1048576 --workgroup 1024 --arg i32:random(2):1048576 --arg i32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ __launch_bounds__(1024) void slow(const int* in, int* out) {
  __shared__ int values[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  values[t] = in[i];
  __syncthreads();
  for (int d = 1; d < 1024; d <<= 1) {
    const int other = t >= d ? values[t - d] : 0;
    __syncthreads();  // fault
    values[t] += other;
    __syncthreads();  // fault
  }
  out[i] = values[t];
}
extern "C" __global__ __launch_bounds__(1024) void fast(const int* in, int* out) {
  __shared__ int of_wave[16];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t, lane = t & 63, wave = t >> 6;
  int sum = in[i];
  for (int d = 1; d < 64; d <<= 1) {
    const int other = __shfl_up(sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 63) of_wave[wave] = sum;
  __syncthreads();
  int before = 0;
  for (int k = 0; k < wave; ++k) before += of_wave[k];
  out[i] = sum + before;
}
