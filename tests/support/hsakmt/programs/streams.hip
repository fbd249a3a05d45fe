// SPDX-License-Identifier: MIT
// What a HIP program does around its kernels: pinned and registered memory, two streams with copies in flight, a device variable,
// hundreds of allocations.
#include "../../../../examples/hip/host/host.h"

__device__ unsigned g_total;
__constant__ int g_step;

__global__ void advance(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  data[i] += g_step;
  atomicAdd(&g_total, 1u);
}

__global__ void mark(int** table, int n) {
  if (threadIdx.x < n) *table[threadIdx.x] = threadIdx.x * 3;
}

namespace {

std::size_t g_wrong = 0, g_checked = 0;

void expect(bool right) {
  ++g_checked;
  g_wrong += right ? 0 : 1;
}

void two_streams() {
  constexpr int kCount = 10007, kRounds = 5;
  const int step = 7;
  const unsigned none = 0;
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(g_step), &step, sizeof(step)));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(g_total), &none, sizeof(none)));
  int* pinned = nullptr;
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&pinned), kCount * sizeof(int), hipHostMallocDefault));
  std::vector<int> registered(kCount);
  CHECK(hipHostRegister(registered.data(), kCount * sizeof(int), hipHostRegisterDefault));
  int* host[] = {pinned, registered.data()};
  int* device[2];
  hipStream_t stream[2];
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < kCount; ++i) host[s][i] = i * (s + 1);
    CHECK(hipStreamCreate(&stream[s]));
    CHECK(hipMalloc(reinterpret_cast<void**>(&device[s]), kCount * sizeof(int)));
  }
  for (int round = 0; round < kRounds; ++round) {
    for (int s = 0; s < 2; ++s) {
      CHECK(hipMemcpyAsync(device[s], host[s], kCount * sizeof(int), hipMemcpyHostToDevice, stream[s]));
      advance<<<(kCount + 255) / 256, 256, 0, stream[s]>>>(device[s], kCount);
      CHECK(hipMemcpyAsync(host[s], device[s], kCount * sizeof(int), hipMemcpyDeviceToHost, stream[s]));
    }
  }
  CHECK(hipDeviceSynchronize());
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < kCount; ++i) expect(host[s][i] == i * (s + 1) + kRounds * step);
    CHECK(hipFree(device[s]));
    CHECK(hipStreamDestroy(stream[s]));
  }
  unsigned total = 0;
  CHECK(hipMemcpyFromSymbol(&total, HIP_SYMBOL(g_total), sizeof(total)));
  expect(total == 2u * kRounds * kCount);
  CHECK(hipHostUnregister(registered.data()));
  CHECK(hipHostFree(pinned));
}

void many_allocations() {
  constexpr int kMany = 600;
  std::vector<int*> all(kMany);
  for (int*& each : all) CHECK(hipMalloc(reinterpret_cast<void**>(&each), sizeof(int)));
  const Array<int*> table(all);
  mark<<<1, 640>>>(table.get(), kMany);
  CHECK(hipGetLastError());
  for (int i = 0; i < kMany; ++i) {
    int value = -1;
    CHECK(hipMemcpy(&value, all[i], sizeof(int), hipMemcpyDeviceToHost));
    expect(value == i * 3);
    CHECK(hipFree(all[i]));
  }
}

}  // namespace

int main() {
  two_streams();
  many_allocations();
  return verdict("streams", g_wrong, g_checked);
}
