// SPDX-License-Identifier: MIT
// Random walks on a graph with eight neighbours a vertex: a lane does its four walks one after the other, or all four at once.
// fault: dependency-chain,small-grid
// launch: --grid 32768 --workgroup 64 --arg u32:random(8):262144 --arg u32:zero:131072
#include <hip/hip_runtime.h>

constexpr unsigned kVertices = 32768, kDegree = 8, kSteps = 24;

struct Walker {
  unsigned at, state;
  __device__ void step(const unsigned* edges) {
    state = state * 1664525u + 1013904223u;
    at = edges[at * kDegree + (state >> 29)] & (kVertices - 1);  // fault
  }
};

extern "C" __global__ void slow(const unsigned* edges, unsigned* ends) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned w = 0; w < 4; ++w) {
    Walker one{i, i * 4 + w};
#pragma unroll 1
    for (unsigned s = 0; s < kSteps; ++s) one.step(edges);
    ends[w * kVertices + i] = one.at;
  }
}
extern "C" __global__ void fast(const unsigned* edges, unsigned* ends) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Walker all[4] = {{i, i * 4}, {i, i * 4 + 1}, {i, i * 4 + 2}, {i, i * 4 + 3}};
#pragma unroll 1
  for (unsigned s = 0; s < kSteps; ++s) {
#pragma unroll
    for (Walker& one : all) one.step(edges);
  }
  for (unsigned w = 0; w < 4; ++w) ends[w * kVertices + i] = all[w].at;
}
