// SPDX-License-Identifier: MIT
// A seven-point step in three dimensions: neighbouring lanes take neighbouring planes, or neighbouring columns.
// fault: uncoalesced-load,uncoalesced-store
// launch: --grid 128,128,32 --workgroup 64,2,2 --arg f32:random(1):524288 --arg f32:zero:524288 --arg i32:32 --arg i32:128 --arg i32:128
// launch fast: --grid 128,128,32 --workgroup 64,2,2 --arg f32:random(1):524288 --arg f32:zero:524288 --arg i32:128 --arg i32:128 --arg i32:32
#include <hip/hip_runtime.h>

struct Box { int nx, ny, nz; };

__device__ float seven(const float* u, Box b, int x, int y, int z) {
  auto at = [&](int i, int j, int k) { return u[(k * b.ny + j) * b.nx + i]; };  // fault
  const float c = at(x, y, z);
  const float sum = at(max(x - 1, 0), y, z) + at(min(x + 1, b.nx - 1), y, z) + at(x, max(y - 1, 0), z) + at(x, min(y + 1, b.ny - 1), z) +  // fault
                    at(x, y, max(z - 1, 0)) + at(x, y, min(z + 1, b.nz - 1));  // fault
  return c + 0.1f * (sum - 6.f * c);
}

extern "C" __global__ void slow(const float* u, float* v, int nx, int ny, int nz) {
  const int z = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.z * blockDim.z + threadIdx.z;
  v[(z * ny + y) * nx + x] = seven(u, {nx, ny, nz}, x, y, z);  // fault
}
extern "C" __global__ void fast(const float* u, float* v, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  v[(z * ny + y) * nx + x] = seven(u, {nx, ny, nz}, x, y, z);
}
