// fault: host-sync-bound
// The host waits for the device after each kernel, though it reads nothing; the fast one waits once at the end.
#include "../program.h"

constexpr int kCount = 1 << 15, kRounds = 40;

int main(int count, char** words) {
  const bool fast = is_fast(count, words);
  float* x = device_array<float>(kCount);
  CHECK(hipMemset(x, 0, kCount * sizeof(float)));
  for (int round = 0; round < kRounds; ++round) {
    work<<<blocks(kCount), 256>>>(x, kCount, 120);
    if (!fast) CHECK(hipDeviceSynchronize());
  }
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(x));
}
