// SPDX-License-Identifier: MIT
// Copies one array to another, an element a work-item: the smallest kernel that memory bandwidth limits. The signature is that of the
// copy whose hardware counters the emulator's counts are compared with; b and stride are not used.
#include <hip/hip_runtime.h>

extern "C" __global__ void vecCopy(double* a, double* b, double* c, int n, int stride) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) c[id] = a[id];
}
