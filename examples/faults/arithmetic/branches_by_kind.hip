// SPDX-License-Identifier: MIT
// Each lane goes the way of its element's kind, and kinds are mixed; the compiler merges the comparisons into code of no line. In the fast kernel 64 neighbours are of one kind.
// fault: divergence
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

__device__ float longer(float x) {
  for (int k = 0; k < 80; ++k) x = x * 0.999f + 0.001f * x * x;  // fault
  return x;
}
__device__ float longest(float x) {
  for (int k = 0; k < 120; ++k) x = x - 0.01f * x * x * x + 0.2f;  // fault
  return x;
}
__device__ float by_kind(unsigned kind, float x) {
  if (kind == 0) return x;            // fault
  if (kind == 1) return longer(x);    // fault
  if (kind == 2) return longest(x);   // fault
  return -x;
}

extern "C" __global__ void slow(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = by_kind(i * 2654435761U >> 30, in[i]);
}
extern "C" __global__ void fast(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = by_kind(i / 64 * 2654435761U >> 30, in[i]);
}
