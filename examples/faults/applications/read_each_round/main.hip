// fault: host-sync-bound
// The host reads how far the work has come after every round; the fast one looks after every eighth.
#include "../program.h"

constexpr int kCount = 1 << 15, kRounds = 48;

__global__ void note(const float* data, float* progress) { *progress = data[0]; }

int main(int count, char** words) {
  const int every = is_fast(count, words) ? 8 : 1;
  float *x = device_array<float>(kCount), *progress = device_array<float>(1);
  CHECK(hipMemset(x, 0, kCount * sizeof(float)));
  float seen = -1;
  for (int round = 0; round < kRounds; ++round) {
    work<<<blocks(kCount), 256>>>(x, kCount, 60);
    if (round % every != every - 1) continue;
    note<<<1, 1>>>(x, progress);
    CHECK(hipMemcpy(&seen, progress, sizeof(seen), hipMemcpyDeviceToHost));
    if (seen < 0) break;
  }
  CHECK(hipDeviceSynchronize());
}
