// SPDX-License-Identifier: MIT
// A sum over 27 neighbours whose array is volatile, so that each load is waited for; or not.
// fault: strict-waits
// launch: --grid 128,64,32 --workgroup 64,4,1 --arg f32:random(1):320000 --arg f32:zero:262144
#include <hip/hip_runtime.h>
constexpr int X = 132, Y = 68;
template <class Ptr>
__device__ float box(Ptr p) {
  float s = 0;
#pragma unroll
  for (int z = 0; z < 3; ++z)
#pragma unroll
    for (int y = 0; y < 3; ++y)
#pragma unroll
      for (int x = 0; x < 3; ++x) s += p[(z * Y + y) * X + x]; // fault
  return s;
}
extern "C" __global__ void slow(const volatile float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  out[(z * 64 + y) * 128 + x] = box(in + (z * Y + y) * X + x) / 27;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  out[(z * 64 + y) * 128 + x] = box(in + (z * Y + y) * X + x) / 27;
}
