// SPDX-License-Identifier: MIT
// Rows of a triangular product: workgroup b takes b + 1 tiles, or a long and a short one make a pair.
// fault: load-imbalance
// launch: --grid 77824 --workgroup 128 --arg f32:random(1):65536 --arg f32:zero:77824
#include <hip/hip_runtime.h>
__device__ float tiles(const float* a, int first, int count) {
  float s = 0;
  for (int k = 0; k < count; ++k) s = s * 0.99f + a[((first + k) * 128 + threadIdx.x) & 65535]; // fault
  return s;
}
extern "C" __global__ void slow(const float* a, float* out) { out[blockIdx.x * 128 + threadIdx.x] = tiles(a, 0, blockIdx.x + 1); }
extern "C" __global__ void fast(const float* a, float* out) { out[blockIdx.x * 128 + threadIdx.x] = tiles(a, 0, (gridDim.x + 1) / 2); }
