// SPDX-License-Identifier: MIT
#include "../reduce.hip"
#include "host.h"

int main() {
  constexpr int kCount = 100001;
  std::vector<float> in(kCount);
  double expected = 0;
  for (int i = 0; i < kCount; ++i) in[i] = noise(i), expected += in[i];
  const Array<float> in_d(in), sum(std::vector<float>(1, 0.0f));
  reduce<<<32, 256>>>(in_d.get(), sum.get(), kCount);
  CHECK(hipGetLastError());
  return verdict("reduce", !close(sum.read()[0], expected, 1e-3), 1);
}
