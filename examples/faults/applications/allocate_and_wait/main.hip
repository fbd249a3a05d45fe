// fault: allocation-in-loop, host-sync-bound
// Two faults: pinned memory is allocated for each round, and the host waits twice in each; the fast one does neither.
#include "../program.h"

constexpr int kCount = 1 << 15, kRounds = 24;

int main(int count, char** words) {
  const bool fast = is_fast(count, words);
  float* x = device_array<float>(kCount);
  CHECK(hipMemset(x, 0, kCount * sizeof(float)));
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  for (int round = 0; round < kRounds; ++round) {
    void* scratch = nullptr;
    if (!fast) CHECK(hipHostMalloc(&scratch, 1 << 16, 0));
    work<<<blocks(kCount), 256, 0, stream>>>(x, kCount, 120);
    if (!fast) CHECK(hipStreamSynchronize(stream));
    work<<<blocks(kCount), 256, 0, stream>>>(x, kCount, 120);
    if (!fast) CHECK(hipStreamSynchronize(stream));
  }
  CHECK(hipStreamSynchronize(stream));
}
