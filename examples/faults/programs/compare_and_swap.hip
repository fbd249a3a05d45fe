// SPDX-License-Identifier: MIT
// A step of a bitonic sort, whose partner is found with divisions by the distance; the distance is a power of two.
// fault: integer-division
// launch: --grid 1048576 --workgroup 256 --arg i32:random(6):2097152 --arg u32:1024 --arg u32:4096
// launch fast: --grid 1048576 --workgroup 256 --arg i32:random(6):2097152 --arg u32:10 --arg u32:4096
#include <hip/hip_runtime.h>

__device__ void order(int* a, int* b, bool up) {
  const int x = *a, y = *b;
  if ((x > y) == up) {
    *a = y;
    *b = x;
  }
}

extern "C" __global__ void slow(int* data, unsigned distance, unsigned block) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = t / distance * 2 * distance + t % distance;  // fault
  order(data + i, data + i + distance, (i / block) % 2 == 0);     // fault
}
extern "C" __global__ void fast(int* data, unsigned log_distance, unsigned block) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, distance = 1u << log_distance;
  const unsigned i = (t >> log_distance << (log_distance + 1)) + (t & (distance - 1));
  order(data + i, data + i + distance, (i & block) == 0);
}
