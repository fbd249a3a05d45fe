// fault: allocation-in-loop
// A temporary array is allocated and freed in every round; the fast one allocates it once.
#include "../program.h"

constexpr int kCount = 1 << 15, kRounds = 30;

__global__ void square_into(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] * from[i];
}

int main(int count, char** words) {
  const bool fast = is_fast(count, words);
  float* x = device_array<float>(kCount);
  CHECK(hipMemset(x, 0, kCount * sizeof(float)));
  float* squares = fast ? device_array<float>(kCount) : nullptr;
  for (int round = 0; round < kRounds; ++round) {
    if (!fast) squares = device_array<float>(kCount);
    square_into<<<blocks(kCount), 256>>>(x, squares, kCount);
    work<<<blocks(kCount), 256>>>(x, kCount, 200);
    if (!fast) CHECK(hipFree(squares));
  }
  CHECK(hipDeviceSynchronize());
}
