// SPDX-License-Identifier: MIT
#include "../newton_f64.hip"
#include "host.h"

int main() {
  constexpr int kCount = 1000;
  std::vector<double> a(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = std::ldexp(static_cast<double>(noise(i)), i % 90 - 40);
  const Array<double> a_d(a), roots(kCount);
  const Array<int> steps(kCount);
  newton_f64<<<(kCount + 127) / 128, 128>>>(a_d.get(), roots.get(), steps.get(), kCount);
  CHECK(hipGetLastError());
  const std::vector<double> got = roots.read();
  const std::vector<int> taken = steps.read();
  std::size_t wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    const double expected = std::cbrt(a[i]);
    wrong += std::fabs(got[i] - expected) > 1e-14 * std::fabs(expected) || taken[i] < 1 || taken[i] > 20;
  }
  return verdict("newton_f64", wrong, kCount);
}
