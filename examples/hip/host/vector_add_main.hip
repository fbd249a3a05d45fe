// SPDX-License-Identifier: MIT
#include "../vector_add.hip"
#include "host.h"

int main() {
  constexpr int kCount = 100003;
  std::vector<float> a(kCount), b(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = noise(i), b[i] = noise(i + kCount);
  const Array<float> a_d(a), b_d(b), out(kCount);
  vector_add<<<(kCount + 255) / 256, 256>>>(a_d.get(), b_d.get(), out.get(), kCount);
  CHECK(hipGetLastError());
  const std::vector<float> got = out.read();
  std::size_t wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += got[i] != a[i] + b[i];
  return verdict("vector_add", wrong, kCount);
}
