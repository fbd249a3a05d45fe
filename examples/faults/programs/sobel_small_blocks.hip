// SPDX-License-Identifier: MIT
// Edges of a picture in workgroups of 8 by 4, half a wave; or of 64 by 4.
// fault: unused-lanes,small-workgroups
// launch: --grid 1024,512 --workgroup 8,4 --arg f32:random(1):530000 --arg f32:zero:524288
// launch fast: --grid 1024,512 --workgroup 64,4 --arg f32:random(1):530000 --arg f32:zero:524288
#include <hip/hip_runtime.h>

struct Gradient { float x, y; };

template <int PITCH>
__device__ Gradient sobel(const float* p) {
  const float a = p[0], b = p[1], c = p[2], d = p[PITCH], f = p[PITCH + 2], g = p[2 * PITCH], h = p[2 * PITCH + 1], k = p[2 * PITCH + 2];
  return {c + 2 * f + k - a - 2 * d - g, g + 2 * h + k - a - 2 * b - c};
}

__device__ void edge(const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const Gradient g = sobel<1026>(in + y * 1026 + x);
  float m = g.x * g.x + g.y * g.y;
  for (int k = 0; k < 16; ++k) m = m * 0.75f + g.x * 0.1f + g.y * 0.05f;
  out[y * 1024 + x] = m;
}

extern "C" __global__ void slow(const float* in, float* out) { edge(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { edge(in, out); }
