// SPDX-License-Identifier: MIT
// Collision tests in chunks of 64 bodies: the last workgroup takes the whole remainder, or the remainder is dealt out.
// fault: load-imbalance
// launch: --grid 155648 --workgroup 128 --arg f32:random(5):4096 --arg f32:zero:155648
#include <hip/hip_runtime.h>
struct Sphere { float x, y, z, r; };
__device__ float touch(const Sphere& a, const Sphere& b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, s = a.r + b.r;
  return fmaxf(0.f, s * s - dx * dx - dy * dy - dz * dz);
}
__device__ float chunk(const Sphere* all, int first, int count) {
  const Sphere me = all[threadIdx.x];
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += touch(me, all[(first + k) & 1023]); // fault
  return sum;
}
extern "C" __global__ void slow(const Sphere* all, float* out) {
  const bool last = blockIdx.x == gridDim.x - 1;
  out[blockIdx.x * 128 + threadIdx.x] = chunk(all, blockIdx.x * 64, last ? 64 * 40 : 64);
}
extern "C" __global__ void fast(const Sphere* all, float* out) {
  out[blockIdx.x * 128 + threadIdx.x] = chunk(all, blockIdx.x * 64, 66);
}
