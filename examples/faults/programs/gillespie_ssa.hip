// SPDX-License-Identifier: MIT
// Stochastic simulation of three reactions, a cell a lane: which reaction fires is a branch with its own rates, or a row of a small table.
// fault: divergence
// launch: --grid 262144 --workgroup 256 --arg u32:random(74):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

struct Cell {
  float a = 100, b = 50, c = 0, time = 0;
  unsigned state;
  __device__ explicit Cell(unsigned seed) : state(seed | 1) {}
  __device__ float uniform() {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) * 0x1p-24f;
  }
  __device__ float total() const { return 0.1f * a + 0.03f * b + 0.07f * c; }
};
constexpr int kEvents = 64;

__device__ void fire(Cell& s, float u) {
  if (u < 0.1f * s.a) {  // fault
    s.a -= 1;  // fault
    s.b += 1;  // fault
#pragma unroll 1
    for (int k = 0; k < 6; ++k) s.time += 0.001f * __expf(-0.01f * s.a - k);  // fault
  } else if (u < 0.1f * s.a + 0.03f * s.b) {  // fault
    s.b -= 1;  // fault
    s.c += 2;  // fault
#pragma unroll 1
    for (int k = 0; k < 6; ++k) s.time += 0.002f * __expf(-0.02f * s.b - k);  // fault
  } else {
    s.c -= 1;  // fault
    s.a += 1;  // fault
#pragma unroll 1
    for (int k = 0; k < 6; ++k) s.time += 0.003f * __expf(-0.03f * s.c - k);  // fault
  }
}
__device__ void fire_by_table(Cell& s, float u) {
  const bool first = u < 0.1f * s.a, second = !first && u < 0.1f * s.a + 0.03f * s.b, third = !first && !second;
  s.a += (third ? 1.0f : 0.0f) - (first ? 1.0f : 0.0f);
  s.b += (first ? 1.0f : 0.0f) - (second ? 1.0f : 0.0f);
  s.c += (second ? 2.0f : 0.0f) - (third ? 1.0f : 0.0f);
  const float scale = first ? 0.001f : second ? 0.002f : 0.003f;
  const float level = first ? -0.01f * s.a : second ? -0.02f * s.b : -0.03f * s.c;
#pragma unroll 1
  for (int k = 0; k < 6; ++k) s.time += scale * __expf(level - k);
}
template <void (*FIRE)(Cell&, float)>
__device__ float simulate(unsigned seed) {
  Cell cell(seed);
#pragma unroll 1
  for (int e = 0; e < kEvents; ++e) {
    const float rate = cell.total();
    FIRE(cell, cell.uniform() * rate);
  }
  return cell.time + cell.c;
}
extern "C" __global__ void slow(const unsigned* seeds, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = simulate<fire>(seeds[i]);
}
extern "C" __global__ void fast(const unsigned* seeds, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = simulate<fire_by_table>(seeds[i]);
}
