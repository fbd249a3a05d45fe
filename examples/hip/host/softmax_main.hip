// SPDX-License-Identifier: MIT
#include "../softmax.hip"
#include "host.h"

int main() {
  constexpr int kRows = 100, kColumns = 37;
  std::vector<float> in(kRows * kColumns);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 4.0f * noise(i);
  const Array<float> in_d(in), out(in.size());
  softmax<<<(kRows + 63) / 64, 64>>>(in_d.get(), out.get(), kRows, kColumns);
  CHECK(hipGetLastError());
  const std::vector<float> got = out.read();
  std::size_t wrong = 0;
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = 0; i < kColumns; ++i) sum += std::exp(double{in[row * kColumns + i]});
    for (int i = 0; i < kColumns; ++i) {
      wrong += !close(got[row * kColumns + i], std::exp(double{in[row * kColumns + i]}) / sum, 1e-5);
    }
  }
  return verdict("softmax", wrong, got.size());
}
