// SPDX-License-Identifier: MIT
// RMS norm, a workgroup for eight rows: the sum of squares goes down a tree in LDS with a barrier a level, or through shuffles of a wave.
// fault: barriers
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):2097152 --arg f32:random(2):256 --arg f32:zero:2097152
#include <hip/hip_runtime.h>

namespace {

constexpr int kDim = 256, kRows = 8;

struct TreeSum {
  float* scratch;
  __device__ float operator()(float v) const {
    const int t = threadIdx.x;
    scratch[t] = v;
    __syncthreads();  // fault
    for (int half = kDim / 2; half > 0; half >>= 1) {
      if (t < half) scratch[t] += scratch[t + half];
      __syncthreads();  // fault
    }
    const float all = scratch[0];
    __syncthreads();  // fault
    return all;
  }
};

__device__ float wave_sum(float v) {
#pragma unroll
  for (int d = 32; d; d >>= 1) v += __shfl_xor(v, d);
  return v;
}

}  // namespace

extern "C" __global__ void slow(const float* x, const float* gain, float* y) {
  __shared__ float scratch[kDim];
  const TreeSum sum{scratch};
  const float g = gain[threadIdx.x];
  for (int r = 0; r < kRows; ++r) {
    const size_t at = (blockIdx.x * (size_t)kRows + r) * kDim + threadIdx.x;
    const float v = x[at];
    y[at] = v * g * rsqrtf(sum(v * v) / kDim + 1e-6f);
  }
}

extern "C" __global__ void fast(const float* x, const float* gain, float* y) {
  const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
  const float4 g = reinterpret_cast<const float4*>(gain)[lane];
  for (int r = wave; r < kRows; r += 4) {
    const size_t at = (blockIdx.x * (size_t)kRows + r) * (kDim / 4) + lane;
    const float4 v = reinterpret_cast<const float4*>(x)[at];
    const float s = rsqrtf(wave_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w) / kDim + 1e-6f);
    reinterpret_cast<float4*>(y)[at] = make_float4(v.x * g.x * s, v.y * g.y * s, v.z * g.z * s, v.w * g.w * s);
  }
}
