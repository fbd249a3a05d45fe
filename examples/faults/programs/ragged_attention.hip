// SPDX-License-Identifier: MIT
// Attention over lists of keys of very different lengths: a workgroup takes a list, or an equal share of all.
// fault: load-imbalance
// launch: --grid 311296 --workgroup 64 --arg f32:random(1):4096 --arg f32:random(2):262144 --arg f32:zero:311296
#include <hip/hip_runtime.h>
__device__ int keys_of(unsigned q) { return q % 128 == 5 ? 4096 : 64; }
__device__ float attend(const float* k, float q, int from, int count) {
  float sum = 0, most = -1e30f;
  for (int j = 0; j < count; ++j) { // fault
    const float s = q * k[((from + j) * 64 + threadIdx.x) & 262143];
    most = fmaxf(most, s);
    sum += s * 0.125f + most;
  }
  return sum;
}
extern "C" __global__ void slow(const float* q, const float* k, float* out) {
  out[blockIdx.x * 64 + threadIdx.x] = attend(k, q[blockIdx.x & 4095], blockIdx.x, keys_of(blockIdx.x));
}
extern "C" __global__ void fast(const float* q, const float* k, float* out) {
  out[blockIdx.x * 64 + threadIdx.x] = attend(k, q[blockIdx.x & 4095], blockIdx.x, (127 * 64 + 4096) / 128);
}
