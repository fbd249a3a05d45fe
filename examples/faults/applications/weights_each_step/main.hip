// SPDX-License-Identifier: MIT
// fault: repeated-copies
// The same weights go to the device before each step; the fast one copies them once.
#include "../program.h"
__global__ void apply(const float* w, float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * w[i] + 0.1f;
}
int main(int count, char** words) {
  constexpr int n = 1 << 19;
  float* host = nullptr;
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&host), n * sizeof(float), 0));
  for (int i = 0; i < n; ++i) host[i] = 0.5f;
  float *w = device_array<float>(n), *x = device_array<float>(n);
  CHECK(hipMemset(x, 0, n * 4));
  const bool fast = is_fast(count, words);
  for (int s = 0; s < 16; ++s) {
    if (!fast || s == 0) CHECK(hipMemcpyAsync(w, host, n * sizeof(float), hipMemcpyHostToDevice, nullptr));
    apply<<<blocks(n), 256>>>(w, x, n);
  }
  CHECK(hipDeviceSynchronize());
}
