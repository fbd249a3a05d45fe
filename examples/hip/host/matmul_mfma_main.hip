// SPDX-License-Identifier: MIT
#include "../matmul_mfma.hip"
#include "host.h"

int main() {
  constexpr int kM = 100, kN = 72, kK = 40;
  std::vector<_Float16> a(kM * kK), b(kK * kN);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<_Float16>(noise(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<_Float16>(noise(i + a.size()));
  const Array<_Float16> a_d(a), b_d(b);
  const Array<float> c(kM * kN);
  matmul_mfma<<<dim3((kN + kTile - 1) / kTile, (kM + kTile - 1) / kTile), 256>>>(a_d.get(), b_d.get(), c.get(), kM, kN, kK);
  CHECK(hipGetLastError());
  const std::vector<float> got = c.read();
  std::size_t wrong = 0;
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kN; ++column) {
      double sum = 0;
      for (int i = 0; i < kK; ++i) sum += static_cast<double>(a[row * kK + i]) * static_cast<double>(b[i * kN + column]);
      // gfx90a takes subnormal halves for 0 here.
      wrong += !close(got[row * kN + column], sum, 2e-4);
    }
  }
  return verdict("matmul_mfma", wrong, got.size());
}
