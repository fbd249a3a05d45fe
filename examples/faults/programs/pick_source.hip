// SPDX-License-Identifier: MIT
// Lookups in a table whose first part lies in LDS: one pointer for both, or a branch.
// fault: flat-access
// launch: --grid 262144 --workgroup 256 --arg i32:random(3):262144 --arg f32:random(1):4096 --arg f32:zero:262144
#include <hip/hip_runtime.h>
constexpr int kNear = 1024;
struct Table {
  const float* data;
  __device__ float operator[](int k) const { return data[k]; } // fault
};
extern "C" __global__ void slow(const int* keys, const float* far, float* out) {
  __shared__ float near[kNear];
  for (int k = threadIdx.x; k < kNear; k += 256) near[k] = far[k];
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  int key = keys[i] & 4095;
  float sum = 0;
#pragma unroll 1
  for (int s = 0; s < 16; ++s) {
    const Table t{key < kNear ? near : far};
    sum += t[key]; // fault
    key = (key * 5 + 1) & 4095;
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const int* keys, const float* far, float* out) {
  __shared__ float near[kNear];
  for (int k = threadIdx.x; k < kNear; k += 256) near[k] = far[k];
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  int key = keys[i] & 4095;
  float sum = 0;
#pragma unroll 1
  for (int s = 0; s < 16; ++s) {
    const bool here = key < kNear;
    const float a = near[here ? key : 0], b = far[key];
    sum += here ? a : b;
    key = (key * 5 + 1) & 4095;
  }
  out[i] = sum;
}
