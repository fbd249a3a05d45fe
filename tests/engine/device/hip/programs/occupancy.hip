// SPDX-License-Identifier: MIT
// Asks for the best workgroup, runs with it, and asks for attributes of the kernel.
#include "check.h"

__global__ void square(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= data[i];
}

__global__ void much_lds(float* out) {
  __shared__ float tile[8192];
  tile[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  constexpr int kCount = 5000;
  int grid = 0, block = 0, blocks = 0;
  CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, square, 0, 0));
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, block, 0));
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  EXPECT(blocks * block == properties.maxThreadsPerMultiProcessor);
  EXPECT(grid == blocks * properties.multiProcessorCount);
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, much_lds, 256, 0));
  EXPECT(blocks == 2);
  hipFuncAttributes attributes;
  CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(much_lds)));
  EXPECT(attributes.sharedSizeBytes == 32768 && attributes.maxThreadsPerBlock == 1024 && attributes.numRegs > 0);
  float* data;
  CHECK(hipMallocManaged(&data, kCount * sizeof(float)));
  for (int i = 0; i < kCount; ++i) data[i] = i * 0.5f;
  square<<<(kCount + block - 1) / block, block>>>(data, kCount);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) EXPECT(data[i] == i * 0.5f * (i * 0.5f));
  CHECK(hipFree(data));
  return passed();
}
