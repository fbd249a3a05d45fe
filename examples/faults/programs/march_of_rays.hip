// SPDX-License-Identifier: MIT
// Rays that end after very different numbers of steps, in any order; and sorted, so that those of a wave end together.
// fault: divergence
// launch: --grid 262144 --workgroup 256 --arg f32:random(7):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

struct Ray {
  float at, toward;
};

__device__ float march(Ray ray, int steps) {
  float light = 0, dim = 1;
  for (int k = 0; k < steps; ++k) {  // fault
    const float density = 0.01f + 0.5f * ray.at * ray.at;
    light += dim * density;
    dim *= 1 - 0.1f * density;
    ray.at += ray.toward;
    ray.toward = -0.9f * ray.toward + 0.001f;
  }
  return light;
}
__device__ int steps_of(unsigned number) {
  unsigned h = number * 2654435761u;
  h ^= h >> 15;
  return (h & 15u) == 0 ? 192 : 12;
}

extern "C" __global__ void slow(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = march({in[i], 0.05f}, steps_of(i));
}
extern "C" __global__ void fast(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = march({in[i], 0.05f}, steps_of(i / 64));
}
