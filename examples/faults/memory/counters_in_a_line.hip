// SPDX-License-Identifier: MIT
// One counter for each of eight kinds, all in a line.
// fault: contended-atomics
// launch: --grid 524288 --workgroup 256 --arg i32:iota:524288 --arg i32:zero:1024
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const int* in, int* counters) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&counters[(v * 7) & 7], 1);  // fault
}
extern "C" __global__ void fast(const int* in, int* counters) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&counters[((v * 7) & 7) + 8 * (blockIdx.x & 127)], 1);
}
