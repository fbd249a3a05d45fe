// SPDX-License-Identifier: MIT
// A bitonic sort of 64 keys a wave in LDS with two barriers of the workgroup a step, or by shuffles.
// fault: barriers
// launch: --grid 262144 --workgroup 256 --arg i32:random(2):262144 --arg i32:zero:262144
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const int* in, int* out) {
  __shared__ int key[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  key[t] = in[i];
  __syncthreads();
  for (int k = 2; k <= 64; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      const int other = key[t ^ j], mine = key[t];
      const bool small = ((t & k) == 0) == ((t & j) == 0);
      const int next = small ? min(mine, other) : max(mine, other);
      __syncthreads(); // fault
      key[t] = next;
      __syncthreads(); // fault
    }
  out[i] = key[t];
}
extern "C" __global__ void fast(const int* in, int* out) {
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int mine = in[i];
  for (int k = 2; k <= 64; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      const int other = __shfl_xor(mine, j);
      const bool small = ((t & k) == 0) == ((t & j) == 0);
      mine = small ? min(mine, other) : max(mine, other);
    }
  out[i] = mine;
}
