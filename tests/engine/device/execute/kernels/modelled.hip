// SPDX-License-Identifier: MIT
// Pairs of kernels that do the same work in a good and in a bad way, for the tests of the cycle model.
#include <hip/hip_runtime.h>

extern "C" __global__ void copy_coalesced(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// n = 1024 * stride: work-items next to each other copy elements that lie stride apart.
extern "C" __global__ void copy_strided(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = (i % 1024) * stride + i / 1024;
  out[at] = in[at];
}

template <int kStride>
__device__ void local_sums(float* out, int rounds) {
  __shared__ float local[64 * 32];
  for (int i = threadIdx.x; i < 64 * 32; i += 64) local[i] = i;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < rounds; ++i) sum += local[(threadIdx.x * kStride + i) % (64 * 32)];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

extern "C" __global__ void lds_free(float* out, int rounds) { local_sums<1>(out, rounds); }
extern "C" __global__ void lds_conflicting(float* out, int rounds) { local_sums<32>(out, rounds); }

extern "C" __global__ void sum_rows(const float* in, float* out, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
  out[row] = sum;
}

extern "C" __global__ void sum_rows_unrolled(const float* in, float* out, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 4
  for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
  out[row] = sum;
}

using Sums = float __attribute__((ext_vector_type(16)));
using Halves = _Float16 __attribute__((ext_vector_type(4)));

// As many products of matrix instructions by each type.
extern "C" __global__ void matrix_single(float* out, int rounds) {
  Sums sums = {};
  const float x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) sums = __builtin_amdgcn_mfma_f32_32x32x2f32(x, x, sums, 0, 0, 0);
  out[threadIdx.x] = sums[0];
}
extern "C" __global__ void matrix_half(float* out, int rounds) {
  Sums sums = {};
  const Halves x = __builtin_bit_cast(Halves, static_cast<long>(threadIdx.x));
  for (int i = 0; i < rounds; ++i) sums = __builtin_amdgcn_mfma_f32_32x32x8f16(x, x, sums, 0, 0, 0);
  out[threadIdx.x] = sums[0];
}
