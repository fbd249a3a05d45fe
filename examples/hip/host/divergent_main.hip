// SPDX-License-Identifier: MIT
#include "../divergent.hip"
#include "host.h"

unsigned expected_for(unsigned x) {
  unsigned result = 0;
  if (x % 2 != 0 && x % 3 == 0) {
    for (; x != 1; ++result) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  } else if (x % 2 != 0) {
    for (unsigned a = 4096, b = x; b != 0; ++result) {
      const unsigned rest = a % b;
      a = b;
      b = rest;
    }
  } else {
    for (unsigned factor = 2; x != 1; ++factor) {
      for (; x % factor == 0; x /= factor) result += factor;
    }
  }
  return result;
}

int main() {
  constexpr int kCount = 3000;
  std::vector<unsigned> in(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = static_cast<unsigned>(i) * 2654435761u >> 5;
  const Array<unsigned> in_d(in), out(kCount);
  divergent<<<(kCount + 255) / 256, 256>>>(in_d.get(), out.get(), kCount);
  CHECK(hipGetLastError());
  const std::vector<unsigned> got = out.read();
  std::size_t wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += got[i] != expected_for(in[i] % 4096 + 1);
  return verdict("divergent", wrong, kCount);
}
