// SPDX-License-Identifier: MIT
// Candidates that are launched otherwise than their baseline, by the plan that the test names beside each.
#include <hip/hip_runtime.h>

// Captured with 100 rows of 64, workgroups of 64: one work-item a row.
extern "C" __global__ void added(const float* x, float* sums, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
  sums[row] = sum;
}
// As it is: with other workgroups right, with another number of work-items wrong.
extern "C" __global__ void added_same(const float* x, float* sums, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
  sums[row] = sum;
}
extern "C" __global__ void added_wave(const float* x, float* sums, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 64) sum += x[row * columns + i];
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) sums[row] = sum;
}
extern "C" __global__ void added_half_wave(const float* x, float* sums, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 64) sum += x[row * columns + i];
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) sums[row] = sum;
}
// A turn for each lane and no more: as many columns as were captured.
extern "C" __global__ void added_one_turn(const float* x, float* sums, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= rows) return;
  float sum = x[row * columns + lane];
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) sums[row] = sum;
}
// The grid has as many waves as there were rows; with fewer rows it stores past their end.
extern "C" __global__ void added_unguarded(const float* x, float* sums, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  float sum = 0.0f;
  if (row < 100) {
    for (int i = lane; i < columns; i += 64) sum += x[row * columns + i];
  }
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0 && row < 100) sums[row] = sum;
}
extern "C" __global__ void added_four(const float* x, float* sums, int rows, int columns) {
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) * 4, last = min(row + 4, rows); row < last; ++row) {
    float sum = 0.0f;
    for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
    sums[row] = sum;
  }
}
// Rows that are left over are nobody's.
extern "C" __global__ void added_whole_fours(const float* x, float* sums, int rows, int columns) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (first + 4 > rows) return;
  for (int row = first; row < first + 4; ++row) {
    float sum = 0.0f;
    for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
    sums[row] = sum;
  }
}

// Captured with 8 groups of 256, which add up as many numbers each.
extern "C" __global__ void grouped(const int* x, int* sums) {
  __shared__ int part[256];
  part[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
// As it is: in workgroups of half the size half of the numbers are never read.
extern "C" __global__ void grouped_same(const int* x, int* sums) {
  __shared__ int part[256];
  part[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
extern "C" __global__ void grouped_pairs(const int* x, int* sums) {
  __shared__ int part[128];
  part[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x] + x[blockIdx.x * 256 + threadIdx.x + 128];
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
extern "C" __global__ void grouped_wave(const int* x, int* sums) {
  int sum = 0;
  for (int i = threadIdx.x; i < 256; i += 64) sum += x[blockIdx.x * 256 + i];
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
// LDS that the launch brings: 512 bytes are asked for.
extern "C" __global__ void grouped_dynamic(const int* x, int* sums) {
  extern __shared__ int own[];
  own[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x] + x[blockIdx.x * 256 + threadIdx.x + 128];
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) own[threadIdx.x] += own[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = own[0];
}
