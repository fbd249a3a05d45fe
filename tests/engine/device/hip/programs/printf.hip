// SPDX-License-Identifier: MIT
// printf in a kernel, by one lane and by several.
#include "check.h"

__global__ void hello(const char* name, double value) {
  if (threadIdx.x == 0) printf("hello %s from workgroup %d of %u: %.3f %5d%% %llx\n", "device", (int)blockIdx.x, (unsigned)gridDim.x, value, -7, 0x123456789abcULL);
  if (blockIdx.x == 0 && threadIdx.x < 3) printf("lane %d\n", (int)threadIdx.x);
}

int main() {
  hello<<<2, 64>>>(nullptr, 2.5);
  CHECK(hipDeviceSynchronize());
  return passed();
}
