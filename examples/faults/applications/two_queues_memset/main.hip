// SPDX-License-Identifier: MIT
// fault: stream-serialization
// Two independent chains in two streams, with a hipMemset (null stream) of another array between; the fast one clears it in the stream.
#include "../program.h"
int main(int count, char** words) {
  constexpr int n = 1 << 14;
  float *a = device_array<float>(n), *b = device_array<float>(n), *c = device_array<float>(n);
  hipStream_t s, t;
  CHECK(hipStreamCreate(&s));
  CHECK(hipStreamCreate(&t));
  CHECK(hipMemset(a, 0, n * 4));
  CHECK(hipMemset(b, 0, n * 4));
  for (int k = 0; k < 14; ++k) {
    work<<<blocks(n), 256, 0, s>>>(a, n, 1500);
    if (is_fast(count, words)) CHECK(hipMemsetAsync(c, 0, n * 4, t));
    else CHECK(hipMemsetAsync(c, 0, n * 4, nullptr));
    work<<<blocks(n), 256, 0, t>>>(b, n, 1500);
    if (!is_fast(count, words)) CHECK(hipMemsetAsync(c, 1, n * 4, nullptr));
  }
  CHECK(hipDeviceSynchronize());
}
