// SPDX-License-Identifier: MIT
// Counts letters above a limit in one word for all; the fast one adds up in the wave first.
// fault: contended-atomics
// launch: --grid 524288 --workgroup 256 --arg u32:iota:524288 --arg u32:zero:1
#include <hip/hip_runtime.h>
template <class T> __device__ bool above(T x) { return (x * 2654435761u >> 28) > 5; }
extern "C" __global__ void slow(const unsigned* text, unsigned* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned old = 0;
  if (above(text[i])) old = atomicAdd(total, 1u);  // fault
  if (old == 0xffffffff) total[0] = 0;
}
extern "C" __global__ void fast(const unsigned* text, unsigned* total) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long votes = __ballot(above(text[i]));
  if (threadIdx.x % 64 == 0) atomicAdd(&sum, (unsigned)__popcll(votes));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, sum);
}
