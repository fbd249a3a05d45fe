// SPDX-License-Identifier: MIT
// fault: nothing-of-note
// Long kernels of one stream, launched ahead, with one copy at either end.
#include "../program.h"
int main(int, char**) {
  constexpr int n = 1 << 18;
  float* host = nullptr;
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&host), n * sizeof(float), 0));
  std::memset(host, 0, n * 4);
  float* d = device_array<float>(n);
  CHECK(hipMemcpyAsync(d, host, n * sizeof(float), hipMemcpyHostToDevice, nullptr));
  for (int k = 0; k < 20; ++k) work<<<blocks(n), 256>>>(d, n, 1200);
  CHECK(hipMemcpyAsync(host, d, n * sizeof(float), hipMemcpyDeviceToHost, nullptr));
  CHECK(hipDeviceSynchronize());
}
