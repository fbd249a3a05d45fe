// SPDX-License-Identifier: MIT
// Each work-item takes a ticket from one counter and uses it.
// fault: contended-atomics
// launch: --grid 131072 --workgroup 256 --arg i32:zero:1 --arg i32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(int* head, int* out) {
  const int ticket = atomicExch(head, int(threadIdx.x));  // fault
  out[blockIdx.x * blockDim.x + threadIdx.x] = ticket;
}
extern "C" __global__ void fast(int* head, int* out) {
  __shared__ int first;
  if (threadIdx.x == 0) first = atomicExch(head, 256);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = first + threadIdx.x;
}
