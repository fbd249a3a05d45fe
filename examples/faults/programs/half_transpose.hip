// SPDX-License-Identifier: MIT
// A transposition of halves through a padded tile, pairs at a time.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 1024,512 --workgroup 32,16 --arg f16:random(1):4194304 --arg f16:zero:4194304
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const unsigned* in, unsigned* out) {
  __shared__ unsigned short tile[64][66];
  const int bx = blockIdx.x * 64, by = blockIdx.y * 64;
  for (int r = threadIdx.y; r < 64; r += 16) {
    const unsigned two = in[((by + r) * 2048 + bx) / 2 + threadIdx.x];
    tile[r][2 * threadIdx.x] = two;
    tile[r][2 * threadIdx.x + 1] = two >> 16;
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 64; r += 16) {
    const unsigned two = tile[2 * threadIdx.x][r] | unsigned(tile[2 * threadIdx.x + 1][r]) << 16;
    out[((bx + r) * 2048 + by) / 2 + threadIdx.x] = two;
  }
}
