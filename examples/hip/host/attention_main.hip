// SPDX-License-Identifier: MIT
#include "../attention.hip"
#include "host.h"

int main() {
  constexpr int kQueries = 100, kKeys = 37;
  std::vector<float> q(kQueries * kHead), k(kKeys * kHead), v(kKeys * kHead);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = noise(i);
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = noise(i + 10007), v[i] = noise(i + 20011);
  const Array<float> q_d(q), k_d(k), v_d(v), out(q.size());
  attention<<<(kQueries + 63) / 64, 64>>>(q_d.get(), k_d.get(), v_d.get(), out.get(), kQueries, kKeys);
  CHECK(hipGetLastError());
  const std::vector<float> got = out.read();
  std::size_t wrong = 0;
  for (int query = 0; query < kQueries; ++query) {
    double weights = 0, sums[kHead] = {};
    for (int key = 0; key < kKeys; ++key) {
      double score = 0;
      for (int i = 0; i < kHead; ++i) score += double{q[query * kHead + i]} * k[key * kHead + i];
      const double weight = std::exp(score / std::sqrt(double{kHead}));
      weights += weight;
      for (int i = 0; i < kHead; ++i) sums[i] += weight * v[key * kHead + i];
    }
    for (int i = 0; i < kHead; ++i) wrong += !close(got[query * kHead + i], sums[i] / weights, 1e-5);
  }
  return verdict("attention", wrong, got.size());
}
