// SPDX-License-Identifier: MIT
// The sum of an array: shuffles within a wave, LDS between the waves of a workgroup, one atomic for each workgroup.
#include <hip/hip_runtime.h>

constexpr int kWave = 64;

extern "C" __global__ void reduce(const float* in, float* sum, int n) {
  __shared__ float partial[1024 / kWave];
  float value = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    value += in[i];
  }
  for (int step = kWave / 2; step > 0; step /= 2) value += __shfl_down(value, step);
  const int wave = threadIdx.x / kWave;
  const int lane = threadIdx.x % kWave;
  if (lane == 0) partial[wave] = value;
  __syncthreads();
  if (wave != 0) return;
  const int waves = (blockDim.x + kWave - 1) / kWave;
  value = lane < waves ? partial[lane] : 0.0f;
  for (int step = kWave / 2; step > 0; step /= 2) value += __shfl_down(value, step);
  if (lane == 0) atomicAdd(sum, value);
}
