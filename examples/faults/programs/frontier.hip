// SPDX-License-Identifier: MIT
// BFS frontier: the neighbours of a vertex are walked by its lane (degrees differ between neighbours), or all have the mean.
// fault: divergence
// launch: --grid 262144 --workgroup 256 --arg u32:random(7):262144 --arg u32:zero:262144
#include <hip/hip_runtime.h>
typedef unsigned u;
__device__ u visit(u v, u degree) {
  u seen = v;
  for (u k = 0; k < degree; ++k) { // fault
    seen ^= seen << 13;
    seen ^= seen >> 17;
    seen ^= seen << 5;
    seen += k;
  }
  return seen;
}
extern "C" __global__ void slow(const u* v, u* out) {
  u i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = visit(v[i], i * 2654435761u >> 28 == 3 ? 160 : 10);
}
extern "C" __global__ void fast(const u* v, u* out) {
  u i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = visit(v[i], (i / 64) * 2654435761u >> 28 == 3 ? 160 : 10);
}
