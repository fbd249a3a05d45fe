// SPDX-License-Identifier: MIT
// Signed division by a run-time tile size.
// fault: integer-division
// launch: --grid 524288 --workgroup 256 --arg i32:iota:524288 --arg i32:zero:524288 --arg i32:32
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const int* in, int* out, int tile) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i], sum = 0;
  for (int k = 0; k < 20; ++k) {
    sum += (v + k) / tile;  // fault
    v += sum;
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const int* in, int* out, int tile) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, shift = 31 - __clz(tile);
  int v = in[i], sum = 0;
  for (int k = 0; k < 20; ++k) {
    sum += (v + k) >> shift;
    v += sum;
  }
  out[i] = sum;
}
