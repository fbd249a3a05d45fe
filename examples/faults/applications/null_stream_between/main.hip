// fault: stream-serialization
// Two streams have work of their own that would fit on the device together, but a counter is raised in the null stream between their kernels; the fast one raises it in the
// streams, which are non-blocking.
#include "../program.h"

constexpr int kCount = 1 << 12, kRounds = 12;

__global__ void tick(int* counter) { *counter += 1; }

int main(int count, char** words) {
  const bool fast = is_fast(count, words);
  float* data[2] = {device_array<float>(kCount), device_array<float>(kCount)};
  int* counters = device_array<int>(2 * 64);
  for (float* one : data) CHECK(hipMemset(one, 0, kCount * sizeof(float)));
  CHECK(hipMemset(counters, 0, 2 * 64 * sizeof(int)));
  CHECK(hipDeviceSynchronize());
  hipStream_t streams[2];
  for (auto& stream : streams) CHECK(hipStreamCreateWithFlags(&stream, fast ? hipStreamNonBlocking : 0));
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < 2; ++i) {
      work<<<blocks(kCount), 256, 0, streams[i]>>>(data[i], kCount, 3000);
      tick<<<1, 1, 0, fast ? streams[i] : nullptr>>>(counters + 64 * i);
    }
  }
  CHECK(hipDeviceSynchronize());
}
