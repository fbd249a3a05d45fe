// SPDX-License-Identifier: MIT
// An assertion that fails in a kernel: it is told, and everything after it fails.
#include <cassert>

#include "check.h"

__global__ void at_most(int limit) { assert(static_cast<int>(threadIdx.x) < limit && "too many"); }

int main() {
  at_most<<<1, 64>>>(64);
  CHECK(hipDeviceSynchronize());
  at_most<<<1, 64>>>(63);
  EXPECT(hipDeviceSynchronize() != hipSuccess);
  EXPECT(hipGetLastError() != hipSuccess);
  return passed();
}
