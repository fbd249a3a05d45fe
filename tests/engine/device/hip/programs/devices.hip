// SPDX-License-Identifier: MIT
// Every device does its part; globals are each device's own.
#include <vector>

#include "check.h"

__device__ int where;

__global__ void mark(int* out, int value) {
  where = value;
  out[threadIdx.x] = value * 100 + static_cast<int>(threadIdx.x);
}

int main() {
  int count = 0, can = 0;
  CHECK(hipGetDeviceCount(&count));
  std::printf("%d devices\n", count);
  std::vector<int*> data(count);
  for (int i = 0; i < count; ++i) {
    CHECK(hipSetDevice(i));
    CHECK(hipMalloc(&data[i], 64 * sizeof(int)));
    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    EXPECT(hipGetStreamDeviceId(stream) == i && hipGetStreamDeviceId(nullptr) == i);
    char bus[32];
    int found = -1;
    CHECK(hipDeviceGetPCIBusId(bus, sizeof(bus), i));
    CHECK(hipDeviceGetByPCIBusId(&found, bus));
    EXPECT(found == i);
    mark<<<1, 64>>>(data[i], i);
  }
  for (int i = 0; i < count; ++i) {
    CHECK(hipSetDevice(i));
    int value = -1, last = -1;
    CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(where), sizeof(value)));
    EXPECT(value == i);
    CHECK(hipMemcpy(&last, data[i] + 63, sizeof(last), hipMemcpyDeviceToHost));
    EXPECT(last == i * 100 + 63);
  }
  if (count > 1) {
    CHECK(hipDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can == 1);
    CHECK(hipMemcpyPeer(data[0], 0, data[1], 1, 64 * sizeof(int)));
    int first = 0;
    CHECK(hipMemcpy(&first, data[0], sizeof(first), hipMemcpyDeviceToHost));
    EXPECT(first == 100);
  }
  EXPECT(hipSetDevice(count) == hipErrorInvalidDevice);
  return passed();
}
