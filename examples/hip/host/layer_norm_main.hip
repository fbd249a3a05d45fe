// SPDX-License-Identifier: MIT
#include "../layer_norm.hip"
#include "host.h"

int main() {
  constexpr int kRows = 20, kColumns = 520;
  constexpr float kEpsilon = 1e-5f;
  std::vector<_Float16> in(kRows * kColumns), gain(kColumns), shift(kColumns);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<_Float16>(2.0f + noise(i));
  for (int i = 0; i < kColumns; ++i) {
    gain[i] = static_cast<_Float16>(1.0f + 0.5f * noise(i + 30011));
    shift[i] = static_cast<_Float16>(noise(i + 40009));
  }
  const Array<_Float16> in_d(in), gain_d(gain), shift_d(shift), out(in.size());
  layer_norm<<<kRows, 128>>>(in_d.get(), gain_d.get(), shift_d.get(), out.get(), kColumns, kEpsilon);
  CHECK(hipGetLastError());
  const std::vector<_Float16> got = out.read();
  std::size_t wrong = 0;
  for (int row = 0; row < kRows; ++row) {
    const _Float16* x = &in[row * kColumns];
    double mean = 0, squares = 0;
    for (int i = 0; i < kColumns; ++i) mean += static_cast<double>(x[i]) / kColumns;
    for (int i = 0; i < kColumns; ++i) squares += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
    for (int i = 0; i < kColumns; ++i) {
      const double normal = (static_cast<double>(x[i]) - mean) / std::sqrt(squares / kColumns + kEpsilon);
      const double expected = normal * static_cast<double>(gain[i]) + static_cast<double>(shift[i]);
      wrong += !close(static_cast<double>(got[row * kColumns + i]), expected, 1e-3);  // half precision
    }
  }
  return verdict("layer_norm", wrong, got.size());
}
