// SPDX-License-Identifier: MIT
// The size of the workgroup's LDS is known only at the launch.
#include <algorithm>

#include "../stencil.hip"
#include "host.h"

int main() {
  constexpr int kWidth = 70, kHeight = 45, kRadius = 3, kBlock = 16;
  std::vector<float> in(kWidth * kHeight), weights = {0.4f, 0.1f, 0.04f, 0.01f};
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = noise(i);
  const Array<float> in_d(in), weights_d(weights), out(in.size());
  const std::size_t shared = (kBlock + 2 * kRadius) * (kBlock + 2 * kRadius) * sizeof(float);
  stencil<<<dim3((kWidth + kBlock - 1) / kBlock, (kHeight + kBlock - 1) / kBlock), dim3(kBlock, kBlock), shared>>>(
      in_d.get(), weights_d.get(), out.get(), kWidth, kHeight, kRadius);
  CHECK(hipGetLastError());
  const std::vector<float> got = out.read();
  const auto at = [&](int x, int y) {
    return double{in[std::clamp(y, 0, kHeight - 1) * kWidth + std::clamp(x, 0, kWidth - 1)]};
  };
  std::size_t wrong = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      double sum = weights[0] * at(x, y);
      for (int d = 1; d <= kRadius; ++d) sum += weights[d] * (at(x - d, y) + at(x + d, y) + at(x, y - d) + at(x, y + d));
      wrong += !close(got[y * kWidth + x], sum, 1e-5);
    }
  }
  return verdict("stencil", wrong, got.size());
}
