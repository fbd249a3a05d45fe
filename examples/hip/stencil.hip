// SPDX-License-Identifier: MIT
// A star-shaped stencil on a width x height grid: each point becomes weights[0] times itself plus weights[d] times its four neighbors at
// distance d, up to `radius`; beyond the edges the edge goes on. A workgroup holds its points with a halo of `radius` around them in LDS,
// whose size only the launch knows: (blockDim.x + 2 radius) * (blockDim.y + 2 radius) floats. The corners of the halo stay unused.
#include <hip/hip_runtime.h>

extern "C" __global__ void stencil(const float* in, const float* weights, float* out, int width, int height, int radius) {
  extern __shared__ float tile[];
  const int pitch = blockDim.x + 2 * radius, rows = blockDim.y + 2 * radius;
  const int left = blockIdx.x * blockDim.x - radius, top = blockIdx.y * blockDim.y - radius;
  for (int row = threadIdx.y; row < rows; row += blockDim.y) {
    for (int column = threadIdx.x; column < pitch; column += blockDim.x) {
      const int x = min(max(left + column, 0), width - 1), y = min(max(top + row, 0), height - 1);
      tile[row * pitch + column] = in[y * width + x];
    }
  }
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* center = &tile[(threadIdx.y + radius) * pitch + threadIdx.x + radius];
  float sum = weights[0] * *center;
  for (int d = 1; d <= radius; ++d) {
    sum += weights[d] * ((center[-d] + center[d]) + (center[-d * pitch] + center[d * pitch]));
  }
  out[y * width + x] = sum;
}
