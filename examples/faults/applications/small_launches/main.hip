// fault: launch-bound
// Four kernels of a few operations each, launched for every round; the fast one does all four in one kernel, and four rounds at a time.
#include "../program.h"

constexpr int kCount = 1 << 15, kRounds = 48;

__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 0.5f;
}
__global__ void shift(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}
__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}
__global__ void clip(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = fminf(x[i], 10.0f);
}
__global__ void all(float* x, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float y = x[i];
  for (int k = 0; k < rounds; ++k) {
    y = y * 0.5f + 1.0f;
    y = fminf(y * y, 10.0f);
  }
  x[i] = y;
}

int main(int count, char** words) {
  float* x = device_array<float>(kCount);
  CHECK(hipMemset(x, 0, kCount * sizeof(float)));
  if (is_fast(count, words)) {
    for (int round = 0; round < kRounds; round += 4) all<<<blocks(kCount), 256>>>(x, kCount, 4);
  } else {
    for (int round = 0; round < kRounds; ++round) {
      scale<<<blocks(kCount), 256>>>(x, kCount);
      shift<<<blocks(kCount), 256>>>(x, kCount);
      square<<<blocks(kCount), 256>>>(x, kCount);
      clip<<<blocks(kCount), 256>>>(x, kCount);
    }
  }
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(x));
}
