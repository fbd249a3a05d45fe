// SPDX-License-Identifier: MIT
#include "../row_scale.hip"
#include "host.h"

int main() {
  constexpr int kHeight = 256, kWidth = 64;
  std::vector<float> in(kHeight * kWidth), factors(kHeight);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = noise(i);
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = noise(i + in.size());
  const Array<float> in_d(in), factors_d(factors), out(in.size());
  row_scale<<<dim3(kHeight / 64), dim3(64)>>>(in_d.get(), factors_d.get(), out.get(), kHeight, kWidth);
  CHECK(hipGetLastError());
  const std::vector<float> got = out.read();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != in[i] * factors[i / kWidth];
  return verdict("row_scale", wrong, got.size());
}
