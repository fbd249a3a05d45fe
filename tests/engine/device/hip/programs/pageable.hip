// SPDX-License-Identifier: MIT
// Kernels on memory of the host that HIP does not know: malloc, new, the stack, globals, and what is mapped behind them later.
#include <memory>
#include <vector>

#include "check.h"

constexpr int kCount = 100'000;
int global_numbers[kCount];
const int read_only[4] = {1, 2, 3, 4};

__global__ void add(int* to, const int* from, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) atomicAdd(&to[i], from[i]);
}

/// 0 for right, else the first that is wrong.
int added(int* to, const int* from, int count) {
  for (int i = 0; i < count; ++i) to[i] = i;
  add<<<(count + 255) / 256, 256>>>(to, from, count);
  if (hipDeviceSynchronize() != hipSuccess) return -1;
  for (int i = 0; i < count; ++i) {
    if (to[i] != i + from[i]) return i + 1;
  }
  return 0;
}

int main() {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("pageable %d\n", properties.pageableMemoryAccess);
  int* allocated = static_cast<int*>(std::malloc(kCount * sizeof(int)));
  std::vector<int> ones(kCount, 1);
  if (const int wrong = added(allocated, ones.data(), kCount); wrong != 0) {
    std::printf("malloc: %s\n", hipGetErrorName(hipGetLastError()));
    return 1;
  }
  const auto made = std::make_unique<int[]>(kCount);
  int on_stack[64];
  EXPECT(added(made.get(), allocated, kCount) == 0);
  EXPECT(added(global_numbers, made.get(), kCount) == 0);
  EXPECT(added(on_stack, global_numbers, 64) == 0);
  EXPECT(added(on_stack, read_only, 4) == 0);
  // Memory of HIP and of the host in one kernel; what was freed may be anything afterwards.
  int* of_hip = nullptr;
  CHECK(hipMallocManaged(reinterpret_cast<void**>(&of_hip), kCount * sizeof(int)));
  std::free(allocated);
  EXPECT(added(of_hip, made.get(), kCount) == 0);
  EXPECT(added(made.get(), of_hip, kCount) == 0);
  return passed();
}
