// SPDX-License-Identifier: MIT
// A blur of 3 by 3 through a tile in LDS with its halo, as it should be.
// fault: nothing-of-note,bandwidth-used-up,compute-used-up,dependent-loads
// launch: --grid 2048,2048 --workgroup 64,4 --arg f32:random(1):4210692 --arg f32:zero:4194304 --arg i32:2052 --arg i32:2048
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int pitch, int width) {
  __shared__ float tile[6][66];
  const int x = blockIdx.x * 64, y = blockIdx.y * 4, tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < 6; r += 4) {
    tile[r][tx] = in[(y + r) * pitch + x + tx];
    if (tx < 2) tile[r][64 + tx] = in[(y + r) * pitch + x + 64 + tx];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 3; ++j)
#pragma unroll
    for (int i = 0; i < 3; ++i) sum += tile[ty + j][tx + i];
  out[(y + ty) * width + x + tx] = sum * (1.0f / 9);
}
