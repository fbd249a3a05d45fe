// SPDX-License-Identifier: MIT
// Device variables, constants, managed variables.
#include "check.h"

__device__ int counter = 3;
__device__ float table[16];
__constant__ int factors[4];
__managed__ int shared_value = 40;

__global__ void work() {
  atomicAdd(&counter, factors[threadIdx.x % 4]);
  if (threadIdx.x < 16) table[threadIdx.x] = threadIdx.x * 2.0f;
  if (threadIdx.x == 0) shared_value += 2;
}

int main() {
  const int values[4] = {1, 2, 3, 4};
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), values, sizeof(values)));
  work<<<1, 64>>>();
  CHECK(hipDeviceSynchronize());
  int count = 0;
  float back[4];
  CHECK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof(count)));
  EXPECT(count == 3 + 16 * 10);
  CHECK(hipMemcpyFromSymbol(back, HIP_SYMBOL(table), sizeof(back), 8 * sizeof(float)));
  EXPECT(back[0] == 16.0f && back[3] == 22.0f);
  EXPECT(shared_value == 42);
  void* address = nullptr;
  size_t bytes = 0;
  CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(table)));
  CHECK(hipGetSymbolSize(&bytes, HIP_SYMBOL(table)));
  EXPECT(bytes == sizeof(table));
  CHECK(hipMemset(address, 0, bytes));
  CHECK(hipMemcpyFromSymbol(back, HIP_SYMBOL(table), sizeof(back)));
  EXPECT(back[1] == 0.0f);
  return passed();
}
