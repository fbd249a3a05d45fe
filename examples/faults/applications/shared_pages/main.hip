// fault: page-migration, host-sync-bound
// Memory of both sides is written by the host before each kernel, so that its pages move and the host has to wait; the fast one keeps its data on the device.
#include "../program.h"

constexpr int kCount = 1 << 18;

int main(int count, char** words) {
  const bool fast = is_fast(count, words);
  float* data = nullptr;
  if (fast) {
    data = device_array<float>(kCount);
    CHECK(hipMemset(data, 0, kCount * sizeof(float)));
  } else {
    CHECK(hipMallocManaged(reinterpret_cast<void**>(&data), kCount * sizeof(float), hipMemAttachGlobal));
    for (int i = 0; i < kCount; ++i) data[i] = 0;
  }
  for (int round = 0; round < 8; ++round) {
    if (!fast) data[round] = 1.0f;
    work<<<blocks(kCount), 256>>>(data, kCount, 20);
    if (!fast) CHECK(hipDeviceSynchronize());
  }
  CHECK(hipDeviceSynchronize());
}
