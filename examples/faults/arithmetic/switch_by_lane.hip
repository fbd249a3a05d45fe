// SPDX-License-Identifier: MIT
// A switch with four cases, chosen by the element.
// fault: divergence
// launch: --grid 524288 --workgroup 256 --arg i32:iota:524288 --arg f32:zero:524288
#include <hip/hip_runtime.h>

template <int kCase>
__device__ float work(float v) {
  for (int k = 0; k < 80; ++k) v = kCase == 0 ? v * 0.9f + 0.1f : kCase == 1 ? v * v + 0.2f : kCase == 2 ? v - 0.3f * v : 0.4f - v;
  return v;
}
__device__ float choose(int kind, float v) {
  switch (kind) {  // fault
    case 0: return work<0>(v);
    case 1: return work<1>(v);
    case 2: return work<2>(v);
    default: return work<3>(v);
  }
}
extern "C" __global__ void slow(const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = choose(in[i] & 3, i * 1e-6f);
}
extern "C" __global__ void fast(const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = choose((in[i] >> 6) & 3, i * 1e-6f);
}
