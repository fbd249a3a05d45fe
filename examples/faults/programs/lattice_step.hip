// SPDX-License-Identifier: MIT
// A step over a periodic lattice: neighbours wrap by modulo, or by comparison.
// fault: integer-division
// launch: --grid 1024,1024 --workgroup 64,4 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:1024
#include <hip/hip_runtime.h>

template <bool kModulo>
__device__ int wrapped(int x, int n) {
  if (kModulo) return (x + n) % n;  // fault
  return x < 0 ? x + n : x >= n ? x - n : x;
}
template <bool kModulo>
__device__ void step(const float* in, float* out, int n) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += in[wrapped<kModulo>(y + dy, n) * n + wrapped<kModulo>(x + dx, n)];
  out[y * n + x] = sum * 0.11f;
}
extern "C" __global__ void slow(const float* in, float* out, int n) { step<true>(in, out, n); }
extern "C" __global__ void fast(const float* in, float* out, int n) { step<false>(in, out, n); }
