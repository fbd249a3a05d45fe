// SPDX-License-Identifier: MIT
// The largest of four million values, by 24 workgroups, and by 1024.
// fault: small-grid
// launch: --grid 6144 --workgroup 256 --arg u32:random(1):4194304 --arg u32:zero:4 --arg u32:1048576
// launch fast: --grid 262144 --workgroup 256 --arg u32:random(1):4194304 --arg u32:zero:4 --arg u32:1048576
#include <hip/hip_runtime.h>

__device__ unsigned top(uint4 v) { return max(max(v.x, v.y), max(v.z, v.w)); }

__device__ void largest(const uint4* in, unsigned* out, unsigned n) {
  __shared__ unsigned of_wave[4];
  unsigned most = 0;
  const unsigned all = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) most = max(most, top(in[i]));
  for (int d = 32; d > 0; d /= 2) most = max(most, (unsigned)__shfl_xor((int)most, d));
  if (threadIdx.x % 64 == 0) of_wave[threadIdx.x / 64] = most;
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(out, max(max(of_wave[0], of_wave[1]), max(of_wave[2], of_wave[3])));
}
extern "C" __global__ void slow(const uint4* in, unsigned* out, unsigned n) { largest(in, out, n); }
extern "C" __global__ void fast(const uint4* in, unsigned* out, unsigned n) { largest(in, out, n); }
