// SPDX-License-Identifier: MIT
// Kernels that come near a peak, and pairs that do the same work in a good and in a bad way, for the tests of the cycle model.
#include <hip/hip_runtime.h>

using Four = float __attribute__((ext_vector_type(4)));
using Two = float __attribute__((ext_vector_type(2)));
using Sixteen = float __attribute__((ext_vector_type(16)));
using Halves = _Float16 __attribute__((ext_vector_type(4)));

// Four times 16 bytes for each work-item, each a grid apart.
extern "C" __global__ void copy_wide(const Four* in, Four* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  Four part[4];
  for (int k = 0; k < 4; ++k) part[k] = in[i + k * all];
  for (int k = 0; k < 4; ++k) out[i + k * all] = part[k];
}

// 128 fused multiply-adds of two neighbours a round in eight independent sums.
extern "C" __global__ void fma_chain(float* out, int rounds) {
  Two sums[8];
  const Two x = {1.0f + threadIdx.x, 0.5f}, y = {0.25f, 0.125f};
  for (int k = 0; k < 8; ++k) sums[k] = x + k;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      for (int k = 0; k < 8; ++k) sums[k] = __builtin_elementwise_fma(sums[k], x, y);
    }
  }
  Two all = {};
  for (int k = 0; k < 8; ++k) all += sums[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = all.x + all.y;
}

// 16 matrix instructions a round, each adding to what the one before it gave.
extern "C" __global__ void matrix_chain(float* out, int rounds) {
  Sixteen sums = {};
  const Halves x = __builtin_bit_cast(Halves, static_cast<long>(threadIdx.x));
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < 16; ++j) sums = __builtin_amdgcn_mfma_f32_32x32x8f16(x, x, sums, 0, 0, 0);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[0] + sums[15];
}

// Tiles of 32 x 32 by workgroups of 32 x 8; `n` a multiple of 32. Read rows of a tile, write its columns.
template <int kPad>
__device__ void transpose_tile(const float* in, float* out, int n) {
  __shared__ float tile[32][32 + kPad];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(v + k) * n + u] = tile[threadIdx.x][threadIdx.y + k];
}
extern "C" __global__ void transpose_unpadded(const float* in, float* out, int n) { transpose_tile<0>(in, out, n); }
extern "C" __global__ void transpose_padded(const float* in, float* out, int n) { transpose_tile<1>(in, out, n); }

// Without LDS: the writes are strided.
extern "C" __global__ void transpose_plain(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[x * n + y + k] = in[(y + k) * n + x];
}

// Each load's address depends on the load before: nothing but more waves hides its latency. `next` holds zeros, `n` is a multiple of the grid.
extern "C" __global__ void follow(const int* next, int* out, int n, int rounds) {
  const int all = gridDim.x * blockDim.x;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    at = next[at] + at + all;
    at = at >= n ? at - n : at;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// C = A * B^T of n x n, n a multiple of 64: tiles of 64 x 64 by workgroups of 256 through LDS, by vector and by matrix instructions.
extern "C" __global__ void product_vector(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][68], bs[16][68];
  const int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4, row = blockIdx.y * 64, column = blockIdx.x * 64;
  Four sums[4] = {};
  for (int k = 0; k < n; k += 16) {
    const Four u = *reinterpret_cast<const Four*>(a + (row + t / 4) * n + k + t % 4 * 4);
    const Four v = *reinterpret_cast<const Four*>(b + (column + t / 4) * n + k + t % 4 * 4);
    for (int i = 0; i < 4; ++i) as[t % 4 * 4 + i][t / 4] = u[i], bs[t % 4 * 4 + i][t / 4] = v[i];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      const Four p = *reinterpret_cast<const Four*>(&as[j][y]), q = *reinterpret_cast<const Four*>(&bs[j][x]);
      for (int i = 0; i < 4; ++i) sums[i] += p[i] * q;
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) *reinterpret_cast<Four*>(c + (row + y + i) * n + column + x) = sums[i];
}

extern "C" __global__ void product_matrix(const Halves* a, const Halves* b, float* c, int n) {
  __shared__ Halves as[64][5], bs[64][5];
  const int t = threadIdx.x, lane = t % 64, wave = t / 64, row = blockIdx.y * 64, column = blockIdx.x * 64;
  const int i = wave / 2 * 32 + lane % 32, j = wave % 2 * 32 + lane % 32;
  Sixteen sums = {};
  for (int k = 0; k < n / 4; k += 4) {
    as[t / 4][t % 4] = a[(row + t / 4) * (n / 4) + k + t % 4];
    bs[t / 4][t % 4] = b[(column + t / 4) * (n / 4) + k + t % 4];
    __syncthreads();
    for (int step = 0; step < 4; step += 2)
      sums = __builtin_amdgcn_mfma_f32_32x32x8f16(as[i][step + lane / 32], bs[j][step + lane / 32], sums, 0, 0, 0);
    __syncthreads();
  }
  for (int r = 0; r < 16; ++r) c[(row + wave / 2 * 32 + r / 4 * 8 + lane / 32 * 4 + r % 4) * n + column + j] = sums[r];
}

// The softmax of examples/hip with a wave for each row instead of a work-item: neighbours read neighbours.
extern "C" __global__ void softmax_by_waves(const float* in, float* out, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= rows) return;
  const float* from = in + row * columns;
  float highest = -__builtin_inff(), sum = 0.0f;
  for (int i = lane; i < columns; i += 64) highest = fmaxf(highest, from[i]);
  for (int k = 32; k > 0; k /= 2) highest = fmaxf(highest, __shfl_xor(highest, k));
  for (int i = lane; i < columns; i += 64) sum += __expf(from[i] - highest);
  for (int k = 32; k > 0; k /= 2) sum += __shfl_xor(sum, k);
  for (int i = lane; i < columns; i += 64) out[row * columns + i] = __expf(from[i] - highest) / sum;
}
