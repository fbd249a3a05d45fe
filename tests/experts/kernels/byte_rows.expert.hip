// SPDX-License-Identifier: MIT
// A work-item adds up 64 bytes one by one.
// launch: --grid 8192 --workgroup 256 --arg u8:random(1):524288 --arg i32:zero:8192 --arg i32:8192
// expert: --items 16
#include <hip/hip_runtime.h>

extern "C" __global__ void byte_rows(const unsigned char* x, int* sums, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, row = at / 16;
  if (row >= n) return;
  unsigned word;
  __builtin_memcpy(&word, x + at * 4, sizeof word);
  int sum = (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24);
  for (int mask = 8; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (threadIdx.x % 16 == 0) sums[row] = sum;
}
