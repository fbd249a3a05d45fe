// SPDX-License-Identifier: MIT
// Counts of the low byte of each value: LDS atomics for each workgroup, global atomics to merge.
#include <hip/hip_runtime.h>

constexpr int kBins = 256;

extern "C" __global__ void histogram(const unsigned int* in, unsigned int* bins, int n) {
  __shared__ unsigned int local[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[in[i] % kBins], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    if (local[bin] != 0) atomicAdd(&bins[bin], local[bin]);
  }
}
