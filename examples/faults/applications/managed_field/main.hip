// SPDX-License-Identifier: MIT
// fault: page-migration, host-sync-bound
// A field in managed memory, of which the host looks at parts between the steps; the fast one has device memory and copies those parts.
#include "../program.h"
__global__ void diffuse(float* f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) f[i] = 0.5f * f[i] + 0.25f * (f[i - 1] + f[i + 1]);
}
int main(int count, char** words) {
  constexpr int n = 1 << 20;
  const bool fast = is_fast(count, words);
  float* f = nullptr;
  if (fast) CHECK(hipMalloc(reinterpret_cast<void**>(&f), n * 4));
  else CHECK(hipMallocManaged(reinterpret_cast<void**>(&f), n * 4));
  if (fast) CHECK(hipMemset(f, 0, n * 4));
  else std::memset(f, 0, n * 4);
  float sum = 0;
  for (int s = 0; s < 8; ++s) {
    diffuse<<<blocks(n), 256>>>(f, n);
    if (fast) {
      float one;
      CHECK(hipMemcpy(&one, f + n / 2, 4, hipMemcpyDeviceToHost));
      sum += one;
    } else {
      CHECK(hipDeviceSynchronize());
      for (int k = 0; k < n; k += 1024) sum += f[k];
    }
  }
  std::printf("%g\n", sum);
}
