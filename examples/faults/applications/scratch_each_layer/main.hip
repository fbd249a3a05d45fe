// SPDX-License-Identifier: MIT
// fault: allocation-in-loop
// Every layer allocates and frees its workspace; the fast one has one for all.
#include "../program.h"
__global__ void layer(const float* in, float* out, float* tmp, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tmp[i] = in[i] * 0.5f;
  out[i] = tmp[i] + 1;
}
int main(int count, char** words) {
  constexpr int n = 1 << 18;
  float *x = device_array<float>(n), *y = device_array<float>(n), *shared = device_array<float>(n);
  CHECK(hipMemset(x, 0, n * 4));
  for (int l = 0; l < 32; ++l) {
    float* tmp = is_fast(count, words) ? shared : device_array<float>(n);
    layer<<<blocks(n), 256>>>(x, y, tmp, n);
    if (!is_fast(count, words)) CHECK(hipFree(tmp));
    std::swap(x, y);
  }
  CHECK(hipDeviceSynchronize());
}
