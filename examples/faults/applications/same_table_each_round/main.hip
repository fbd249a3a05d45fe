// fault: repeated-copies
// A table of weights that never changes is copied to the device for every round; the fast one copies it once.
#include "../program.h"

constexpr int kCount = 1 << 16, kTable = 1 << 18, kRounds = 16;

__global__ void weigh(float* data, const float* weights, int count, int weights_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = data[i];
  for (int k = 0; k < 40; ++k) x = x * 0.5f + weights[(i + k * 64) % weights_count];
  data[i] = x;
}

int main(int count, char** words) {
  const bool fast = is_fast(count, words);
  float* table = nullptr;
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&table), kTable * sizeof(float), 0));
  for (int i = 0; i < kTable; ++i) table[i] = static_cast<float>(i % 7);
  float *x = device_array<float>(kCount), *weights = device_array<float>(kTable);
  CHECK(hipMemset(x, 0, kCount * sizeof(float)));
  for (int round = 0; round < kRounds; ++round) {
    if (!fast || round == 0) CHECK(hipMemcpy(weights, table, kTable * sizeof(float), hipMemcpyHostToDevice));
    weigh<<<blocks(kCount), 256>>>(x, weights, kCount, kTable);
  }
  CHECK(hipDeviceSynchronize());
}
