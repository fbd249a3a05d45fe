// SPDX-License-Identifier: MIT
// Counts points in the cells of a grid whose sides are arguments: cells by division and remainder, and an atomic for each point in few counters; the fast one multiplies the upper 24 bits by reciprocals, which is as much work but not the same cells, and counts in LDS.
// fault: integer-division,contended-atomics
// launch: --grid 1048576 --workgroup 256 --arg u32:random(85):1048576 --arg u32:5 --arg u32:7 --arg u32:11 --arg u32:zero:64
// launch fast: --grid 262144 --workgroup 256 --arg u32:random(85):1048576 --arg u32:5 --arg u32:7 --arg u32:11 --arg u32:zero:64
#include <hip/hip_runtime.h>

struct Sides { unsigned x, y, z; };

__device__ unsigned cell_of(unsigned code, Sides s) {
  unsigned cell = 0;
#pragma unroll 1
  for (int level = 0; level < 4; ++level) {
    const unsigned x = code % s.x, y = code / s.x % s.y, z = code / (s.x * s.y) % s.z;  // fault
    cell = (cell * 3 + x + y + z) & 63;
    code = code * 747796405u + 2891336453u;
  }
  return cell;
}
struct Reciprocal {
  unsigned d;
  float r;
  __device__ explicit Reciprocal(unsigned divisor) : d(divisor), r(1.0f / divisor) {}
  __device__ unsigned quotient(unsigned n) const {
    const unsigned q = __float2uint_rz((n >> 8) * r);
    return q;
  }
};
extern "C" __global__ void slow(const unsigned* codes, unsigned x, unsigned y, unsigned z, unsigned* counts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counts[cell_of(codes[i], Sides{x, y, z})], 1u);  // fault
}
extern "C" __global__ void fast(const unsigned* codes, unsigned x, unsigned y, unsigned z, unsigned* counts) {
  __shared__ unsigned own[64];
  if (threadIdx.x < 64) own[threadIdx.x] = 0;
  __syncthreads();
  const Reciprocal rx(x), ry(y), rz(z);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 1048576; i += gridDim.x * blockDim.x) {
    unsigned code = codes[i], cell = 0;
#pragma unroll 1
    for (int level = 0; level < 4; ++level) {
      const unsigned n = code >> 8, a = rx.quotient(code), b = ry.quotient(a << 8), c = rz.quotient(b << 8);
      cell = (cell * 3 + (n - a * x) + (a - b * y) + (b - c * z)) & 63;
      code = code * 747796405u + 2891336453u;
    }
    atomicAdd(&own[cell], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
