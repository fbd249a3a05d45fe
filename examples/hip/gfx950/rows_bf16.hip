// SPDX-License-Identifier: MIT
// Softmax and layer normalization of rows of bfloat16, a workgroup of 256 for each row of up to 8192 numbers, which it keeps in registers. Sums of a wave come together by
// v_permlane32_swap and v_permlane16_swap, which no GPU before gfx950 has, and by ds_swizzle; those of the four waves through LDS.
#include <hip/hip_runtime.h>

constexpr int kItems = 256, kWaves = 4;
constexpr int kEach = 32;  // of softmax, one load for each
constexpr int kPacks = 4;  // of layer normalization, eight numbers in each

using Eight = __bf16 __attribute__((ext_vector_type(8)));
using Pair = unsigned __attribute__((ext_vector_type(2)));

struct Sum {
  __device__ static float of(float a, float b) { return a + b; }
};
struct Most {
  __device__ static float of(float a, float b) { return __builtin_elementwise_maximum(a, b); }
};

template <class Of>
__device__ float of_halves(Pair both) {
  const unsigned first = both[0], second = both[1];
  return Of::of(__builtin_bit_cast(float, first), __builtin_bit_cast(float, second));
}

// With the lane whose number differs in one bit: bit mode, or-mask 0, and-mask 31.
template <class Of, int kOther>
__device__ float with_other(float mine) {
  return Of::of(mine, __builtin_bit_cast(float, __builtin_amdgcn_ds_swizzle(__builtin_bit_cast(int, mine), kOther << 10 | 31)));
}

// Of all lanes of the workgroup, in each of them. `parts` is free again behind the next barrier.
template <class Of>
__device__ float of_workgroup(float mine, float* parts) {
  unsigned bits = __builtin_bit_cast(unsigned, mine);
  mine = of_halves<Of>(__builtin_amdgcn_permlane32_swap(bits, bits, false, false));
  bits = __builtin_bit_cast(unsigned, mine);
  mine = of_halves<Of>(__builtin_amdgcn_permlane16_swap(bits, bits, false, false));
  mine = with_other<Of, 1>(with_other<Of, 2>(with_other<Of, 4>(with_other<Of, 8>(mine))));
  if (threadIdx.x % 64 == 0) parts[threadIdx.x / 64] = mine;
  __syncthreads();
  float all = parts[0];
  for (int wave = 1; wave < kWaves; ++wave) all = Of::of(all, parts[wave]);
  return all;
}

extern "C" __global__ __launch_bounds__(kItems) void softmax_bf16(const __bf16* in, __bf16* out, int columns) {
  __shared__ float parts[2][kWaves];
  const long row = static_cast<long>(blockIdx.x) * columns;
  constexpr float kPowersOfTwo = 1.4426950408889634f;
  float numbers[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    // Never behind the end of the row, so that all loads are under way before the first is waited for.
    const int column = i * kItems + threadIdx.x;
    const float number = static_cast<float>(in[row + (column < columns ? column : 0)]);
    numbers[i] = column < columns ? number : -__builtin_inff();
  }
  float most = numbers[0];
  for (int i = 1; i < kEach; ++i) most = Most::of(most, numbers[i]);
  most = of_workgroup<Most>(most, parts[0]);
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    numbers[i] = __builtin_exp2f((numbers[i] - most) * kPowersOfTwo);
    sum += numbers[i];
  }
  const float scale = 1.0f / of_workgroup<Sum>(sum, parts[1]);
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int column = i * kItems + threadIdx.x;
    if (column < columns) out[row + column] = static_cast<__bf16>(numbers[i] * scale);
  }
}

// columns is a multiple of 8.
extern "C" __global__ __launch_bounds__(kItems) void layer_norm_bf16(const Eight* in, const Eight* gain, const Eight* shift, Eight* out, int columns, float epsilon) {
  __shared__ float parts[2][kWaves];
  const int packs = columns / 8;
  const long row = static_cast<long>(blockIdx.x) * packs;
  Eight eights[kPacks], gains[kPacks], shifts[kPacks];
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int pack = i * kItems + threadIdx.x, there = pack < packs ? pack : 0;
    eights[i] = in[row + there];
    gains[i] = gain[there];
    shifts[i] = shift[there];
  }
  float numbers[kPacks][8];
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const bool there = i * kItems + static_cast<int>(threadIdx.x) < packs;
    for (int j = 0; j < 8; ++j) sum += numbers[i][j] = there ? static_cast<float>(eights[i][j]) : 0.0f;
  }
  const float mean = of_workgroup<Sum>(sum, parts[0]) / columns;
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const bool there = i * kItems + static_cast<int>(threadIdx.x) < packs;
    for (int j = 0; j < 8; ++j) {
      numbers[i][j] -= mean;
      squares += there ? numbers[i][j] * numbers[i][j] : 0.0f;
    }
  }
  const float scale = 1.0f / __builtin_sqrtf(of_workgroup<Sum>(squares, parts[1]) / columns + epsilon);
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int pack = i * kItems + threadIdx.x;
    Eight result;
    for (int j = 0; j < 8; ++j) result[j] = static_cast<__bf16>(numbers[i][j] * scale * static_cast<float>(gains[i][j]) + static_cast<float>(shifts[i][j]));
    if (pack < packs) out[row + pack] = result;
  }
}
