// SPDX-License-Identifier: MIT
// A kernel that runs until the host says so, which it cannot say before the launch has returned.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void waiting(volatile int* go, int* ran) {
  while (*go == 0) {
  }
  *ran += 1;
}

int main() {
  int *go = nullptr, *ran = nullptr;
  if (hipHostMalloc(reinterpret_cast<void**>(&go), sizeof(int)) != hipSuccess) return 1;
  if (hipHostMalloc(reinterpret_cast<void**>(&ran), sizeof(int)) != hipSuccess) return 1;
  *go = *ran = 0;
  waiting<<<1, 1>>>(go, ran);
  // A capture that waits for the kernel keeps the launch from returning, until it gives up.
  *static_cast<volatile int*>(go) = 1;
  if (hipDeviceSynchronize() != hipSuccess || *ran != 1) return 1;
  std::printf("PASSED\n");
  return 0;
}
