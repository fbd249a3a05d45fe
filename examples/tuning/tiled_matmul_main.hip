// SPDX-License-Identifier: MIT
// Runs the kernel on small matrices and checks it: exit status 0 when all results are right.
#include "tiled_matmul.hip"

#include "../hip/host/host.h"

int main() {
  constexpr int kM = 70, kN = 50, kK = 64;
  std::vector<float> a(kM * kK), b(kK * kN);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = noise(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = noise(i + a.size());
  const Array<float> a_d(a), b_d(b), c(kM * kN);
  tiled_matmul<<<dim3((kN + TILE - 1) / TILE, (kM + TILE - 1) / TILE), dim3(TILE, TILE)>>>(a_d.get(), b_d.get(), c.get(), kM, kN, kK);
  CHECK(hipGetLastError());
  const std::vector<float> got = c.read();
  std::size_t wrong = 0;
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kN; ++column) {
      double sum = 0;
      for (int i = 0; i < kK; ++i) sum += double{a[row * kK + i]} * b[i * kN + column];
      wrong += !close(got[row * kN + column], sum, 1e-5);
    }
  }
  return verdict("tiled_matmul", wrong, got.size());
}
