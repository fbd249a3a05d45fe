// SPDX-License-Identifier: MIT
// fault: pageable-copies
// Batches are uploaded from std::vector; the fast one has them in pinned memory and a second buffer.
#include "../program.h"
struct Batch { float* at; };
int main(int count, char** words) {
  constexpr int n = 1 << 18, batches = 10;
  std::vector<float> plain(n, 1.0f);
  float *pinned = nullptr, *d[2] = {device_array<float>(n), device_array<float>(n)};
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&pinned), n * sizeof(float), 0));
  hipStream_t s[2];
  for (auto& one : s) CHECK(hipStreamCreate(&one));
  const bool fast = is_fast(count, words);
  for (int b = 0; b < batches; ++b) {
    float* const source = fast ? pinned : plain.data();
    if (fast) {
      CHECK(hipStreamSynchronize(s[b % 2]));
      source[0] = b;
      CHECK(hipMemcpyAsync(d[b % 2], source, n * sizeof(float), hipMemcpyHostToDevice, s[b % 2]));
      work<<<blocks(n), 256, 0, s[b % 2]>>>(d[b % 2], n, 120);
    } else {
      source[0] = b;
      CHECK(hipMemcpyAsync(d[0], source, n * sizeof(float), hipMemcpyHostToDevice, s[0]));
      work<<<blocks(n), 256, 0, s[0]>>>(d[0], n, 120);
    }
  }
  CHECK(hipDeviceSynchronize());
}
