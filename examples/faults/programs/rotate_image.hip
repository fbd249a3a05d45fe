// SPDX-License-Identifier: MIT
// An image turned by 90 degrees through a tile whose rows fill the banks exactly.
// fault: lds-bank-conflicts
// launch: --grid 2048,512 --workgroup 32,8 --arg u32:random(1):4194304 --arg u32:zero:4194304 --arg i32:2048
#include <hip/hip_runtime.h>

template <int kPad>
__device__ void turn(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned tile[32][32 + kPad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(n - 1 - y - j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // fault
}
extern "C" __global__ void slow(const unsigned* in, unsigned* out, int n) { turn<0>(in, out, n); }
extern "C" __global__ void fast(const unsigned* in, unsigned* out, int n) { turn<1>(in, out, n); }
