// SPDX-License-Identifier: MIT
// Layer normalization of rows of half precision: out = (in - mean) / sqrt(variance + epsilon) * gain + shift, one workgroup of up to 1024
// work-items for each row. Eight halves are loaded and stored at once, so columns is a multiple of 8; sums are in single precision, of
// the mean first and then of the squared distances from it, so that a large mean cancels nothing.
#include <hip/hip_runtime.h>

constexpr int kWave = 64;
constexpr int kPack = 8;

using Halves = _Float16 __attribute__((ext_vector_type(kPack)));

// The sum over the workgroup, in every work-item: shuffles within a wave, LDS between waves.
__device__ float sum_of_workgroup(float value) {
  __shared__ float partial[1024 / kWave];
  for (int step = kWave / 2; step > 0; step /= 2) value += __shfl_xor(value, step);
  if (threadIdx.x % kWave == 0) partial[threadIdx.x / kWave] = value;
  __syncthreads();
  float sum = 0.0f;
  for (int wave = 0; wave < (blockDim.x + kWave - 1) / kWave; ++wave) sum += partial[wave];
  __syncthreads();  // the next call writes partial again
  return sum;
}

extern "C" __global__ void layer_norm(const _Float16* in, const _Float16* gain, const _Float16* shift, _Float16* out,
                                      int columns, float epsilon) {
  const int packs = columns / kPack;
  const Halves* x = reinterpret_cast<const Halves*>(in) + static_cast<long>(blockIdx.x) * packs;
  Halves* y = reinterpret_cast<Halves*>(out) + static_cast<long>(blockIdx.x) * packs;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < packs; i += blockDim.x) {
    const Halves pack = x[i];
    for (int j = 0; j < kPack; ++j) sum += static_cast<float>(pack[j]);
  }
  const float mean = sum_of_workgroup(sum) / columns;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < packs; i += blockDim.x) {
    const Halves pack = x[i];
    for (int j = 0; j < kPack; ++j) {
      const float distance = static_cast<float>(pack[j]) - mean;
      squares += distance * distance;
    }
  }
  const float scale = 1.0f / sqrtf(sum_of_workgroup(squares) / columns + epsilon);
  for (int i = threadIdx.x; i < packs; i += blockDim.x) {
    const Halves pack = x[i], gains = reinterpret_cast<const Halves*>(gain)[i],
                 shifts = reinterpret_cast<const Halves*>(shift)[i];
    Halves result;
    for (int j = 0; j < kPack; ++j) {
      const float normal = (static_cast<float>(pack[j]) - mean) * scale;
      result[j] = static_cast<_Float16>(normal * static_cast<float>(gains[j]) + static_cast<float>(shifts[j]));
    }
    y[i] = result;
  }
}
