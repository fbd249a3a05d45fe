// SPDX-License-Identifier: MIT
// Writes behind an allocation. The error stays.
#include "check.h"

__global__ void beyond(int* data) { data[threadIdx.x + 1000] = 1; }

int main() {
  int* data;
  CHECK(hipMalloc(&data, 64 * sizeof(int)));
  beyond<<<1, 64>>>(data);
  EXPECT(hipDeviceSynchronize() == hipErrorIllegalAddress);
  EXPECT(hipGetLastError() == hipErrorIllegalAddress);
  EXPECT(hipMemset(data, 0, 4) == hipErrorIllegalAddress);
  return passed();
}
