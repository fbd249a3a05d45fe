// SPDX-License-Identifier: MIT
// Dynamic shared memory of several sizes, and too much of it.
#include <vector>

#include "check.h"

__global__ void reverse(int* data, int count) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[count - 1 - threadIdx.x];
}

int main() {
  int* data;
  CHECK(hipMalloc(&data, 1024 * sizeof(int)));
  for (int count : {64, 300, 1024}) {
    std::vector<int> values(count);
    for (int i = 0; i < count; ++i) values[i] = i;
    CHECK(hipMemcpy(data, values.data(), count * sizeof(int), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(reverse, dim3(1), dim3(count), count * sizeof(int), 0, data, count);
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(values.data(), data, count * sizeof(int), hipMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i) EXPECT(values[i] == count - 1 - i);
  }
  reverse<<<1, 64, 70000>>>(data, 64);
  EXPECT(hipGetLastError() != hipSuccess);
  EXPECT(hipGetLastError() == hipSuccess);
  reverse<<<1, 2000>>>(data, 64);
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  return passed();
}
