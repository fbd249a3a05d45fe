// SPDX-License-Identifier: MIT
#include "../histogram.hip"
#include "host.h"

int main() {
  constexpr int kCount = 200000;
  std::vector<unsigned> in(kCount), expected(kBins);
  for (int i = 0; i < kCount; ++i) in[i] = static_cast<unsigned>(i) * 2654435761u >> 7, ++expected[in[i] % kBins];
  const Array<unsigned> in_d(in), bins(std::vector<unsigned>(kBins, 0));
  histogram<<<64, 256>>>(in_d.get(), bins.get(), kCount);
  CHECK(hipGetLastError());
  const std::vector<unsigned> got = bins.read();
  std::size_t wrong = 0;
  for (int i = 0; i < kBins; ++i) wrong += got[i] != expected[i];
  return verdict("histogram", wrong, kBins);
}
