// SPDX-License-Identifier: MIT
// The covariance of 256 features over 512 samples of half precision, by vector instructions and by matrix units.
// fault: matrix-units-idle
// launch: --grid 256,256 --workgroup 16,16 --arg f16:random(1):131072 --arg f32:zero:65536
// launch fast: --grid 1024,16 --workgroup 64 --arg f16:random(1):131072 --arg f32:zero:65536
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));

constexpr int kFeatures = 256, kSamples = 512, kTile = 16;

// Features are rows of samples: c = x * transpose(x).
extern "C" __global__ void slow(const _Float16* x, float* c) {
  __shared__ float a[kTile][kTile + 1], b[kTile][kTile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * kTile, row = blockIdx.y * kTile;
  float sum = 0;
  for (int s = 0; s < kSamples; s += kTile) {
    a[ty][tx] = x[(row + ty) * kSamples + s + tx];
    b[ty][tx] = x[(column + ty) * kSamples + s + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += a[ty][k] * b[tx][k];  // fault
    __syncthreads();
  }
  c[(row + ty) * kFeatures + column + tx] = sum;
}

// A wave has a tile of 16 by 16.
extern "C" __global__ void fast(const _Float16* x, float* c) {
  const int lane = threadIdx.x, column = blockIdx.x * kTile, row = blockIdx.y * kTile;
  const _Float16* a = x + (row + lane % 16) * kSamples + lane / 16 * 4;
  const _Float16* b = x + (column + lane % 16) * kSamples + lane / 16 * 4;
  float4v sum = {0, 0, 0, 0};
  for (int s = 0; s < kSamples; s += 16) {
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(*reinterpret_cast<const half4*>(a + s), *reinterpret_cast<const half4*>(b + s), sum, 0, 0, 0);
  }
  for (int k = 0; k < 4; ++k) c[(row + lane / 16 * 4 + k) * kFeatures + column + lane % 16] = sum[k];
}
