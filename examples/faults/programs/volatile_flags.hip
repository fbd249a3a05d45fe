// SPDX-License-Identifier: MIT
// A weighted sum of six arrays through volatile pointers in a loop.
// fault: strict-waits
// launch: --grid 155648 --workgroup 128 --arg f32:random(1):4194304 --arg f32:zero:155648 --arg i32:8
#include <hip/hip_runtime.h>
#define AT(k) p[((i + (k) * 155648u) + 8192u * t) & 4194303u]
template <class P> __device__ float gather(P p, unsigned i, int turns) {
  float s = 0;
#pragma unroll 1
  for (int t = 0; t < turns; ++t) {
    float a = AT(0), b = AT(1), c = AT(2), d = AT(3), e = AT(4), f = AT(5); // fault
    s += a * b + c * d - e * f;
  }
  return s;
}
extern "C" __global__ void slow(const float* p, float* out, int turns) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = gather((const volatile float*)p, i, turns);
}
extern "C" __global__ void fast(const float* p, float* out, int turns) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = gather(p, i, turns);
}
