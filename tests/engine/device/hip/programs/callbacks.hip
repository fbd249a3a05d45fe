// SPDX-License-Identifier: MIT
// Functions of the host between the work of a stream, bounds of a kernel, attributes of pointers and devices.
#include "check.h"

template <int kFactor>
__global__ __launch_bounds__(128, 2) void scale(int* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= kFactor;
}

struct Seen {
  int calls = 0;
  hipError_t status = hipErrorUnknown;
};

int main() {
  constexpr int kCount = 512;
  int* data;
  CHECK(hipMalloc(&data, kCount * sizeof(int)));
  CHECK(hipMemsetD32(data, 7, kCount));
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  Seen seen;
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<3>), dim3(kCount / 128), dim3(128), 0, stream, data);
  CHECK(hipStreamAddCallback(
      stream, [](hipStream_t, hipError_t status, void* user) { static_cast<Seen*>(user)->status = status; }, &seen, 0));
  CHECK(hipStreamSynchronize(stream));
  EXPECT(seen.status == hipSuccess);
  int first = 0;
  CHECK(hipMemcpy(&first, data, sizeof(first), hipMemcpyDefault));
  EXPECT(first == 21);
  // Twice as many work-items as the kernel was built for.
  scale<3><<<1, 256>>>(data);
  EXPECT(hipGetLastError() != hipSuccess);
  hipPointerAttribute_t attributes;
  CHECK(hipPointerGetAttributes(&attributes, data + 5));
#if HIP_VERSION_MAJOR < 6
  EXPECT(attributes.memoryType == hipMemoryTypeDevice);
#else
  EXPECT(attributes.type == hipMemoryTypeDevice);
#endif
  EXPECT(attributes.device == 0 && attributes.devicePointer == data + 5);
  int wave = 0, threads = 0;
  CHECK(hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0));
  CHECK(hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerBlock, 0));
  EXPECT(wave == warpSize && threads == 1024);
  CHECK(hipStreamDestroy(stream));
  CHECK(hipFree(data));
  return passed();
}
