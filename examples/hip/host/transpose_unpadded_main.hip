// SPDX-License-Identifier: MIT
#include "../transpose_unpadded.hip"
#include "host.h"

int main() {
  constexpr int kHeight = 256, kWidth = 256;
  std::vector<float> in(kHeight * kWidth);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = noise(i);
  const Array<float> in_d(in), out(in.size());
  transpose_unpadded<<<dim3((kWidth + kTile - 1) / kTile, (kHeight + kTile - 1) / kTile), dim3(kTile, kRows)>>>(in_d.get(), out.get(), kHeight, kWidth);
  CHECK(hipGetLastError());
  const std::vector<float> got = out.read();
  std::size_t wrong = 0;
  for (int row = 0; row < kHeight; ++row) {
    for (int column = 0; column < kWidth; ++column) wrong += got[column * kHeight + row] != in[row * kWidth + column];
  }
  return verdict("transpose_unpadded", wrong, in.size());
}
