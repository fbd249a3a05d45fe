// SPDX-License-Identifier: MIT
// A step of the heat equation over a plane: the index that runs along rows is that of the block's second dimension.
// fault: uncoalesced-load,uncoalesced-store
// launch: --grid 1024,1024 --workgroup 16,16 --arg f32:random(3):1048576 --arg f32:zero:1048576 --arg i32:1024
#include <hip/hip_runtime.h>

struct Plane {
  const float* at;
  int width;
  __device__ float operator()(int x, int y) const { return at[y * width + x]; }
};

__device__ float next_value(const Plane& p, int x, int y) {
  const float here = p(x, y);
  return here + 0.1f * (p(x - 1, y) + p(x + 1, y) + p(x, y - 1) + p(x, y + 1) - 4 * here);  // fault
}

extern "C" __global__ void slow(const float* in, float* out, int n) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  out[y * n + x] = next_value({in, n}, x, y);  // fault
}
extern "C" __global__ void fast(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  out[y * n + x] = next_value({in, n}, x, y);
}
