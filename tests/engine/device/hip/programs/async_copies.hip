// SPDX-License-Identifier: MIT
// Pinned memory, copies and kernels of four streams that overlap, timed by events.
#include <hip/hip_ext.h>

#include "check.h"

__global__ void add_one(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += 1.0f;
}

int main() {
  constexpr int kStreams = 4, kEach = 1 << 14;
  constexpr size_t kBytes = kEach * sizeof(float);
  float *host, *device;
  CHECK(hipHostMalloc(&host, kStreams * kBytes, hipHostMallocDefault));
  CHECK(hipMalloc(&device, kStreams * kBytes));
  for (int i = 0; i < kStreams * kEach; ++i) host[i] = static_cast<float>(i);
  hipStream_t streams[kStreams];
  hipEvent_t start, stop;
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  for (hipStream_t& stream : streams) CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipEventRecord(start, streams[0]));
  for (int i = 0; i < kStreams; ++i) {
    float* const part = device + i * kEach;
    CHECK(hipMemcpyAsync(part, host + i * kEach, kBytes, hipMemcpyHostToDevice, streams[i]));
    add_one<<<kEach / 256, 256, 0, streams[i]>>>(part, kEach);
    CHECK(hipMemcpyAsync(host + i * kEach, part, kBytes, hipMemcpyDeviceToHost, streams[i]));
  }
  CHECK(hipEventRecord(stop, streams[0]));
  for (hipStream_t stream : streams) CHECK(hipStreamSynchronize(stream));
  CHECK(hipEventQuery(stop));
  float milliseconds = 0;
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds > 0);
  for (int i = 0; i < kStreams * kEach; ++i) EXPECT(host[i] == static_cast<float>(i + 1));
  // The same, with the events given to the launch.
  hipExtLaunchKernelGGL(add_one, dim3(kEach / 256), dim3(256), 0, streams[1], start, stop, 0, device, kEach);
  CHECK(hipStreamSynchronize(streams[1]));
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds > 0);
  for (hipStream_t stream : streams) CHECK(hipStreamDestroy(stream));
  CHECK(hipHostFree(host));
  CHECK(hipFree(device));
  return passed();
}
